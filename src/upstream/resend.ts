import { asGatewayError, type GatewayError } from '../domain/index.ts';
import type { ChannelCall } from './channel.ts';
import type { CallHandle, CallSink, UpstreamConnection, UpstreamIdentity } from './connection.ts';
import type { Fail } from './failures.ts';

export interface ResendOptions {
  readonly call: ChannelCall;
  readonly sink: CallSink;
  readonly connect: () => Promise<{
    readonly connection: UpstreamConnection;
    readonly identity: UpstreamIdentity;
  }>;
  /** The frame is written for one revision; a server that came back with another cannot take it. */
  readonly isSameRevision: (live: { readonly identity: UpstreamIdentity }) => boolean;
  readonly fail: Fail;
}

/** Sends a call that was certainly not delivered once more, over the connection that comes next. */
export function createResender(options: ResendOptions): CallHandle {
  let handle: CallHandle | undefined;
  let isCancelled = false;
  const fail = (error: GatewayError): void => {
    if (!isCancelled) options.sink.failure(error);
  };
  // The lost connection is reported right after this call returns; connecting waits for that.
  queueMicrotask(() => {
    options.connect().then(
      (live) => {
        if (isCancelled) return;
        if (options.isSameRevision(live)) handle = live.connection.call(options.call, options.sink);
        else fail(options.fail('UPSTREAM_SESSION_LOST', 'came back with another revision of the protocol'));
      },
      (error: unknown) => fail(asGatewayError(error, 'the session could not be opened again')),
    );
  });
  return {
    cancel: (reason) => {
      isCancelled = true;
      handle?.cancel(reason);
    },
    resume: () => handle?.resume(),
  };
}
