import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GatewayError, Principal } from '../domain/index.ts';
import { errorAnswer } from './error-responses.ts';
import type { Accepts, HeaderOf } from './host-headers.ts';

/** What is known of an HTTP request before its body. */
export interface HttpRequest {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly principal: Principal;
  readonly headerOf: HeaderOf;
  readonly accepts: Accepts;
  /** Headers of every answer, as flat name, value. */
  readonly cors: readonly string[];
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

/** A refusal of the whole HTTP request; `idText` where it answers one message whose id is known. */
export function reject(
  res: ServerResponse,
  status: number,
  error: GatewayError,
  headers: readonly string[],
  idText?: string,
): void {
  write(res, status, errorAnswer(error, idText, 'legacy').body, headers);
}
