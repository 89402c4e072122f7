import { type Requirement, verifiesOf } from './index.ts';

const SPEC = 'https://modelcontextprotocol.io/specification/2026-07-28';

export const entries = [
  {
    id: 'exposure:lists:same-bytes',
    spec: `${SPEC}/server/tools#capabilities`,
    cases: ['B54'],
    sentence:
      'A list is the same bytes on every request, in every locale, whatever order servers answered in and whether one of them is down.',
  },
  {
    id: 'exposure:lists:definitions-in-order',
    cases: ['B32', 'B35', 'B05'],
    sentence: 'A list holds the visible definitions in their servers’ own words, in configuration order.',
  },
  {
    id: 'exposure:lists:era',
    spec: `${SPEC}/server/utilities/caching`,
    cases: ['B08', 'B16'],
    sentence:
      'Stateless hosts get lists with a result type and hints that forbid caching, handshake hosts in the form of their revision.',
  },
  {
    id: 'exposure:lists:missing-named',
    cases: ['B08', 'B10', 'B28'],
    sentence:
      'A list in which a server is missing or cut names it and says why, to those alone who may use it.',
  },
  {
    id: 'exposure:instructions:merged',
    cases: ['B61'],
    sentence:
      'Instructions are merged in configuration order, each under a heading that says how the names of its server begin.',
  },
  {
    id: 'exposure:instructions:capped',
    cases: ['B61'],
    sentence:
      'The merged text never exceeds its limit in UTF-8 bytes, cuts no character in two and shares the room evenly.',
  },
  {
    id: 'exposure:instructions:only-usable',
    cases: ['B61', 'B05'],
    sentence:
      'A server that the caller may not use, or of which nothing is visible to it, says nothing to it.',
  },
  {
    id: 'exposure:capabilities:union',
    cases: ['B37'],
    sentence:
      'What is offered to a host is the union over the servers there are for it, and everything while any of them is still silent.',
  },
  {
    id: 'exposure:compact:same-instances',
    cases: ['B34'],
    sentence: 'A compact definition accepts exactly the arguments that the full one accepts.',
  },
  {
    id: 'exposure:compact:names-are-no-keywords',
    cases: ['B34'],
    sentence:
      'Annotations are left out in the place of a schema only: properties and literal values that are called like keywords stay.',
  },
  {
    id: 'exposure:compact:bounded',
    cases: ['B33'],
    sentence: 'Recursive, deep and huge schemas are made compact, or left as they are, in bounded time.',
  },
  {
    id: 'exposure:budget:holds',
    cases: ['B65'],
    sentence:
      'No list costs more than its budget by an independent count of what is sent, and the count that the list names is that count.',
  },
  {
    id: 'exposure:budget:meta-tools-first',
    cases: ['B65'],
    sentence:
      'Where the tools do not fit, the meta-tools and the pinned tools that fit are listed; where they fit, no meta-tool is.',
  },
  {
    id: 'exposure:agent:tasks',
    sentence:
      'An agent that searches, calls and corrects itself from what it is told does twenty tasks with less than a tenth of the definition tokens of direct exposure.',
  },
  {
    id: 'exposure:search:list',
    spec: `${SPEC}/server/tools`,
    cases: ['B06', 'B54'],
    sentence:
      'Both eras are listed the same bytes of meta-tools and pinned tools, with the reason and the count, and no search or call changes them.',
  },
  {
    id: 'exposure:search:answers',
    sentence:
      'A search answers with the best tools in full and the others in a line, as names or signatures where asked to, and says what there is when nothing fits.',
  },
  {
    id: 'exposure:call:bytes',
    cases: ['B35'],
    sentence:
      'Arguments and result of a call through the meta-tool pass as bytes, and the headers of the next hop name the real tool.',
  },
  {
    id: 'exposure:call:as-direct',
    sentence:
      'Progress, questions, their answers and cancellation of a call through the meta-tool are those of a direct call, in both eras.',
  },
  {
    id: 'exposure:call:any-visible',
    cases: ['B06'],
    sentence:
      'Every visible tool can be called at once, by its own name or through the meta-tool, listed or not.',
  },
  {
    id: 'exposure:call:corrects',
    sentence:
      'Arguments that a schema certainly refuses are answered with what is wrong and the schema, and reach no server.',
  },
  {
    id: 'exposure:call:near-names',
    cases: ['B05'],
    sentence:
      'An unknown name is answered with near ones and never guessed; what is hidden is neither suggested nor found, and answers as what does not exist.',
  },
  {
    id: 'exposure:budget:smallest',
    sentence: 'A budget that not even the meta-tools fit is a fault that names the smallest possible one.',
  },
  {
    id: 'exposure:counting:published-together',
    sentence:
      'A list changes once everything new in it is counted; until then the one before is sent, and no request waits.',
  },
  {
    id: 'exposure:counting:waits-bounded',
    cases: ['B28'],
    sentence: 'First answers wait for counts within a bound, and hold the meta-tools alone when it is over.',
  },
  {
    id: 'exposure:counting:faults',
    cases: ['B33'],
    sentence:
      'What cannot be counted is left to search, with the reason, and costs no other server its place.',
  },
  {
    id: 'exposure:meta-tools:names-taken',
    sentence:
      'A tool with the name of a listed meta-tool is told of and not listed beside it; under other names for the meta-tools it is not in the way.',
  },
  {
    id: 'exposure:call:never-stricter',
    sentence: 'Arguments that a schema accepts are never refused by the gateway.',
  },
  {
    id: 'exposure:search:allowance',
    sentence: 'The text of an answer costs no more than its allowance, however much is asked for.',
  },
  {
    id: 'exposure:search:instructions',
    cases: ['B61'],
    sentence:
      'Where a host was not told all that a server says of itself, a search that finds its tools tells more.',
  },
] as const satisfies readonly Requirement[];

export const verifies: ReturnType<typeof verifiesOf<typeof entries>> = verifiesOf(entries);
