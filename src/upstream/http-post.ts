import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { asGatewayError } from '../domain/index.ts';
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
}

/** Sends what has no answer of its own, such as a notification; resolves with the status, the body is ignored. */
export function simpleRequest(request: SimpleRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    const { origin, method, headers, body, fail } = request;
    let hops = 0;
    const send = (url: URL): void => {
      let status = 0;
      const handler: Dispatcher.DispatchHandler = {
        onResponseStart: (_controller, code: number, responseHeaders: IncomingHttpHeaders) => {
          if (code < 200) return;
          status = code;
          if (!isRedirect(code)) return resolve(code);
          try {
            const next = origin.follow(code, headerText(responseHeaders.location), url, hops++);
            send(next);
          } catch (error) {
            reject(asGatewayError(error, 'a redirect was not followed'));
          }
        },
        onResponseData: () => undefined,
        onResponseEnd: () => undefined,
        onRequestStart: () => undefined,
        onResponseError: (_controller, error: Error) => {
          if (status === 0) reject(broken(error, false, fail));
        },
      };
      origin.dispatch(method, url, headers, body, handler);
    };
    send(request.url);
  });
}
