import { type Requirement, verifiesOf } from './index.ts';

export const entries = [
  {
    id: 'policy:decide:table',
    cases: ['B05'],
    sentence:
      'A definition is permitted when the profile has its server, the server its native name or URI, and, for a tool, the profile its qualified name.',
  },
  {
    id: 'policy:decide:list-is-decision',
    cases: ['B05'],
    sentence: 'What is listed for a principal is exactly what is permitted, in catalog order.',
  },
  {
    id: 'policy:decide:off-is-off',
    cases: ['B05'],
    sentence: 'A disabled server, an unknown profile and a server outside the profile permit nothing.',
  },
  {
    id: 'policy:paths:same-decision',
    cases: ['B05', 'B39', 'B40'],
    sentence:
      'List, call, get, read, completion and subscription permit the same definitions, for every profile and filter.',
  },
  {
    id: 'policy:paths:hidden-is-absent',
    cases: ['B05'],
    sentence: 'What policy hides is answered byte for byte as what does not exist, and costs the same work.',
  },
] as const satisfies readonly Requirement[];

export const verifies: ReturnType<typeof verifiesOf<typeof entries>> = verifiesOf(entries);
