/**
 * The measure: a reverse proxy of node:http and an undici pool that looks at nothing. What a gateway costs beyond it
 * is the price of being a gateway.
 */
import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Dispatcher, Pool } from 'undici';
import { serve, setting } from './program.ts';

const pool = new Pool(setting('UPSTREAM_ORIGIN'), { connections: 64, pipelining: 1 });
/** Headers that describe one hop and are not passed on (RFC 9110, section 7.6.1). */
const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'te', 'trailer']);

function endToEnd(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !hopByHop.has(name)) kept[name] = value;
  }
  return kept;
}

/** Passes the answer on as it comes, and no faster than the client reads it. */
function answerTo(response: ServerResponse): Dispatcher.DispatchHandler {
  return {
    onRequestStart(controller) {
      response.once('close', () => {
        if (!response.writableFinished) controller.abort(new Error('the client went away'));
      });
    },
    onResponseStart(controller, status, headers) {
      response.on('drain', () => controller.resume());
      response.writeHead(status, endToEnd(headers));
    },
    onResponseData(controller, chunk) {
      if (!response.write(chunk)) controller.pause();
    },
    onResponseEnd() {
      response.end();
    },
    onResponseError() {
      response.destroy();
    },
  };
}

function forward(request: IncomingMessage, response: ServerResponse): void {
  pool.dispatch(
    {
      path: request.url ?? '/',
      method: request.method as Dispatcher.HttpMethod,
      headers: endToEnd(request.headers),
      body: request,
    },
    answerTo(response),
  );
}

serve(forward);
