import { type Requirement, verifiesOf } from './index.ts';

/** What the log and the counters promise to those who run the gateway. */
export const entries = [
  {
    id: 'telemetry:secrets:by-name',
    cases: ['B56'],
    sentence: 'A value under a telling name, at any depth, is masked in the log; a number is not.',
  },
  {
    id: 'telemetry:secrets:by-value',
    cases: ['B56'],
    sentence: 'A known secret is masked wherever it appears in a line, whatever it is part of.',
  },
  {
    id: 'telemetry:secrets:by-form',
    cases: ['B56'],
    sentence: 'Bearer tokens, passwords in URLs and keys in queries are masked though nobody declared them.',
  },
  {
    id: 'telemetry:requests:one-line',
    sentence: 'Each request gives one line with caller, era, method, name, outcome, duration and sizes.',
  },
  {
    id: 'telemetry:warnings:limited',
    cases: ['B43'],
    sentence: 'A warning that repeats is written once a minute, with the number of those left out.',
  },
  {
    id: 'telemetry:lines:unforgeable',
    sentence: 'No text from outside can end a line, move the cursor or look like another line.',
  },
  {
    id: 'telemetry:output:reader-gone',
    cases: ['B49'],
    sentence: 'A reader of the log that goes away costs the gateway nothing but the log.',
  },
  {
    id: 'telemetry:output:reader-stuck',
    cases: ['B49'],
    sentence: 'A reader of the log that stops reading neither holds up the gateway nor keeps it from ending.',
  },
  {
    id: 'telemetry:output:written-on-close',
    sentence: 'Everything logged before the close is written, in order, when the close resolves.',
  },
  {
    id: 'telemetry:metrics:text-format',
    sentence:
      'Counts are given in the text format of Prometheus, with cumulative buckets and escaped labels.',
  },
  {
    id: 'telemetry:metrics:tokens',
    cases: ['B65'],
    sentence:
      'Tokens sent, avoided and spent on searches are counted by profile and tokenizer; what nobody counts is left out.',
  },
] as const satisfies readonly Requirement[];

export const verifies = verifiesOf(entries);
