import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { type Accounts, openAccounts } from './accounting/index.ts';
import { createCatalog, type Catalog, type CatalogEntry } from './catalog/index.ts';
import type { GatewayConfig } from './config/index.ts';
import { ANONYMOUS, type Clock, type Principal, type ServerId } from './domain/index.ts';
import {
  createHttpEndpoint,
  createHttpServer,
  createLegacyHttp,
  createListenStreams,
  createMethods,
  createPerimeter,
  createSessionStore,
  createStdioEndpoint,
  createWaitingRegister,
  type GatewayStatus,
  type HostMessage,
  type HttpServer,
  type LegacySession,
  type ListenStreams,
  type Methods,
  type OutcomeListener,
  type StdioEndpoint,
} from './downstream/index.ts';
import {
  createLists,
  createMetaTools,
  createOfferings,
  createSearcher,
  type MetaTools,
  type Offerings,
  type Searcher,
} from './exposure/index.ts';
import { createPolicy, type Policy } from './policy/index.ts';
import {
  createHub,
  createLogLevels,
  createRouter,
  type Host,
  type Hub,
  ownKey,
  type RoutedUpstream,
} from './routing/index.ts';
import { requestObserver } from './request-observer.ts';
import { createMetrics, createTokenMetrics, type Logger } from './telemetry/index.ts';
import { createUpstream, createUpstreamRuntime, type UpstreamConnection } from './upstream/index.ts';

/** How long a first answer waits for servers that have not listed: well below the timeout of any host. */
const SETTLE_MS = 5_000;
/** Unknown names make their possible owners list again, but not more often than this. */
const REFRESH_AGE_MS = 5_000;
/**
 * Requests that are being served may finish for this long once the gateway stops. A server that ignores every
 * request to end takes another three and a half seconds, and hosts wait no more than five.
 */
const DRAIN_MS = 750;
const DRAIN_POLL_MS = 10;
/** What is still open this long after the stop began is cut. */
const CUT_MS = 1_500;

export interface GatewayDeps {
  readonly config: GatewayConfig;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly version: string;
  /** Hides the configuration's secrets in text that a server wrote. */
  readonly redact: (text: string) => string;
}

export interface StdioOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly profile: string;
  readonly onClosed: () => void;
}

/** The whole gateway, composed but not started: nothing runs until one of its methods is called. */
export interface Gateway {
  readonly catalog: Catalog;
  readonly policy: Policy;
  readonly methods: Methods;
  readonly offerings: Offerings;
  readonly metaTools: MetaTools;
  /** Starts the HTTP endpoint; resolves with its URL once it answers. */
  listen(): Promise<string>;
  serveStdio(options: StdioOptions): void;
  /** Starts every server in the background, so that the first list finds them ready. */
  warmUp(): void;
  /** Resolves when every server has answered or failed, or after a bounded wait. */
  settled(): Promise<void>;
  status(): GatewayStatus;
  /** Ends everything in reverse order of its start; resolves when nothing is left. */
  close(): Promise<void>;
}

export function createGateway(deps: GatewayDeps): Gateway {
  const { config, clock } = deps;
  const policy = createPolicy(config);
  const { accounts, onEnd, metrics } = composeAccounts(deps);
  const composed = composeUpstreams(deps, policy, accounts);
  const { catalog, hub, upstreams, offerings } = composed;
  const listenStreams = createListenStreams();
  const { methods, metaTools } = composeMethods(deps, policy, composed, listenStreams);
  const release = (owner: string): void => upstreams.forEach(({ upstream }) => upstream.release(owner));
  const { maxSessions, sessionIdleMs: idleMs } = config.limits;
  const sessions = createSessionStore({ clock, hub, maxSessions, idleMs, onEnd: release });
  const waiting = createWaitingRegister();
  const served = { methods, clock, onEnd, forward: forwarder(upstreams) };
  const status = (): GatewayStatus => gatewayStatus(catalog, upstreams);
  let http: HttpServer | undefined;
  let stdio: StdioEndpoint | undefined;
  let isStopping = false;

  return {
    ...{ catalog, policy, methods, offerings, metaTools, status },
    listen: async () => {
      const { listen, limits } = config;
      const perimeter = createPerimeter(listen);
      const endpoint = createHttpEndpoint({
        ...served,
        perimeter,
        waiting,
        legacy: createLegacyHttp({ ...served, sessions, waiting }),
        hasProfile: policy.hasProfile,
        maxBodyBytes: limits.requestBodyBytes,
        isStopping: () => isStopping,
      });
      const pages = { status, metrics, report: accounts.report, sweep: () => sessions.sweep() };
      http = createHttpServer({ listen, endpoint, perimeter, waiting, ...pages }, clock.now);
      return urlOf(listen, await http.listen());
    },
    serveStdio: (options) => {
      const own = { hub, maxLineBytes: config.limits.requestBodyBytes, onSessionEnd: release };
      stdio = createStdioEndpoint({ ...options, ...served, ...own, principal: principalOf(options) });
    },
    warmUp: () => {
      offerings.start();
      void catalog.settled(SETTLE_MS);
    },
    settled: () => catalog.settled(SETTLE_MS),
    close: async () => {
      isStopping = true;
      listenStreams.endAll();
      offerings.close();
      const drained = drain(clock, () => waiting.isEmpty && stdio?.isBusy() !== true);
      const ended = drained.then(async () => {
        stdio?.close();
        sessions.close();
        await Promise.all([...upstreams.values()].map(({ upstream }) => upstream.close()));
      });
      // Every host has its answer by then; writing the rest down need not wait for slow servers.
      const recorded = Promise.all([http?.close(CUT_MS), drained]).then(() => accounts.close());
      await Promise.all([ended, recorded]);
    },
  };
}

