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
} from '../exposure/index.ts';
import type { Policy } from '../policy/index.ts';
import {
  type Exchange,
  type Host,
  type HostRequest,
  type Hub,
  isLogLevel,
  type Router,
} from '../routing/index.ts';
import { resultFrame } from '../wire/index.ts';
import type { LegacySession } from './legacy-session.ts';
import { openListenStream, type ListenStreams } from './listen.ts';
import type { Fields } from './message.ts';

export interface MethodsDeps {
  readonly catalog: Catalog;
  readonly policy: Policy;
  readonly lists: Lists;
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

/** Methods that only one of the eras has. */
type Handler = (request: HostRequest, exchange: Exchange, session: LegacySession) => Promise<void> | void;

export function createMethods(deps: MethodsDeps): Methods {
  const serverInfoText = JSON.stringify(deps.serverInfo);

  const list = async (kind: DefinitionKind, request: HostRequest, exchange: Exchange): Promise<void> => {
    refuseCursor(request.params['cursor']);
    await deps.catalog.settled(deps.settleMs);
    const body = deps.lists.list(request.host.principal, deps.catalog.current(), kind, request.host.era);
    answer(request, exchange, body.resultText);
  };

  const discover = async (request: HostRequest, exchange: Exchange): Promise<void> => {
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
    answer(request, exchange, JSON.stringify(result));
  };

  const legacyOnly = new Map<string, Handler>([
    ['ping', (request, exchange) => answer(request, exchange, '{}')],
    [
      'logging/setLevel',
      async (request, exchange, session) => {
        const level = request.params['level'];
        if (!isLogLevel(level)) throw new GatewayError('REQUEST_PARAMS', 'params.level must be a log level');
        session.setLogLevel(level);
        await deps.applyLogLevel(session.host());
        answer(request, exchange, '{}');
      },
    ],
    [
      'resources/subscribe',
      async (request, exchange, session) => {
        await deps.hub.watch(session.subscriber, stringParam(request, 'uri'));
        answer(request, exchange, '{}');
      },
    ],
    [
      'resources/unsubscribe',
      (request, exchange, session) => {
        deps.hub.unwatch(session.subscriber, stringParam(request, 'uri'));
        answer(request, exchange, '{}');
      },
    ],
  ]);

  const dispatch = (
    request: HostRequest,
    exchange: Exchange,
    session: LegacySession | undefined,
  ): Promise<void> | void => {
    if (deps.router.isRelayed(request.method)) return deps.router.relay(request, exchange);
    const kind = LIST_KINDS.get(request.method);
    if (kind !== undefined) return list(kind, request, exchange);
    const isModern = request.host.era === 'modern';
    if (isModern && request.method === 'server/discover') return discover(request, exchange);
    if (isModern && request.method === 'subscriptions/listen') {
      return openListenStream(
        {
          hub: deps.hub,
          streams: deps.listenStreams,
          serverInfoText,
          settled: () => deps.catalog.settled(deps.settleMs),
        },
        request,
        exchange,
      );
    }
    const handler = session === undefined ? undefined : legacyOnly.get(request.method);
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

function describe(deps: MethodsDeps, host: Host): { capabilities: Fields; instructions?: string } {
  const snapshot = deps.catalog.current();
  const instructions = mergeInstructions(deps.instructions, host.principal, snapshot);
  return {
    capabilities: mergedCapabilities(deps.policy, host.principal, snapshot, host.era),
    ...(instructions === undefined ? {} : { instructions }),
  };
}

const answer = (request: HostRequest, exchange: Exchange, resultText: string): void =>
  exchange.respond(Buffer.from(resultFrame(request.idText, resultText)), 200);

function stringParam(request: HostRequest, key: string): string {
  const value = request.params[key];
  if (typeof value === 'string') return value;
  throw new GatewayError('REQUEST_PARAMS', `params.${key} must be a string`);
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
