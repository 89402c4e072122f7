import {
  type Clock,
  DEFINITION_KINDS,
  type DefinitionKind,
  type Era,
  type GatewayError,
  MODERN_VERSIONS,
  nativeUri,
} from '../domain/index.ts';
import { childMembers, type Frame, stringAt } from '../wire/index.ts';
import type { ConnectionKey, UpstreamConnection } from './connection.ts';
import { createDeadlines } from './deadlines.ts';
import { failuresOf } from './failures.ts';
import { createLimiter } from './limiter.ts';
import { createLink, type Link, type Live } from './link.ts';
import { walkLists } from './lists.ts';
import { createReaper } from './process-group.ts';
import { createSubscriptions } from './subscriptions.ts';
import type { UpstreamDeps, UpstreamRuntime } from './upstream-deps.ts';
import type { Upstream, UpstreamStatus } from './upstream.ts';

/** Calls that may wait for a place, for each that may run. */
const WAITING_PER_PLACE = 16;
/** An old-era verdict is checked again after this long: a server that was upgraded still answers the old handshake. */
const LEGACY_VERDICT_MS = 3_600_000;
/** What the gateway can answer on behalf of a caller when a process of its own serves everybody. */
const SHARED_PROCESS_CAPABILITIES = { sampling: {}, elicitation: { form: {} }, roots: { listChanged: true } };

/** The shared parts for all upstreams of one gateway. */
export const createUpstreamRuntime = (clock: Clock): UpstreamRuntime => ({
  deadlines: createDeadlines(clock),
  reaper: createReaper(),
});

/** One configured server. Nothing is started or connected before it is asked for. */
export function createUpstream(deps: UpstreamDeps): Upstream {
  return new ServerUpstream(deps);
}

const LIST_CHANGES: ReadonlyMap<string, readonly DefinitionKind[]> = new Map([
  ['notifications/tools/list_changed', ['tool']],
  ['notifications/prompts/list_changed', ['prompt']],
  ['notifications/resources/list_changed', ['resource', 'template']],
]);

class ServerUpstream implements Upstream {
  readonly id: Upstream['id'];
  readonly #deps: UpstreamDeps;
  readonly #fail: ReturnType<typeof failuresOf>;
  readonly #limiter: ReturnType<typeof createLimiter>;
  readonly #shared: Link;
  readonly #owned = new Map<string, Link>();
  readonly #endings = new Set<Promise<void>>();
  readonly #subscriptions: ReturnType<typeof createSubscriptions>;
  #verdict: { readonly era: Era; readonly atMs: number } | undefined;
  #cancelIdle: (() => void) | undefined;
  #isClosed = false;

