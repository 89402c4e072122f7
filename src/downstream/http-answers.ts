import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GatewayError, Principal } from '../domain/index.ts';
import { errorAnswer } from './error-responses.ts';
import type { HeaderOf } from './modern-envelope.ts';

/** What is known of an HTTP request before its body. */
export interface HttpRequest {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly principal: Principal;
  readonly headerOf: HeaderOf;
  /** Headers of every answer, as flat name, value. */
  readonly cors: readonly string[];
  readonly takesStream: boolean;
  /** The host names event streams first among what it takes. */
  readonly prefersStream: boolean;
}

export function write(res: ServerResponse, status: number, body: string, headers: readonly string[]): void {
  if (res.headersSent || res.destroyed) return;
  res.writeHead(status, [
    'content-type',
    'application/json',
    'content-length',
    String(Buffer.byteLength(body)),
    ...headers,
  ]);
  res.end(body);
}

/** An answer without a body. */
export function plain(res: ServerResponse, status: number, headers: readonly string[]): void {
  res.writeHead(status, ['content-length', '0', ...headers]);
  res.end();
}

/** A refusal before any message was read: a JSON-RPC error without an id. */
export function reject(
  res: ServerResponse,
  status: number,
  error: GatewayError,
  headers: readonly string[],
): void {
  write(res, status, errorAnswer(error, undefined, 'legacy').body, headers);
}
