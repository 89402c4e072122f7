import { type Requirement, verifiesOf } from './index.ts';

export const entries = [
  {
    id: 'conformance:server:nothing-worse',
    spec: 'https://modelcontextprotocol.io/specification/2026-07-28/basic/index',
    sentence:
      'Every check of the official server suite comes out through the gateway as it does without it, at 2026-07-28 and 2025-11-25.',
  },
  {
    id: 'conformance:server:names-on-both-hops',
    spec: 'https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#standard-request-headers',
    sentence:
      'With a namespace, names are qualified in front of the gateway and native behind it, in bodies and in Mcp-Name alike.',
  },
  {
    id: 'conformance:client:sound-towards-servers',
    spec: 'https://modelcontextprotocol.io/specification/2026-07-28/basic/index',
    sentence:
      'Through the gateway, a plain client passes every client scenario of the official suite but the authorization ones, at 2026-07-28, 2025-11-25 and 2025-03-26.',
  },
  {
    id: 'conformance:harness:worst-status',
    sentence: 'Two runs of the suite are compared by the worst status of each check of each scenario.',
  },
  {
    id: 'conformance:harness:stale-entries',
    sentence: 'An expected failure that does not occur fails the run.',
  },
] as const satisfies readonly Requirement[];

export const verifies = verifiesOf(entries);
