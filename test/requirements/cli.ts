import { type Requirement, verifiesOf } from './index.ts';

export const entries = [
  {
    id: 'cli:check:sound',
    sentence: 'check says that a configuration is sound, in words and as one JSON document',
  },
  {
    id: 'cli:check:problems',
    sentence:
      'A bad configuration ends every command with exit code 2 and all of its problems, each at its line and key',
  },
  {
    id: 'cli:check:connect',
    cases: ['B10'],
    sentence:
      'check --connect tells of every server what it speaks and lists, and fails when one cannot be reached',
  },
  {
    id: 'cli:one-shot:results',
    sentence: 'tools, call, read and get print results on standard output and nothing else there',
  },
  {
    id: 'cli:one-shot:content',
    sentence:
      'What is not text is named with its kind, type and size, and a failed tool is printed and ends with exit code 1',
  },
  {
    id: 'cli:one-shot:failures',
    cases: ['B05'],
    sentence: 'A failure ends with exit code 1 and its message, and what a profile hides is unknown to it',
  },
  {
    id: 'cli:usage:refused',
    sentence: 'A command that is used wrongly ends with exit code 2 and a message that says what was wrong',
  },
  {
    id: 'cli:output:closed-reader',
    cases: ['B49'],
    sentence: 'A reader that has seen enough ends a command without a complaint',
  },
  {
    id: 'cli:serve:ready',
    sentence:
      'serve is what runs without a command, and says on standard error where it answers once it does',
  },
  {
    id: 'cli:serve:port-taken',
    sentence: 'A port that is taken ends serve with exit code 1 and says what to do',
  },
  {
    id: 'cli:start:npx',
    sentence: 'npx tollgate runs the command of a clone',
  },
] as const satisfies readonly Requirement[];

export const verifies = verifiesOf(entries);
