import { StringDecoder } from 'node:string_decoder';
import { createParser } from 'eventsource-parser';

export interface SseEvent {
  readonly event: string | undefined;
  readonly id: string | undefined;
  readonly data: string;
}

export interface SseDecoderOptions {
  /** A larger event ends the stream's usefulness: `onTooLarge` is called once and the rest is ignored. */
  readonly maxEventBytes: number;
  readonly onEvent: (event: SseEvent) => void;
  readonly onRetry?: (retryMs: number) => void;
  readonly onTooLarge: () => void;
}

export interface SseDecoder {
  push(chunk: Buffer): void;
}

/**
 * Reads an event stream as WHATWG defines it, from bytes: characters and CRLF pairs split over chunks
 * stay whole, and an event that no blank line ended is never reported.
 */
export function createSseDecoder(options: SseDecoderOptions): SseDecoder {
  const decoder = new StringDecoder('utf8');
  let isDone = false;
  let isFirst = true;
  let endedInCr = false;
  const parser = createParser({
    // Counted in characters, of which there are never more than bytes.
    maxBufferSize: options.maxEventBytes,
    onEvent: (message) => options.onEvent({ event: message.event, id: message.id, data: message.data }),
    onRetry: (retryMs) => options.onRetry?.(retryMs),
    onError: (error) => {
      // Unknown fields and malformed retry values are ignored, as the standard asks.
      if (error.type !== 'max-buffer-size-exceeded') return;
      isDone = true;
      options.onTooLarge();
    },
  });
  return {
    push: (chunk) => {
      if (isDone) return;
      let text = decoder.write(chunk);
      if (text === '') return;
      if (isFirst && text.charCodeAt(0) === 0xfeff) text = text.slice(1);
      isFirst = false;
      // A CR ends its line at once; the LF of a pair that was cut in two would end a second one.
      if (endedInCr && text.startsWith('\n')) text = text.slice(1);
      endedInCr = text === '' ? false : text.endsWith('\r');
      parser.feed(text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text);
    },
  };
}

const LINE_END = /\r\n|\r|\n/;

/** One event; data that spans lines becomes several `data:` lines, as readers join them again. */
export function encodeSseEvent(
  data: string,
  options: { readonly id?: string; readonly retryMs?: number } = {},
): string {
  let out = '';
  if (options.id !== undefined) out += `id: ${options.id}\n`;
  if (options.retryMs !== undefined) out += `retry: ${options.retryMs}\n`;
  if (!LINE_END.test(data)) return `${out}data: ${data}\n\n`;
  for (const line of data.split(LINE_END)) out += `data: ${line}\n`;
  return `${out}\n`;
}

/** A comment line: keeps idle connections open and carries nothing. */
export const SSE_KEEP_ALIVE = ': keep-alive\n\n';
