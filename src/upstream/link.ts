import { asGatewayError, type GatewayError } from '../domain/index.ts';
import { createBackoff } from './backoff.ts';
import type { ChannelCall } from './channel.ts';
import { connectionOf } from './connection-of.ts';
import type { CallHandle, CallSink, UpstreamConnection } from './connection.ts';
import type { Fail } from './failures.ts';
import type { Limiter } from './limiter.ts';
import type { NegotiationMode } from './negotiate.ts';
import { openConnection, type Opened } from './open-connection.ts';
import { createResender } from './resend.ts';
import type { UpstreamDeps } from './upstream-deps.ts';
import type { UpstreamState } from './upstream.ts';
import type { Frame } from '../wire/index.ts';

export interface LinkDeps {
  readonly deps: UpstreamDeps;
  readonly fail: Fail;
  readonly limiter: Limiter;
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** The era to try, from what earlier connections found. */
  readonly mode: () => NegotiationMode;
  readonly opened: (live: Live) => void;
  /** The attempt failed, or the open connection ended. */
  readonly lost: (error: GatewayError, live: Live | undefined) => void;
  readonly notification: (live: Live, frame: Frame) => void;
  readonly request: (live: Live, frame: Frame) => void;
  readonly track: (ending: Promise<void>) => void;
}

/** An open connection with the channel beneath it. */
export interface Live extends Opened {
  readonly connection: UpstreamConnection;
}

/** One connection slot of a server: opens on demand, waits after failures, opens again. */
export interface Link {
  readonly live: Live | undefined;
  readonly state: UpstreamState;
  readonly lastError: GatewayError | undefined;
  readonly retryInMs: number | undefined;
  readonly restarts: number;
  connect(isDemanded: boolean): Promise<Live>;
  /** Tries again by itself when the backoff is over. */
  scheduleRetry(): void;
  /** Ends the connection without ending the slot. */
  rest(): Promise<void>;
  close(): Promise<void>;
}

export function createLink(link: LinkDeps): Link {
  return new Slot(link);
}

class Slot implements Link {
  readonly #link: LinkDeps;
  readonly #backoff: ReturnType<typeof createBackoff>;
  #live: Live | undefined;
  #opening: Promise<Live> | undefined;
  #lastError: GatewayError | undefined;
  #retryAtMs: number | undefined;
  #cancelRetry: (() => void) | undefined;
  #cancelStable: (() => void) | undefined;
  #abort: ((error: GatewayError) => void) | undefined;
  #restarts = 0;
  #hasOpened = false;
  #isClosed = false;

  constructor(link: LinkDeps) {
    this.#link = link;
    this.#backoff = createBackoff(link.deps.server.restart, link.deps.random);
  }

  get live(): Live | undefined {
    return this.#live;
  }

