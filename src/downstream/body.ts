import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../domain/index.ts';

export interface BodyHandlers {
  readonly done: (body: Buffer) => void;
  /** The body is larger than `maxBytes`; the rest is not read. */
  readonly tooLarge: () => void;
}

/** Collects a request body; the bytes are decoded once, at the end, so that no character is cut in two. */
export function readBody(req: IncomingMessage, maxBytes: number, handlers: BodyHandlers): void {
  const chunks: Buffer[] = [];
  let receivedBytes = 0;
  let isOver = false;
  req.on('data', (chunk: Buffer) => {
    receivedBytes += chunk.length;
    if (isOver) return;
    if (receivedBytes > maxBytes) {
      isOver = true;
      chunks.length = 0;
      handlers.tooLarge();
    } else chunks.push(chunk);
  });
  req.on('end', () => {
    const [first] = chunks;
    if (!isOver)
      handlers.done(
        chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks, receivedBytes),
      );
  });
  // The exchange hears of a broken connection through its response.
  req.on('error', () => undefined);
}

/** @throws GatewayError PARSE_ERROR */
export function parseJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw new GatewayError('PARSE_ERROR', 'Parse error: the body is not valid UTF-8');
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw new GatewayError('PARSE_ERROR', `Parse error: ${(error as Error).message}`);
  }
}