  constructor(deps: UpstreamDeps) {
    const { server, clock, logger } = deps;
    this.id = server.id;
    this.#deps = deps;
    this.#fail = failuresOf(server.id);
    this.#limiter = createLimiter(server.maxConcurrency, server.maxConcurrency * WAITING_PER_PLACE);
    this.#shared = this.#createLink(this.#isProcess ? SHARED_PROCESS_CAPABILITIES : {}, undefined);
    this.#subscriptions = createSubscriptions({
      clock,
      logger,
      fail: this.#fail,
      restart: server.restart,
      meta: this.#meta('modern') ?? {},
      requestMs: server.timeouts.listMs,
      connect: () => this.#shared.connect(true),
      notification: (live, frame) => this.#notification(live, frame, undefined),
      gap: () => this.#deps.events.listChanged(this.id, DEFINITION_KINDS),
    });
  }

  get #isProcess(): boolean {
    return this.#deps.server.transport.kind === 'stdio';
  }

  /** Whether callers of their own have connections of their own: processes by configuration, else old sessions. */
  #isOwned(live: Live | undefined): boolean {
    if (this.#isProcess) return this.#deps.server.isolation !== 'shared';
    return live?.identity.era === 'legacy';
  }

  current(key?: ConnectionKey): UpstreamConnection | undefined {
    const shared = this.#shared.live;
    if (key === undefined) return shared?.connection;
    const owned = this.#owned.get(key.owner)?.live;
    return owned === undefined && !this.#isOwned(shared) ? shared?.connection : owned?.connection;
  }

  async connect(
    options: { readonly key?: ConnectionKey; readonly isDemanded?: boolean } = {},
  ): Promise<UpstreamConnection> {
    const { key, isDemanded = false } = options;
    // Whether an HTTP server keeps sessions is known once its era is.
    if (key === undefined || !this.#isProcess) {
      const live = await this.#shared.connect(isDemanded);
      if (key === undefined || !this.#isOwned(live)) return live.connection;
    } else if (!this.#isOwned(undefined)) {
      return (await this.#shared.connect(isDemanded)).connection;
    }
    const owned = this.#owned.get(key.owner) ?? this.#createLink(key.capabilities, key.owner);
    this.#owned.set(key.owner, owned);
    return (await owned.connect(isDemanded)).connection;
  }

  async list(kinds: readonly DefinitionKind[] = DEFINITION_KINDS): ReturnType<Upstream['list']> {
    const { channel, identity } = this.#shared.live ?? (await this.#shared.connect(false));
    const { server, clock } = this.#deps;
    const { listMs } = server.timeouts;
    return walkLists(
      { server: this.id, channel, identity, meta: this.#meta(identity.era), listMs, clock },
      kinds,
    );
  }

  watch(uri: Parameters<Upstream['watch']>[0]): ReturnType<Upstream['watch']> {
    return this.#subscriptions.watch(uri);
  }

  release(owner: string): void {
    const link = this.#owned.get(owner);
    this.#owned.delete(owner);
    if (link !== undefined) this.#track(link.close());
  }

  status(): UpstreamStatus {
    const { state, live, lastError, retryInMs, restarts } = this.#shared;
    const { transport } = this.#deps.server;
    return {
      state,
      transport: live?.transport ?? (transport.kind === 'auto' ? 'http' : transport.kind),
      identity: live?.identity,
      pid: live?.channel.pid,
      lastError: lastError?.message,
      retryInMs,
      restarts,
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelIdle?.();
    this.#subscriptions.closed();
    await Promise.all([this.#shared, ...this.#owned.values()].map((link) => link.close()));
    await Promise.all(this.#endings);
  }

  #createLink(capabilities: Readonly<Record<string, unknown>>, owner: string | undefined): Link {
    const link: Link = createLink({
      deps: this.#deps,
      fail: this.#fail,
      limiter: this.#limiter,
      capabilities,
      mode: () => this.#mode(),
      opened: (live) => this.#opened(live, owner),
      lost: (error, live) => this.#lost(error, live, owner),
      notification: (live, frame) => this.#notification(live, frame, owner),
      request: (live, frame) => this.#deps.events.request(live.connection, frame, owner),
      track: (ending) => this.#track(ending),
    });
    return link;
  }

  #track(ending: Promise<void>): void {
    const settled = ending.then(
      () => undefined,
      (error: unknown) => this.#deps.logger.warn({ err: error }, 'something of a server could not be ended'),
    );
    this.#endings.add(settled);
    void settled.then(() => this.#endings.delete(settled));
  }

  #mode(): 'auto' | Era {
    const { era } = this.#deps.server;
    if (era !== 'auto' || this.#verdict === undefined) return era;
    // Over HTTP a modern verdict saves nothing: the probe is the handshake, and it corrects itself.
    if (this.#verdict.era === 'modern') return this.#isProcess ? 'modern' : 'auto';
    const ageMs = this.#deps.clock.now() - this.#verdict.atMs;
    return ageMs > LEGACY_VERDICT_MS ? 'auto' : 'legacy';
  }

  /** `_meta` of the gateway's own requests. */
  #meta(era: Era): Readonly<Record<string, unknown>> | undefined {
    if (era === 'legacy') return undefined;
    return {
      'io.modelcontextprotocol/protocolVersion': MODERN_VERSIONS[0],
      'io.modelcontextprotocol/clientInfo': this.#deps.clientInfo,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
  }

  #opened(live: Live, owner: string | undefined): void {
    const { protocolVersion, era } = live.identity;
    if (this.#mode() === 'auto' || this.#verdict?.era !== era)
      this.#verdict = { era, atMs: this.#deps.clock.now() };
    this.#deps.logger.info(
      { protocolVersion, transport: live.transport, pid: live.channel.pid },
      'server is connected',
    );
    if (owner !== undefined) return;
    this.#subscriptions.opened(live);
    this.#watchIdleness();
    this.#deps.events.connected(this.id);
  }

  #lost(error: GatewayError, live: Live | undefined, owner: string | undefined): void {
    // What was known of the era may be the very reason for the failure.
    if (live === undefined || error.code === 'UPSTREAM_UNSUPPORTED') this.#verdict = undefined;
    this.#deps.logger.warn(
      { err: error },
      live === undefined ? 'server could not be opened' : 'server was lost',
    );
    if (live !== undefined) this.#deps.events.closed(live.connection, error);
    if (owner !== undefined) return;
    this.#subscriptions.closed();
    this.#cancelIdle?.();
    this.#deps.events.disconnected(this.id, error);
    this.#shared.scheduleRetry();
  }

  #notification(live: Live, frame: Frame, owner: string | undefined): void {
    const kinds = LIST_CHANGES.get(frame.method ?? '');
    if (kinds !== undefined) {
      // The shared connection hears the same; one report is enough.
      if (owner === undefined) this.#deps.events.listChanged(this.id, kinds);
    } else if (owner === undefined && frame.method === 'notifications/resources/updated') {
      const uri = stringAt(frame.bytes, childMembers(frame.bytes, frame.members.get('params'))?.get('uri'));
      if (uri !== undefined) this.#deps.events.resourceUpdated(this.id, nativeUri(uri));
    } else this.#deps.events.notification(live.connection, frame, owner);
  }

  /** A process that nobody used for the configured time is stopped; the next call starts it again. */
  #watchIdleness(): void {
    const { server, clock } = this.#deps;
    const { idleStopMs } = server;
    if (idleStopMs === 0 || !this.#isProcess || this.#isClosed) return;
    const seen = this.#limiter.entered;
    this.#cancelIdle?.();
    this.#cancelIdle = clock.after(idleStopMs, () => {
      const isIdle =
        this.#limiter.active === 0 && this.#limiter.entered === seen && this.#subscriptions.size === 0;
      if (!isIdle) return this.#watchIdleness();
      this.#deps.logger.info({}, 'server is idle and is stopped');
      this.#subscriptions.closed();
      this.#track(this.#shared.rest());
    });
  }
}
