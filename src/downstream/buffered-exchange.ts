import type { Clock, GatewayError } from '../domain/index.ts';
import type { Exchange, Host, RequestNotes } from '../routing/index.ts';
import { errorAnswer } from './error-responses.ts';
import { isErrorFrame, type OutcomeListener } from './outcome.ts';

export interface BufferedExchangeDeps {
  readonly host: Host;
  readonly method: string;
  readonly idText: string;
  readonly requestBytes: number;
  readonly clock: Clock;
  readonly message: (frame: Buffer) => void;
  /** Called once, with the whole response; not at all for a request that its host cancelled. */
  readonly respond: (frame: Buffer) => void;
  readonly ask: Exchange['ask'];
  readonly onEnd: OutcomeListener;
}

export interface BufferedExchange extends Exchange {
  cancel(reason: string): void;
}

/** An exchange over a channel that carries whole messages: a pipe, or the array of a batch. */
export function createBufferedExchange(deps: BufferedExchangeDeps): BufferedExchange {
  const notes: RequestNotes = {};
  const since = deps.clock.now();
  let isEnded = false;
  let parts: Buffer[] = [];
  let onCancel: ((reason: string) => void) | undefined;
  let cancelledFor: string | undefined;

  const end = (status: string, responseBytes: number, error?: GatewayError): void => {
    isEnded = true;
    onCancel = undefined;
    const { host, method, requestBytes } = deps;
    const durationMs = deps.clock.now() - since;
    deps.onEnd({ host, method, notes, status, durationMs, requestBytes, responseBytes, error });
  };

  const finish = (frame: Buffer, status: string, error?: GatewayError): void => {
    if (isEnded) return;
    end(status, frame.length, error);
    deps.respond(frame);
  };

  return {
    notes,
    message: (frame) => {
      if (!isEnded) deps.message(frame);
    },
    ask: (question, onAnswer) => !isEnded && deps.ask(question, onAnswer),
    respond: (frame) => finish(frame, isErrorFrame(frame) ? 'error' : 'ok'),
    respondStart: () => {
      parts = [];
    },
    respondChunk: (chunk) => {
      if (!isEnded) parts.push(chunk);
      return true;
    },
    respondEnd: () => finish(Buffer.concat(parts), 'ok'),
    fail: (error) =>
      finish(Buffer.from(errorAnswer(error, deps.idText, deps.host.era).body), error.code, error),
    onCancel: (listener) => {
      if (cancelledFor === undefined) onCancel = listener;
      else listener(cancelledFor);
    },
    onDrain: () => undefined,
    rest: () => undefined,
    cancel: (reason) => {
      if (isEnded) return;
      const listener = onCancel;
      cancelledFor = reason;
      end('cancelled', 0);
      listener?.(reason);
    },
  };
}
