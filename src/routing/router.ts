import type { Catalog, Snapshot } from '../catalog/index.ts';
import { asGatewayError, GatewayError, type ServerId } from '../domain/index.ts';
import type { Policy } from '../policy/index.ts';
import type { Upstream, UpstreamConnection } from '../upstream/index.ts';
import { JsonScanError } from '../wire/index.ts';
import { connectFor, ownKey } from './connections.ts';
import type { Exchange, Host, HostRequest } from './host.ts';
import type { LogLevels } from './log-levels.ts';
import { checkMirrored } from './mirrored-headers.ts';
import { type ReadRequest, readRequest } from './read-request.ts';
import { RelayCall, type Retry } from './relay-call.ts';
import { createResolver, type RelayedMethod, type Resolver, type Target } from './targets.ts';

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
  /** Whether results of tools are kept in the notes of their requests, to be counted. */
  readonly keepsResults: boolean;
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
  const relaying = new Relaying(deps);
  return {
    isRelayed: (method) => RELAYED.has(method),
    relay: (request, exchange) => relaying.relay(request, exchange),
  };
}

/** A call whose server is connected takes no promise on its way: what has to be waited for goes by `whenDone`. */
class Relaying {
  readonly #deps: RouterDeps;
  readonly #resolve: Resolver;

  constructor(deps: RouterDeps) {
    this.#deps = deps;
    this.#resolve = createResolver(deps.policy);
  }

  relay(request: HostRequest, exchange: Exchange): void {
    try {
      const read = readRequest(request);
      const snapshot = this.#deps.catalog.current();
      const found = this.#resolve(read, snapshot);
      if (found.ok) this.#send(read, found.target, snapshot, exchange, this.#reread);
      else this.#search(read, exchange, found.unknown);
    } catch (thrown) {
      exchange.fail(faultOf(thrown));
    }
  }

  /** A process that has not listed yet knows nothing: the possible owners are asked before saying "unknown". */
  #search(read: ReadRequest, exchange: Exchange, wanted: Parameters<Catalog['refreshFor']>[0]): void {
    const { catalog, policy, refreshAgeMs } = this.#deps;
    const { principal } = read.request.host;
    const mayUse = (server: ServerId): boolean => policy.mayUse(principal, server);
    const refreshed = catalog.refreshFor(wanted, mayUse, refreshAgeMs);
    whenDone(exchange, refreshed, (trouble) => this.#sendFresh(read, exchange, this.#reread, trouble));
  }

  /** The server knows its tool's schema better than we do, and did nothing: read it again, and try once more. */
  readonly #reread: Retry = (read, exchange, server) => {
    const reading = this.#deps.catalog.reread(server);
    whenDone(exchange, reading, () => this.#sendFresh(read, exchange, undefined, undefined));
  };

  #sendFresh(
    read: ReadRequest,
    exchange: Exchange,
    retry: Retry | undefined,
    trouble: GatewayError | undefined,
  ): void {
    const snapshot = this.#deps.catalog.current();
    const found = this.#resolve(read, snapshot);
    if (found.ok) this.#send(read, found.target, snapshot, exchange, retry);
    else exchange.fail(trouble ?? found.unknown.error);
  }

  #send(
    read: ReadRequest,
    target: Target,
    snapshot: Snapshot,
    exchange: Exchange,
    retry: Retry | undefined,
  ): void {
    exchange.notes.upstream = target.server;
    exchange.notes.name = target.nativeName;
    if (target.tool !== undefined) exchange.notes.tool = target.tool;
    const routed = this.#deps.upstreams.get(target.server);
    if (routed === undefined)
      throw new GatewayError('INTERNAL', 'The server of this entry is not configured');
    checkMirrored(read, target);
    const { host } = read.request;
    const { upstream, idleMs, maxMs } = routed;
    const keepsResult = this.#deps.keepsResults && target.tool !== undefined;
    const open = upstream.current(ownKey(host, upstream));
    if (open !== undefined && this.#deps.logLevels.isSettled(open, host)) {
      start(
        new RelayCall({
          read,
          target,
          snapshot,
          exchange,
          connection: open,
          idleMs,
          maxMs,
          retry,
          keepsResult,
        }),
        open,
        exchange,
      );
      return;
    }
    whenDone(exchange, this.#prepare(host, upstream), (connection) =>
      start(
        new RelayCall({ read, target, snapshot, exchange, connection, idleMs, maxMs, retry, keepsResult }),
        connection,
        exchange,
      ),
    );
  }

  async #prepare(host: Host, upstream: Upstream): Promise<UpstreamConnection> {
    const connection = await connectFor(host, upstream);
    await this.#deps.logLevels.settle(connection, host);
    return connection;
  }
}

function start(call: RelayCall, connection: UpstreamConnection, exchange: Exchange): void {
  const handle = connection.call(call, call);
  exchange.onCancel((reason) => handle.cancel(reason));
  exchange.onDrain(() => handle.resume());
}

/** Goes on once the work is done, unless the host gave the request up meanwhile: nothing is sent for nobody. */
function whenDone<T>(exchange: Exchange, work: Promise<T>, goOn: (value: T) => void): void {
  let isGone = false;
  exchange.onCancel(() => {
    isGone = true;
  });
  work
    .then((value) => {
      if (!isGone) goOn(value);
    })
    .catch((thrown: unknown) => exchange.fail(faultOf(thrown)));
}

/** Whatever is thrown while a request is served becomes its one answer. */
function faultOf(thrown: unknown): GatewayError {
  if (thrown instanceof JsonScanError)
    return new GatewayError('REQUEST_INVALID', `Invalid request: ${thrown.message}`);
  return asGatewayError(thrown, 'The request could not be served');
}
