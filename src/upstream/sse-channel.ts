import type { GatewayError } from '../domain/index.ts';
import { notificationFrame, type SseEvent } from '../wire/index.ts';
import type { Channel, ChannelCall, ChannelEvents, UpstreamLogger } from './channel.ts';
import type { CallSink } from './connection.ts';
import type { Deadlines } from './deadlines.ts';
import { type EventStream, type EventStreamEnd, openEventStream } from './event-stream.ts';
import type { Fail } from './failures.ts';
import { framesOrJunk } from './frames-of.ts';
import type { HttpOrigin } from './http-origin.ts';
import { simpleRequest } from './http-post.ts';
import { broken, rejected } from './http-rejection.ts';
import { createInFlight, type InFlight } from './in-flight.ts';
import { PendingCall } from './pending-call.ts';
import { createSteadyWarning } from './steady-warning.ts';

export interface SseChannelDeps {
  readonly origin: HttpOrigin;
  readonly deadlines: Deadlines;
  readonly fail: Fail;
  readonly logger: UpstreamLogger;
  readonly events: ChannelEvents;
  readonly ended: (call: PendingCall) => void;
  readonly messageBytes: number;
}

type Post = (frame: Buffer) => Promise<void>;

/**
 * HTTP+SSE of 2024-11-05: one GET stream for everything that arrives, POSTs to the address that it names.
 * Resolves when the address is known.
 * https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
 */
export function openSseChannel(deps: SseChannelDeps): Promise<Channel> {
  return new Promise((resolve, reject) => {
    const warn = createSteadyWarning(deps.deadlines, deps.logger);
    let endpoint: URL | undefined;
    let failure: GatewayError | undefined;
    const post: Post = (frame) => postTo(deps, endpoint ?? deps.origin.url, frame);
    const table = createInFlight({
      deadlines: deps.deadlines,
      fail: deps.fail,
      events: deps.events,
      reply: (frame) => quietly(post(frame), deps.logger),
      ended: deps.ended,
      stray: warn,
      outdated: (error) => closeWith(error),
    });
    const closeWith = (error: GatewayError): void => {
      if (failure !== undefined) return;
      failure = error;
      stream.close();
      table.failAll(error);
      if (endpoint === undefined) reject(error);
      else deps.events.closed(error);
    };
    const channel = channelOf(deps, table, post, { closeWith, failure: () => failure });
    const onEvent = (event: SseEvent): void => {
      if (event.event === 'endpoint') {
        endpoint = resolveEndpoint(event.data, deps, closeWith);
        if (endpoint !== undefined) resolve(channel);
      } else if (event.data !== '' && (event.event === undefined || event.event === 'message')) {
        for (const frame of framesOrJunk(Buffer.from(event.data), warn)) table.receive(frame);
      }
    };
    const stream: EventStream = openEventStream({
      origin: deps.origin,
      url: deps.origin.url,
      headers: [],
      maxEventBytes: deps.messageBytes,
      onOpen: () => undefined,
      onEvent,
      onRetry: () => undefined,
      onClose: (end) => closeWith(streamFailure(end, deps.fail)),
    });
  });
}

/** An address on another origin would be sent the server's credentials, so it is refused. */
function resolveEndpoint(
  text: string,
  deps: SseChannelDeps,
  closeWith: (error: GatewayError) => void,
): URL | undefined {
  let url: URL;
  try {
    url = new URL(text.trim(), deps.origin.url);
  } catch (error) {
    closeWith(deps.fail('UPSTREAM_MALFORMED', 'named an endpoint that is no URL', { cause: error }));
    return undefined;
  }
  if (url.origin === deps.origin.url.origin) return url;
  closeWith(
    deps.fail('UPSTREAM_REFUSED', `names an endpoint on another origin (${url.origin}), which is not used`),
  );
  return undefined;
}

function streamFailure({ status, error }: EventStreamEnd, fail: Fail): GatewayError {
  if (status !== undefined) {
    return rejected({ status, contentType: '', retryAfter: undefined, body: Buffer.alloc(0) }, fail);
  }
  return error === undefined ? fail('UPSTREAM_CLOSED', 'ended its event stream') : broken(error, false, fail);
}

async function postTo(deps: SseChannelDeps, url: URL, body: Buffer): Promise<void> {
  const { origin, fail, deadlines } = deps;
  const headers = ['content-type', 'application/json', 'accept-encoding', 'identity', ...origin.headers];
  const status = await simpleRequest({ origin, method: 'POST', url, headers, body, fail, deadlines });
  if (status >= 300) {
    throw rejected({ status, contentType: '', retryAfter: undefined, body: Buffer.alloc(0) }, fail);
  }
}

function quietly(delivery: Promise<void>, logger: UpstreamLogger): void {
  delivery.catch((error: unknown) => logger.debug({ err: error }, 'a message was not delivered'));
}

interface ChannelState {
  readonly closeWith: (error: GatewayError) => void;
  readonly failure: () => GatewayError | undefined;
}

function channelOf(deps: SseChannelDeps, table: InFlight, post: Post, state: ChannelState): Channel {
  const tell = (frame: Buffer): void => quietly(post(frame), deps.logger);
  return {
    pid: undefined,
    get isOpen() {
      return state.failure() === undefined;
    },
    call: (call, sink) => {
      const pending = new SseCall(table, call, sink, tell);
      const failure = state.failure();
      const delivery = failure === undefined ? post(pending.bytes()) : Promise.reject(failure);
      delivery.catch((error: unknown) => pending.failWith(error as GatewayError));
      return pending;
    },
    deliver: post,
    agreed: () => undefined,
    established: () => undefined,
    close: async () => {
      state.closeWith(deps.fail('UPSTREAM_CLOSED', 'was disconnected'));
      await deps.origin.close();
    },
  };
}

class SseCall extends PendingCall {
  readonly #tell: (frame: Buffer) => void;

  constructor(table: InFlight, call: ChannelCall, sink: CallSink, tell: (frame: Buffer) => void) {
    super(table, call, sink, table.nextId());
    this.#tell = tell;
  }

  bytes(): Buffer {
    return this.requestBytes();
  }

  /** Answers are handed over whole here, so there is never anything to go on with. */
  resume(): void {}

  protected override abandon(reason: string): void {
    if (this.call.method === 'initialize') return;
    const params = `{"requestId":${this.wireId},"reason":${JSON.stringify(reason)}}`;
    this.#tell(Buffer.from(notificationFrame('notifications/cancelled', params)));
  }
}
