import type { GatewayError } from '../domain/index.ts';
import type { Host, RequestNotes } from '../routing/index.ts';

/** How a request ended, for its line in the log. */
export interface Outcome {
  readonly host: Host;
  readonly method: string;
  readonly notes: RequestNotes;
  /** `ok`, `error` (an upstream's own), `cancelled`, or the code of a gateway fault. */
  readonly status: string;
  readonly durationMs: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly error: GatewayError | undefined;
}

export type OutcomeListener = (outcome: Outcome) => void;

/** Whether a finished response frame is an error; looks at the start and, for other orders of members, further. */
export function isErrorFrame(frame: Buffer): boolean {
  return frame.subarray(0, 256).includes('"error"') && !frame.subarray(0, 256).includes('"result"');
}
