/** Exit codes that scripts rely on. */
export const EXIT = { done: 0, failed: 1, usage: 2, refused: 3 } as const;

/** Ends a command with a message for people on standard error. */
export class CommandError extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode: number) {
    super(message);
    this.name = 'CommandError';
    this.exitCode = exitCode;
  }
}
