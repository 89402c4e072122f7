import type { Catalog, Snapshot } from '../catalog/index.ts';
import { asGatewayError, GatewayError, type NativeUri, type ServerId } from '../domain/index.ts';
import type { Policy } from '../policy/index.ts';
import type { CallHandle, Upstream, UpstreamCall, UpstreamConnection } from '../upstream/index.ts';
import { checkParamHeaders, encodeHeaderValue, renderParamHeaders } from '../wire/index.ts';
import { connectFor, ownKey } from './connections.ts';
import type { Exchange, HostRequest } from './host.ts';
import type { LogLevels } from './log-levels.ts';
import { outboundFrame } from './outbound.ts';
import { createRelaySink } from './relay-sink.ts';
import { createResolver, type RelayedMethod, type Target } from './targets.ts';

/** One upstream as the router needs it. */
export interface RoutedUpstream {
  readonly upstream: Upstream;
  readonly idleMs: number;
  readonly maxMs: number;
}

export interface RouterDeps {
  readonly catalog: Catalog;
  readonly policy: Policy;
  readonly upstreams: ReadonlyMap<ServerId, RoutedUpstream>;
  readonly logLevels: LogLevels;
  /** A name that is unknown makes its possible owners list again, but not more often than this. */
  readonly refreshAgeMs: number;
}

export interface Router {
  isRelayed(method: string): boolean;
  /** Serves a relayed request; the exchange is always ended. */
  relay(request: HostRequest, exchange: Exchange): void;
}

const RELAYED: ReadonlySet<string> = new Set<RelayedMethod>([
  'tools/call',
  'prompts/get',
  'resources/read',
  'completion/complete',
]);

export function createRouter(deps: RouterDeps): Router {
  const resolve = createResolver(deps.policy);

  const locate = (request: HostRequest, exchange: Exchange): void => {
    const snapshot = deps.catalog.current();
    const found = resolve(request, snapshot);
    if (found.ok) {
      send(request, found.target, snapshot, exchange, true);
      return;
    }
    // A process that has not listed yet knows nothing: ask the possible owners before saying "unknown".
    deps.catalog.refreshFor(found.unknown.exposed, deps.refreshAgeMs).then(
      () =>
        guarded(exchange, () => {
          const fresh = deps.catalog.current();
          const again = resolve(request, fresh);
          if (again.ok) send(request, again.target, fresh, exchange, true);
          else exchange.fail(again.unknown.error);
        }),
      (error: unknown) => exchange.fail(asGatewayError(error, 'The catalog could not be refreshed')),
    );
  };

  const send = (
    request: HostRequest,
    target: Target,
    snapshot: Snapshot,
    exchange: Exchange,
    mayRefresh: boolean,
  ): void => {
    exchange.notes.upstream = target.server;
    exchange.notes.name = target.nativeName;
    const routed = deps.upstreams.get(target.server);
    if (routed === undefined)
      throw new GatewayError('INTERNAL', 'The server of this entry is not configured');
    checkMirrored(request, target);
    const start = (connection: UpstreamConnection): void => {
      startCall({
        deps,
        request,
        target,
        snapshot,
        exchange,
        routed,
        connection,
        retry: mayRefresh ? retry : undefined,
      });
    };
    const retry = (): void => {
      deps.catalog.refresh(target.server).then(
        () =>
          guarded(exchange, () => {
            const fresh = deps.catalog.current();
            const again = resolve(request, fresh);
            if (again.ok) send(request, again.target, fresh, exchange, false);
            else exchange.fail(again.unknown.error);
          }),
        (error: unknown) => exchange.fail(asGatewayError(error, 'The catalog could not be refreshed')),
      );
    };
    const key = ownKey(request.host, routed.upstream);
    const open = routed.upstream.current(key);
    if (open !== undefined && deps.logLevels.isSettled(open, request.host)) {
      start(open);
      return;
    }
    prepare(request, routed.upstream).then(
      (connection) => guarded(exchange, () => start(connection)),
      (error: unknown) => exchange.fail(asGatewayError(error, `Server ${target.server} cannot be reached`)),
    );
  };

  const prepare = async (request: HostRequest, upstream: Upstream): Promise<UpstreamConnection> => {
    const connection = await connectFor(request.host, upstream);
    await deps.logLevels.settle(connection, request.host);
    return connection;
  };

  return {
    isRelayed: (method) => RELAYED.has(method),
    relay: (request, exchange) => guarded(exchange, () => locate(request, exchange)),
  };
}

/** Whatever is thrown while a request is served becomes its one answer. */
function guarded(exchange: Exchange, run: () => void): void {
  try {
    run();
  } catch (thrown) {
    exchange.fail(asGatewayError(thrown, 'The request could not be served'));
  }
}

interface StartContext {
  readonly deps: RouterDeps;
  readonly request: HostRequest;
  readonly target: Target;
  readonly snapshot: Snapshot;
  readonly exchange: Exchange;
  readonly routed: RoutedUpstream;
  readonly connection: UpstreamConnection;
  readonly retry: (() => void) | undefined;
}

function startCall(context: StartContext): void {
  const { request, target, snapshot, exchange, routed, connection } = context;
  const frame = outboundFrame(request, target.renames, connection);
  const exposeUri = snapshot.mayRewriteUris(target.server)
    ? (native: string): string => snapshot.exposeUri(target.server, native as NativeUri)
    : undefined;
  const inbound = { request, server: target.server, upstreamEra: connection.era, exposeUri };
  const sink = createRelaySink({ inbound, exchange, connection, retry: context.retry });
  const call: UpstreamCall = {
    method: request.method,
    frame,
    headers: connection.era === 'modern' ? mirroredHeaders(request, target) : [],
    wantsWhole: sink.wantsWhole,
    idleMs: routed.idleMs,
    maxMs: routed.maxMs,
  };
  const handle: CallHandle = connection.call(call, sink);
  exchange.onCancel((reason) => handle.cancel(reason));
  exchange.onDrain(() => handle.resume());
}

/** A host must mirror what the tool asks for, whatever the next hop is: the gateway is the server that validates it. */
function checkMirrored(request: HostRequest, target: Target): void {
  if (request.headerOf === undefined || target.paramHeaders.length === 0) return;
  const fault = checkParamHeaders(target.paramHeaders, request.params['arguments'], request.headerOf);
  if (fault !== undefined) throw new GatewayError('HEADER_MISMATCH', `Header mismatch: ${fault}`);
}

function mirroredHeaders(request: HostRequest, target: Target): readonly string[] {
  const name = target.mirroredName === undefined ? [] : ['mcp-name', encodeHeaderValue(target.mirroredName)];
  return target.paramHeaders.length === 0
    ? name
    : [...name, ...renderParamHeaders(target.paramHeaders, request.params['arguments'])];
}
