import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { asGatewayError, type GatewayError, type Seat } from '../domain/index.ts';
import type { Deadlines, Timed } from './deadlines.ts';
import type { Fail } from './failures.ts';
import { headerText } from './http-encoding.ts';
import type { HttpOrigin } from './http-origin.ts';
import { isRedirect } from './http-redirect.ts';
import { broken } from './http-rejection.ts';

export interface SimpleRequest {
  readonly origin: HttpOrigin;
  readonly method: 'POST' | 'DELETE';
  readonly url: URL;
  readonly headers: string[];
  readonly body: Buffer | null;
  readonly fail: Fail;
  readonly deadlines: Deadlines;
}

/** Sends what has no answer of its own, such as a notification; resolves with the status, the body is ignored. */
export const simpleRequest = (request: SimpleRequest): Promise<number> =>
  new Promise((resolve, reject) => new Simple(request, resolve, reject).send());

/** Nothing that is sent this way is worth a connection for longer. */
const LIMIT_MS = 10_000;

class Simple implements Dispatcher.DispatchHandler, Timed {
  readonly #request: SimpleRequest;
  readonly #resolve: (status: number) => void;
  readonly #reject: (error: GatewayError) => void;
  readonly #endsAtMs: number;
  readonly #seat: Seat<Timed>;
  #url: URL;
  #hops = 0;
  #controller: Dispatcher.DispatchController | undefined;

  constructor(
    request: SimpleRequest,
    resolve: (status: number) => void,
    reject: (error: GatewayError) => void,
  ) {
    this.#request = request;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#url = request.url;
    this.#endsAtMs = request.deadlines.now() + LIMIT_MS;
    this.#seat = request.deadlines.add(this);
  }

  send(): void {
    const { origin, method, headers, body } = this.#request;
    origin.dispatch(method, this.#url, headers, body, this);
  }

  dueAtMs(): number {
    return this.#endsAtMs;
  }

  expire(): void {
    const { fail, method } = this.#request;
    this.#end();
    this.#reject(fail('UPSTREAM_TIMEOUT', `did not take a message within ${LIMIT_MS} ms (${method})`));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return;
    if (!isRedirect(status)) return this.#resolve(status);
    try {
      this.#url = this.#request.origin.follow(status, headerText(headers.location), this.#url, this.#hops++);
    } catch (error) {
      return this.#reject(asGatewayError(error, 'a redirect was not followed'));
    }
    this.#controller = undefined;
    this.send();
  }

  onResponseData(): void {
    // The body says nothing that matters; it is read so that the connection can be used again.
  }

  onResponseEnd(controller: Dispatcher.DispatchController): void {
    if (controller !== this.#controller) return;
    this.#controller = undefined;
    this.#end();
  }

  onResponseError(controller: Dispatcher.DispatchController | undefined, error: Error): void {
    if (controller !== this.#controller) return;
    this.#end();
    // After a status it is too late to matter: the promise is settled.
    this.#reject(broken(error, false, this.#request.fail));
  }

  #end(): void {
    const controller = this.#controller;
    this.#controller = undefined;
    this.#request.deadlines.leave(this.#seat);
    controller?.abort(new Error('the request has ended'));
  }
}
