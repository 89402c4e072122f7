import type { Catalog } from '../catalog/index.ts';
import {
  asGatewayError,
  type DefinitionKind,
  GatewayError,
  LEGACY_VERSIONS,
  LISTS,
  MODERN_VERSIONS,
} from '../domain/index.ts';
import {
  type InstructionsDeps,
  type Lists,
  mergedCapabilities,
  mergeInstructions,
  type MetaTools,
  type Offerings,
} from '../exposure/index.ts';
import type { Policy } from '../policy/index.ts';
import type { Exchange, Host, HostRequest, Hub, Router } from '../routing/index.ts';
import { createLegacyMethods } from './legacy-methods.ts';
import type { LegacySession } from './legacy-session.ts';
import { openListenStream, type ListenStreams } from './listen.ts';
import type { Fields } from './message.ts';
import { respondWith } from './responses.ts';

export interface MethodsDeps {
  readonly catalog: Catalog;
  readonly policy: Policy;
  readonly lists: Lists;
  readonly offerings: Offerings;
  readonly metaTools: MetaTools;
  readonly router: Router;
  readonly hub: Hub;
  readonly instructions: InstructionsDeps;
  readonly serverInfo: Fields;
  readonly listenStreams: ListenStreams;
  /** How long a first answer waits for servers that have not listed yet. */
  readonly settleMs: number;
  /** Sends a session's new level to the connections that are open. */
  readonly applyLogLevel: (host: Host) => Promise<void>;
}

/** Serves one request of a host, of either era and over any transport. The exchange is always ended. */
export interface Methods {
  serve(request: HostRequest, exchange: Exchange, session: LegacySession | undefined): void;
  /** The result of `initialize`, as JSON text; waits for the servers like a first list. */
  initializeResult(host: Host): Promise<string>;
}

const LIST_KINDS: ReadonlyMap<string, DefinitionKind> = new Map(
  (Object.keys(LISTS) as DefinitionKind[]).map((kind) => [LISTS[kind].method, kind]),
);

export function createMethods(deps: MethodsDeps): Methods {
  const legacyMethods = createLegacyMethods(deps);
  const listening = {
    hub: deps.hub,
    streams: deps.listenStreams,
    serverInfoText: JSON.stringify(deps.serverInfo),
    settled: () => deps.catalog.settled(deps.settleMs),
  };

  const dispatch = (
    request: HostRequest,
    exchange: Exchange,
    session: LegacySession | undefined,
  ): Promise<void> | void => {
    if (request.method === 'tools/call' && deps.metaTools.serve(request, exchange)) return;
    if (deps.router.isRelayed(request.method)) return deps.router.relay(request, exchange);
    const kind = LIST_KINDS.get(request.method);
    if (kind !== undefined) return list(deps, kind, request, exchange);
    const isModern = request.host.era === 'modern';
    if (isModern && request.method === 'server/discover') return discover(deps, request, exchange);
    if (isModern && request.method === 'subscriptions/listen')
      return openListenStream(listening, request, exchange);
    const handler = session === undefined ? undefined : legacyMethods.get(request.method);
    if (handler !== undefined && session !== undefined) return handler(request, exchange, session);
    throw new GatewayError('METHOD_UNKNOWN', `Method not found: ${request.method}`);
  };

  return {
    serve: (request, exchange, session) => {
      const failed = (thrown: unknown): void =>
        exchange.fail(asGatewayError(thrown, 'The request could not be served'));
      try {
        const pending = dispatch(request, exchange, session);
        if (pending !== undefined) pending.catch(failed);
      } catch (thrown) {
        failed(thrown);
      }
    },
    initializeResult: async (host) => {
      await deps.catalog.settled(deps.settleMs);
      return JSON.stringify({
        protocolVersion: host.protocolVersion,
        ...describe(deps, host),
        serverInfo: deps.serverInfo,
      });
    },
  };
}

async function list(
  deps: MethodsDeps,
  kind: DefinitionKind,
  request: HostRequest,
  exchange: Exchange,
): Promise<void> {
  refuseCursor(request.params['cursor']);
  await deps.catalog.settled(deps.settleMs);
  const { principal, era } = request.host;
  if (kind === 'tool') return listTools(deps, request, exchange);
  respondWith(request, exchange, deps.lists.list(principal, deps.catalog.current(), kind, era).resultText);
}

async function listTools(deps: MethodsDeps, request: HostRequest, exchange: Exchange): Promise<void> {
  const { principal, era } = request.host;
  await deps.offerings.settled(principal, deps.settleMs);
  const { resultText, tokens } = deps.lists.tools(principal, deps.offerings.view(principal), era);
  if (tokens !== undefined) {
    exchange.notes.definitionTokens = tokens.definitions;
    exchange.notes.metaToolTokens = tokens.metaTools;
    exchange.notes.visibleTokens = tokens.visible;
  }
  respondWith(request, exchange, resultText);
}

async function discover(deps: MethodsDeps, request: HostRequest, exchange: Exchange): Promise<void> {
  await deps.catalog.settled(deps.settleMs);
  const about = describe(deps, request.host);
  const result = {
    resultType: 'complete',
    supportedVersions: MODERN_VERSIONS,
    capabilities: about.capabilities,
    ...(about.instructions === undefined ? {} : { instructions: about.instructions }),
    ttlMs: 0,
    cacheScope: 'private',
    _meta: { 'io.modelcontextprotocol/serverInfo': deps.serverInfo },
  };
  respondWith(request, exchange, JSON.stringify(result));
}

function describe(deps: MethodsDeps, host: Host): { capabilities: Fields; instructions?: string } {
  const snapshot = deps.catalog.current();
  const instructions = mergeInstructions(deps.instructions, host.principal, snapshot);
  return {
    capabilities: mergedCapabilities(deps.policy, host.principal, snapshot, host.era),
    ...(instructions === undefined ? {} : { instructions }),
  };
}

/** Lists are sent whole, so no cursor of ours exists; null counts as absent. */
function refuseCursor(cursor: unknown): void {
  if (cursor === undefined || cursor === null) return;
  throw new GatewayError('REQUEST_PARAMS', 'params.cursor is not one that this server gave out');
}

/** The revision of a handshake: what the host asked for if it is known, else the newest. */
export function negotiateLegacyVersion(requested: unknown): string {
  const newest = LEGACY_VERSIONS[0] ?? '2025-11-25';
  return typeof requested === 'string' && LEGACY_VERSIONS.includes(requested) ? requested : newest;
}
