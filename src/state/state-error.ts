/** `STATE_FAILED` is a fault of the file, the folder or the disk; the others say what they are. */
export type StateErrorCode = 'STATE_CLOSED' | 'STATE_BUSY' | 'STATE_DAMAGED' | 'STATE_NEWER' | 'STATE_FAILED';

const CODES: readonly string[] = [
  'STATE_CLOSED',
  'STATE_BUSY',
  'STATE_DAMAGED',
  'STATE_NEWER',
  'STATE_FAILED',
] satisfies readonly StateErrorCode[];

/** What went wrong with the stored state. Never a fault of a host's request: the gateway works without. */
export class StateError extends Error {
  readonly code: StateErrorCode;

  constructor(code: StateErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'StateError';
    this.code = code;
  }
}

export const isStateErrorCode = (code: unknown): code is StateErrorCode =>
  typeof code === 'string' && CODES.includes(code);