/** Whoever started the process is the one who asks. */
const principalOf = ({ profile }: StdioOptions): Principal => ({ id: ANONYMOUS, profile });

interface ComposedAccounts {
  readonly accounts: Accounts;
  readonly onEnd: OutcomeListener;
  /** All metrics, as the text that Prometheus reads. */
  readonly metrics: () => string;
}

/** What is counted and recorded, and what is told of it. */
function composeAccounts({ config, clock, logger }: GatewayDeps): ComposedAccounts {
  const { tokenizer, ledger } = config.accounting;
  const metrics = createMetrics();
  const tokenMetrics = createTokenMetrics({ tokenizer, countsSearchAnswers: ledger.enabled });
  const onSearchAnswer = tokenMetrics.searchAnswer;
  const accounts = openAccounts({ config, clock, epochNow: Date.now, logger, onSearchAnswer });
  const observed = { logger, metrics, tokenMetrics, ledger: accounts.ledger, epochNow: Date.now };
  return {
    accounts,
    onEnd: requestObserver(observed),
    metrics: () => metrics.render() + tokenMetrics.render(),
  };
}

/** Waits until nothing is being served, within bounds. */
async function drain(clock: Clock, isIdle: () => boolean): Promise<void> {
  const until = clock.now() + DRAIN_MS;
  while (!isIdle() && clock.now() < until) await delay(DRAIN_POLL_MS);
}

interface Composed {
  readonly catalog: Catalog;
  readonly hub: Hub;
  readonly upstreams: ReadonlyMap<ServerId, RoutedUpstream>;
  readonly accounts: Accounts;
  readonly offerings: Offerings;
  readonly searcher: Searcher;
  readonly serverName: (entry: CatalogEntry) => string;
}

/** Upstreams speak to the catalog and the hub, which are made of upstreams: the knot is tied here alone. */
function composeUpstreams(deps: GatewayDeps, policy: Policy, accounts: Accounts): Composed {
  const { config, clock, logger } = deps;
  const upstreams = new Map<ServerId, RoutedUpstream>();
  const enabled = config.servers.filter((server) => server.enabled);
  const runtime = createUpstreamRuntime(clock);
  for (const server of enabled) {
    const upstream = createUpstream({
      server,
      messageBytes: config.limits.messageBytes,
      runtime,
      redact: deps.redact,
      logger: logger.child({ server: server.id }),
      clock,
      clientInfo: { name: 'tollgate', version: deps.version },
      gatewayEnv: deps.env,
      events: {
        connected: (id) => catalog.connected(id),
        disconnected: (id, error) => catalog.markTrouble(id, error),
        listChanged: (id, kinds) => void catalog.refresh(id, kinds),
        resourceUpdated: (id, uri) => hub.resourceUpdated(id, uri),
        notification: (_connection, frame, owner) => hub.notification(server.id, frame, owner),
        request: (connection, frame, owner) => hub.question(server.id, { connection, frame, owner }),
        closed: () => undefined,
      },
    });
    upstreams.set(server.id, {
      upstream,
      idleMs: server.timeouts.callIdleMs,
      maxMs: server.timeouts.callMaxMs,
    });
  }
  const catalog: Catalog = createCatalog({
    servers: enabled.flatMap((server) => {
      const routed = upstreams.get(server.id);
      return routed === undefined
        ? []
        : [{ id: server.id, namespace: server.namespace, upstream: routed.upstream }];
    }),
    nameMaxLength: config.names.maxLength,
    clock,
    logger,
  });
  const serverName = serverNames(config);
  const searcher = createSearcher({ policy, serverName });
  const { prepare } = searcher;
  const { counter } = accounts;
  const offerings = createOfferings({ catalog, policy, config, counter, serverName, prepare, clock, logger });
  const hub: Hub = createHub({ catalog, policy, upstreams, laterTools: offerings });
  return { catalog, hub, upstreams, accounts, offerings, searcher, serverName };
}

