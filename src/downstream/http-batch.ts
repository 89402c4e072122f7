import type { Clock } from '../domain/index.ts';
import type { BatchWay } from './batch.ts';
import { type EventStream, SSE_HEADERS } from './event-stream.ts';
import { type HttpRequest, plain, write } from './http-answers.ts';
import type { Waiting, WaitingSet } from './http-exchange.ts';
import type { LegacySession } from './legacy-session.ts';

export interface HttpBatchDeps {
  readonly http: HttpRequest;
  readonly session: LegacySession;
  /** Headers of the answer, as flat name, value. */
  readonly headers: readonly string[];
  readonly clock: Clock;
  readonly waiting: WaitingSet;
}

/**
 * Answers a batch as an array, or, once one of its requests has something to say before its response, as a stream
 * of single messages.
 */
export function httpBatchWay(deps: HttpBatchDeps): BatchWay {
  const { res } = deps.http;
  const responses: Buffer[] = [];
  let stream: EventStream | undefined;

  const open = (): EventStream | undefined => {
    if (stream !== undefined || !deps.http.accepts.stream || res.destroyed) return stream;
    res.writeHead(200, [...SSE_HEADERS, ...deps.headers]);
    stream = deps.session.openStream(res);
    for (const response of responses) stream.send(response);
    return stream;
  };
  const waiting: Waiting = {
    since: deps.clock.now(),
    keepAlive: () => open()?.keepAlive(),
  };
  const seat = deps.waiting.add(waiting);
  res.on('error', () => undefined);

  return {
    notify: (frame) => open()?.notify(frame),
    question: (frame) => {
      const way = open();
      way?.send(frame);
      return way !== undefined;
    },
    respond: (frame) => {
      if (stream === undefined) responses.push(frame);
      else stream.send(frame);
    },
    done: () => {
      deps.waiting.leave(seat);
      if (!deps.http.accepts.json && responses.length > 0) open();
      if (stream !== undefined) return stream.end();
      if (responses.length === 0) return plain(res, 202, deps.headers);
      write(res, 200, `[${responses.map((response) => response.toString('utf8')).join(',')}]`, deps.headers);
    },
  };
}