  get state(): UpstreamState {
    if (this.#isClosed) return 'closed';
    if (this.#live !== undefined) return 'ready';
    if (this.#opening !== undefined) return 'connecting';
    return this.#retryAtMs === undefined ? 'idle' : 'backoff';
  }

  get lastError(): GatewayError | undefined {
    return this.#lastError;
  }

  get retryInMs(): number | undefined {
    if (this.#retryAtMs === undefined) return undefined;
    return Math.max(0, Math.round(this.#retryAtMs - this.#link.deps.clock.now()));
  }

  get restarts(): number {
    return this.#restarts;
  }

  connect(isDemanded: boolean): Promise<Live> {
    if (this.#isClosed) return Promise.reject(this.#closing());
    if (this.#live !== undefined) return Promise.resolve(this.#live);
    if (this.#opening !== undefined) return this.#opening;
    const isWaiting = this.#retryAtMs !== undefined && this.#link.deps.clock.now() < this.#retryAtMs;
    if (isWaiting && !isDemanded && this.#lastError !== undefined) return Promise.reject(this.#lastError);
    this.#opening = this.#open();
    return this.#opening;
  }

  async #open(): Promise<Live> {
    this.#cancelRetry?.();
    this.#cancelRetry = undefined;
    let live: Live | undefined;
    let early: GatewayError | undefined;
    try {
      const opened = await openConnection({
        deps: this.#link.deps,
        fail: this.#link.fail,
        mode: this.#link.mode(),
        capabilities: this.#link.capabilities,
        ended: (call) => {
          if (call.call.isOwn !== true) this.#link.limiter.leave();
        },
        resend: (call, sink) => this.#resend(call, sink),
        track: this.#link.track,
        abortable: (abort) => {
          this.#abort = abort;
        },
        events: {
          notification: (frame) => {
            if (live !== undefined) this.#link.notification(live, frame);
          },
          request: (frame) => {
            if (live !== undefined) this.#link.request(live, frame);
          },
          closed: (error) => {
            early = error;
            if (live !== undefined) this.#ended(live, error);
          },
        },
      });
      // Between the end of the handshake and this turn the peer may have gone again.
      if (!opened.channel.isOpen)
        throw early ?? this.#link.fail('UPSTREAM_CLOSED', 'ended after the handshake');
      live = this.#opened(opened);
      return live;
    } catch (thrown) {
      const error = asGatewayError(thrown, `server "${this.#link.deps.server.id}" could not be opened`);
      this.#opening = undefined;
      if (!this.#isClosed) {
        this.#failed(error);
        this.#link.lost(error, undefined);
      }
      throw error;
    }
  }

  #opened(opened: Opened): Live {
    const { deps, fail, limiter } = this.#link;
    if (this.#isClosed) {
      this.#link.track(opened.channel.close());
      throw this.#closing();
    }
    const undelivered = (error: unknown): void =>
      deps.logger.debug({ err: error }, 'a message was not delivered');
    const connection = connectionOf(opened.channel, opened.identity, limiter, fail, undelivered);
    const live: Live = { ...opened, connection };
    this.#live = live;
    this.#opening = undefined;
    this.#lastError = undefined;
    this.#retryAtMs = undefined;
    if (this.#hasOpened) this.#restarts++;
    this.#hasOpened = true;
    this.#cancelStable = deps.clock.after(deps.server.restart.stableMs, () => this.#backoff.reset());
    this.#link.opened(live);
    return live;
  }

  #ended(live: Live, error: GatewayError): void {
    if (this.#live !== live) return;
    this.#live = undefined;
    this.#cancelStable?.();
    // What the channel still holds, such as a process that only closed its output, ends as well.
    this.#link.track(live.channel.close());
    if (this.#isClosed) return;
    this.#failed(error);
    this.#link.lost(error, live);
  }

  #failed(error: GatewayError): void {
    this.#lastError = error;
    this.#retryAtMs = this.#link.deps.clock.now() + this.#backoff.next();
  }

  scheduleRetry(): void {
    if (this.#isClosed || this.#cancelRetry !== undefined || this.#retryAtMs === undefined) return;
    this.#cancelRetry = this.#link.deps.clock.after(this.retryInMs ?? 0, () => {
      this.#cancelRetry = undefined;
      // A failure is reported through `lost`.
      this.connect(true).catch(() => undefined);
    });
  }

  #resend(call: ChannelCall, sink: CallSink): CallHandle {
    const before = this.#live?.identity;
    return createResender({
      call,
      sink,
      connect: () => this.connect(true),
      isSameRevision: ({ identity }) =>
        before === undefined || identity.protocolVersion === before.protocolVersion,
      fail: this.#link.fail,
    });
  }

  #closing(): GatewayError {
    return this.#link.fail('UPSTREAM_CLOSED', 'is being shut down');
  }

  async rest(): Promise<void> {
    const live = this.#live;
    this.#live = undefined;
    this.#cancelStable?.();
    await live?.channel.close();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelRetry?.();
    this.#cancelStable?.();
    const live = this.#live;
    this.#live = undefined;
    if (this.#opening !== undefined) this.#abort?.(this.#closing());
    await live?.channel.close();
    await this.#opening?.catch(() => undefined);
  }
}