/** The name under which a search answers for a server: its namespace, or its id where it has none. */
function serverNames({ servers }: GatewayConfig): (entry: CatalogEntry) => string {
  const names = new Map(servers.map(({ id, namespace }) => [id, namespace === '' ? id : namespace]));
  return ({ server }) => names.get(server) ?? server;
}

/** Everything that a request can ask for, over the upstreams and what is known of them. */
function composeMethods(
  deps: GatewayDeps,
  policy: Policy,
  composed: Composed,
  listenStreams: ListenStreams,
): { readonly methods: Methods; readonly metaTools: MetaTools } {
  const { catalog, hub, upstreams, offerings, accounts, searcher, serverName } = composed;
  const { accounting, limits } = deps.config;
  const serverInfo = { name: 'tollgate', title: 'Tollgate', version: deps.version };
  const serverInfoText = JSON.stringify(serverInfo);
  const logLevels = createLogLevels();
  const router = createRouter({
    catalog,
    policy,
    upstreams,
    logLevels,
    refreshAgeMs: REFRESH_AGE_MS,
    keepsResults: accounting.countResults,
  });
  const instructions = { policy, maxBytes: limits.instructionsBytes };
  const metaTools = createMetaTools({
    catalog,
    policy,
    router,
    offerings,
    searcher,
    counter: accounts.counter,
    instructions,
    serverName,
    serverInfoText,
    settleMs: SETTLE_MS,
  });
  const methods = createMethods({
    catalog,
    policy,
    hub,
    lists: createLists({ policy, serverInfoText, tokenizer: accounting.tokenizer }),
    offerings,
    metaTools,
    router,
    instructions,
    serverInfo,
    listenStreams,
    settleMs: SETTLE_MS,
    applyLogLevel: async (host) => {
      const open = openConnections(upstreams, host);
      await Promise.all(open.map((connection) => logLevels.settle(connection, host)));
    },
  });
  return { methods, metaTools };
}

/** Passes on that a host's roots changed, to the handshake servers that ask it for them. */
function forwarder(
  upstreams: ReadonlyMap<ServerId, RoutedUpstream>,
): (session: LegacySession, message: HostMessage) => void {
  return (session, message) => {
    const host = session.host();
    // A host that never said it has roots speaks for nobody on a connection that others share.
    if (host.capabilities['roots'] === undefined) return;
    for (const connection of openConnections(upstreams, host)) {
      if (connection.era === 'legacy') connection.notify(message.frame.bytes);
    }
  };
}

/** The connections that carry this host's calls, as far as they are open. */
const openConnections = (
  upstreams: ReadonlyMap<ServerId, RoutedUpstream>,
  host: Host,
): UpstreamConnection[] =>
  [...upstreams.values()].flatMap(({ upstream }) => upstream.current(ownKey(host, upstream)) ?? []);

function gatewayStatus(catalog: Catalog, upstreams: ReadonlyMap<ServerId, RoutedUpstream>): GatewayStatus {
  const snapshot = catalog.current();
  const servers = snapshot.servers.map((view) => {
    const status = upstreams.get(view.id)?.upstream.status();
    return {
      server: view.id,
      state: status?.state,
      transport: status?.transport,
      era: status?.identity?.era,
      protocolVersion: status?.identity?.protocolVersion,
      isListed: view.isListed,
      trouble: view.trouble,
      withheld: snapshot.diagnostics.filter((item) => item.server === view.id),
    };
  });
  const isSettled = snapshot.servers.every((view) => view.isListed || view.trouble !== undefined);
  const isUsable = snapshot.servers.length === 0 || snapshot.servers.some((view) => view.isListed);
  return { isReady: isSettled && isUsable, servers };
}

const urlOf = ({ host, path }: GatewayConfig['listen'], { port }: { readonly port: number }): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}${path}`;
