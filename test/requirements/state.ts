import { type Requirement, verifiesOf } from './index.ts';

/** What the gateway promises about the file that outlives its runs. */
export const entries = [
  {
    id: 'state:file:private',
    sentence: 'The state folder and file are made on first need, and nobody but their owner can read them.',
  },
  {
    id: 'state:file:damaged',
    sentence: 'A damaged state file is set aside under another name with a warning, and a new one begun.',
  },
  {
    id: 'state:file:newer',
    sentence: 'A state file of a later version is refused with a clear error and stays as it is.',
  },
  {
    id: 'state:file:shared',
    sentence: 'Several processes may write to one state file, and none loses what another wrote.',
  },
  {
    id: 'state:file:closed',
    sentence: 'After close, no thread runs, no file is open, and the log is folded into the file.',
  },
  {
    id: 'state:write:whole',
    sentence: 'Work that fails halfway leaves nothing behind.',
  },
  {
    id: 'state:thread:isolated',
    sentence:
      'A thread that fails, or runs out of memory, costs its requests an error and the process nothing.',
  },
  {
    id: 'state:thread:idle',
    sentence: 'A thread starts when it is first needed, and ends when nobody needs it.',
  },
] as const satisfies readonly Requirement[];

export const verifies: (id: (typeof entries)[number]['id']) => string = verifiesOf(entries);
