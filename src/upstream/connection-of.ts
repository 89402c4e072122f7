import type { Channel, ChannelCall } from './channel.ts';
import type {
  CallHandle,
  CallSink,
  UpstreamCall,
  UpstreamConnection,
  UpstreamIdentity,
} from './connection.ts';
import type { Fail } from './failures.ts';
import type { Limiter, Waiter } from './limiter.ts';

/** The connection as other rooms see it: the channel, what the server said of itself, and the server's limit. */
export function connectionOf(
  channel: Channel,
  identity: UpstreamIdentity,
  limiter: Limiter,
  fail: Fail,
  undelivered: (error: unknown) => void,
): UpstreamConnection {
  const deliver = (frame: Buffer): void => {
    channel.deliver(frame).catch(undelivered);
  };
  return {
    ...identity,
    get isOpen() {
      return channel.isOpen;
    },
    call: (call, sink) =>
      limiter.tryEnter() ? channel.call(call, sink) : new QueuedCall(channel, call, sink, limiter, fail),
    notify: deliver,
    reply: deliver,
  };
}

/** A call that waits for a place. Its waiting time counts against the deadline of its caller alone. */
class QueuedCall implements CallHandle, Waiter {
  readonly #channel: Channel;
  readonly #call: ChannelCall;
  readonly #sink: CallSink;
  readonly #limiter: Limiter;
  #handle: CallHandle | undefined;

  constructor(channel: Channel, call: UpstreamCall, sink: CallSink, limiter: Limiter, fail: Fail) {
    this.#channel = channel;
    this.#call = call;
    this.#sink = sink;
    this.#limiter = limiter;
    if (limiter.wait(this)) return;
    // Never from inside `call`: its caller does not hold the handle yet.
    queueMicrotask(() => sink.failure(fail('UPSTREAM_OVERLOADED', 'has too many calls waiting')));
  }

  admit(): void {
    this.#handle = this.#channel.call(this.#call, this.#sink);
  }

  cancel(reason: string): void {
    if (this.#handle === undefined) this.#limiter.forget(this);
    else this.#handle.cancel(reason);
  }

  resume(): void {
    this.#handle?.resume();
  }
}
