import { type Requirement, verifiesOf } from './index.ts';

/** What search promises to those who ask it for a tool. */
export const entries = [
  {
    id: 'search:names:exact-first',
    cases: ['B20'],
    sentence: 'A tool whose very name is given, bare or qualified and in any case, is the first hit.',
  },
  {
    id: 'search:words:same-rules',
    cases: ['B20'],
    sentence:
      'Names in any case style are found by their words, because both sides are split before folding.',
  },
  {
    id: 'search:words:unicode',
    cases: ['B20'],
    sentence: 'Words of any script are found as typed, accents or not, wide or narrow forms alike.',
  },
  {
    id: 'search:words:whole',
    cases: ['B20'],
    sentence: 'Words match whole: a query is never found inside an unrelated longer word.',
  },
  {
    id: 'search:nothing:says-what-there-is',
    cases: ['B20'],
    sentence: 'A query that matches nothing gets no hits, and the visible servers with the size of each.',
  },
  {
    id: 'search:schemas:bounded',
    cases: ['B33'],
    sentence: 'Recursive, exploding, bottomless and enormous schemas are indexed in bounded time.',
  },
  {
    id: 'search:update:only-changes',
    sentence: 'After a change of the list only the tools that changed are analysed again.',
  },
  {
    id: 'search:twins:collapsed',
    sentence: 'The same tool under several servers takes one place and names the others.',
  },
  {
    id: 'search:servers:no-crowding',
    sentence: 'A server with very many tools does not crowd out others that match nearly as well.',
  },
  {
    id: 'search:queries:take-turns',
    sentence: 'The hits of several queries take turns, each tool once.',
  },
  {
    id: 'search:typos:second-pass',
    sentence: 'Spelling is forgiven only when no word of the query is known.',
  },
  {
    id: 'search:visibility:hidden-not-found',
    sentence: 'What the caller may not see is neither found by name or words nor counted.',
  },
  {
    id: 'search:priors:near-ties-only',
    sentence: 'Calls that went well settle near ties and never lift a tool over a clearly better one.',
  },
  {
    id: 'search:meaning:never-waits',
    sentence:
      'An embedder that fails or is late costs no more than the time allowed, and words still answer.',
  },
  {
    id: 'search:meaning:optional',
    sentence:
      'The offline encoder is loaded only when asked for, and says how to install it when it is missing.',
  },
  {
    id: 'search:meaning:kept-by-digest',
    sentence: 'A text is embedded once: its vector is kept by model and digest.',
  },
  {
    id: 'search:answer:within-allowance',
    sentence: 'An answer never costs more tokens than its allowance.',
  },
  {
    id: 'search:answer:lines-first',
    sentence: 'Every hit has its line before any has its full schema, so that a large one hides no other.',
  },
] as const satisfies readonly Requirement[];

/** The title of a test that proves the entry. */
export const verifies: (id: (typeof entries)[number]['id']) => string = verifiesOf(entries);
