import type { Thread } from '../state/index.ts';
import type { CountedForm, CountRequest } from './token-worker.ts';
import type { TokenizerName } from './tokenizer-names.ts';

/** Tokens cannot be counted. There is no estimate in their place: a figure is a count, or there is none. */
export class TokenCountError extends Error {
  constructor(tokenizer: TokenizerName, reason: string, cause?: unknown) {
    super(
      `tokens cannot be counted with ${tokenizer}: ${reason}`,
      cause === undefined ? undefined : { cause },
    );
    this.name = 'TokenCountError';
  }
}

export interface CountQueue {
  /** @throws TokenCountError when the thread cannot start or ends */
  count(texts: readonly (string | Uint8Array)[], form: CountedForm): Promise<readonly number[]>;
}

interface Waiting {
  readonly request: CountRequest;
  readonly size: number;
  readonly resolve: (counts: readonly number[]) => void;
  readonly reject: (error: Error) => void;
}

/** Hands the thread one piece of work at a time, the smallest first: a giant schema holds up no other server. */
export function createCountQueue(thread: Thread, tokenizer: TokenizerName): CountQueue {
  const waiting: Waiting[] = [];
  let isBusy = false;
  const takeSmallest = (): Waiting | undefined => {
    const smallest = waiting.reduce<Waiting | undefined>(
      (least, item) => (least === undefined || item.size < least.size ? item : least),
      undefined,
    );
    if (smallest !== undefined) waiting.splice(waiting.indexOf(smallest), 1);
    return smallest;
  };
  const pump = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    for (let next = takeSmallest(); next !== undefined; next = takeSmallest()) {
      try {
        const counts = (await thread.request(next.request)) as number[];
        if (counts.length === next.request.texts.length) next.resolve(counts);
        else next.reject(new TokenCountError(tokenizer, 'the thread left counts out'));
      } catch (error) {
        next.reject(new TokenCountError(tokenizer, (error as Error).message, error));
      }
    }
    isBusy = false;
  };
  return {
    count: (texts, form) =>
      new Promise((resolve, reject) => {
        const size = texts.reduce((sum, text) => sum + text.length, 0);
        waiting.push({ request: { tokenizer, form, texts }, size, resolve, reject });
        void pump();
      }),
  };
}
