import { type Requirement, verifiesOf } from './index.ts';

/** What the gateway promises about its figures. */
export const entries = [
  {
    id: 'accounting:tokens:exact',
    cases: ['B65'],
    sentence:
      'Counts are those of the named tokenizer, whatever the language, and of what hosts hand to a model.',
  },
  {
    id: 'accounting:tokens:add-up',
    cases: ['B65'],
    sentence: 'The costs of tools add up to the cost of their list.',
  },
  {
    id: 'accounting:tokens:bounded',
    cases: ['B33', 'B65'],
    sentence: 'Enormous and deep schemas and text without spaces are counted in bounded time and memory.',
  },
  {
    id: 'accounting:tokens:off-the-path',
    cases: ['B33'],
    sentence: 'Counting an enormous schema does not hold up requests.',
  },
  {
    id: 'accounting:tokens:once',
    sentence: 'What was counted once is not counted again, in this run or a later one.',
  },
  {
    id: 'accounting:tokens:no-estimate',
    cases: ['B65'],
    sentence: 'Where tokens cannot be counted there is an error, and no estimate in its place.',
  },
  {
    id: 'accounting:ledger:off-the-path',
    sentence: 'Recording a request neither waits nor throws, whatever the state of the file.',
  },
  {
    id: 'accounting:ledger:honest-gaps',
    sentence:
      'Requests that could not be recorded, and answers that could not be counted, are told in number.',
  },
  {
    id: 'accounting:ledger:bounded',
    sentence: 'The ledger stays within its bounds of size and age; the oldest rows give way.',
  },
  {
    id: 'accounting:ledger:no-content',
    sentence: 'No argument and no result is ever written to the ledger.',
  },
  {
    id: 'accounting:report:recomputable',
    cases: ['B65'],
    sentence: 'The figures of a report are those that its requests add up to, by every grouping.',
  },
  {
    id: 'accounting:report:no-invented-savings',
    cases: ['B65'],
    sentence:
      'Where everything is listed directly, a report shows no savings; where searching cost more, a loss.',
  },
  {
    id: 'accounting:report:names-tokenizer',
    cases: ['B65'],
    sentence: 'A report names the tokenizer of its figures, as a table and as JSON.',
  },
  {
    id: 'accounting:rows:every-request',
    sentence: 'Every request of a host that ended leaves one row that says who asked what, and what it cost.',
  },
  {
    id: 'accounting:report:page',
    sentence:
      'The page of the report says what is wrong with a question, and answers the same question once at a time.',
  },
  {
    id: 'accounting:report:beside-a-gateway',
    sentence:
      'The page and the command give the same figures, the command while a gateway is running or after its end.',
  },
  {
    id: 'accounting:report:from-bytes',
    cases: ['B65'],
    sentence: 'The figures of a report can be recomputed from the bytes that went over the wire.',
  },
  {
    id: 'accounting:close:everything',
    sentence:
      'A close writes what was recorded before it and leaves no thread, also where nothing was recorded.',
  },
] as const satisfies readonly Requirement[];

export const verifies: (id: (typeof entries)[number]['id']) => string = verifiesOf(entries);
