import type { Exchange, HostRequest } from '../routing/index.ts';
import { resultFrame } from '../wire/index.ts';

/** Answers a request with a result of the gateway's own, which is JSON text. */
export const respondWith = (request: HostRequest, exchange: Exchange, resultText: string): void =>
  exchange.respond(Buffer.from(resultFrame(request.idText, resultText)), 200);
