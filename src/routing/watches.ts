import type { Catalog, UriRoute } from '../catalog/index.ts';
import type { GatewayError, NativeUri, ServerId } from '../domain/index.ts';
import type { Policy } from '../policy/index.ts';
import { readableUri } from './readable-uri.ts';
import type { RoutedUpstream } from './router.ts';
import type { Subscriber } from './subscriber.ts';
import { unknownResource } from './targets.ts';

export interface WatchesDeps {
  readonly catalog: Catalog;
  readonly policy: Policy;
  readonly upstreams: ReadonlyMap<ServerId, RoutedUpstream>;
}

/** Which subscriber watches which resources. */
export interface Watches {
  open(subscriber: Subscriber): void;
  close(subscriber: Subscriber): void;
  watch(subscriber: Subscriber, uri: string): Promise<void>;
  unwatch(subscriber: Subscriber, uri: string): void;
  /** Tells those who watch a resource, or one that it is a part of. */
  updated(server: ServerId, uri: NativeUri): void;
}

interface Watch {
  readonly server: ServerId;
  readonly native: NativeUri;
  /** Undefined while the server is being asked. */
  release: (() => void) | undefined;
}

/** A URI that is unknown makes its possible owners list again, but not more often than this. */
const REFRESH_AGE_MS = 5_000;

export function createWatches(deps: WatchesDeps): Watches {
  const { catalog, policy, upstreams } = deps;
  /** By the URI that the subscriber's host knows. */
  const held = new Map<Subscriber, Map<string, Watch>>();

  const find = async ({ principal }: Subscriber, uri: string): Promise<UriRoute> => {
    const known = readableUri(policy, principal, catalog.current(), uri);
    if (known !== undefined) return known;
    const mayUse = (server: ServerId): boolean => policy.mayUse(principal, server);
    const trouble: GatewayError | undefined = await catalog.refreshFor(
      { by: 'uri', exposed: uri },
      mayUse,
      REFRESH_AGE_MS,
    );
    const route = readableUri(policy, principal, catalog.current(), uri);
    if (route === undefined) throw trouble ?? unknownResource(uri);
    return route;
  };

  const watch = async (subscriber: Subscriber, uri: string): Promise<void> => {
    const own = held.get(subscriber);
    const { server, native } = await find(subscriber, uri);
    const upstream = upstreams.get(server)?.upstream;
    if (upstream === undefined) throw unknownResource(uri);
    // The host may have left while the server was looked for.
    if (own === undefined || held.get(subscriber) !== own || own.has(uri)) return;
    const mine: Watch = { server, native, release: undefined };
    own.set(uri, mine);
    try {
      const release = await upstream.watch(native);
      // Nobody may want it any more: the host left, or took it back while the server was being asked.
      if (held.get(subscriber) === own && own.get(uri) === mine) mine.release = release;
      else release();
    } catch (error) {
      if (own.get(uri) === mine) own.delete(uri);
      throw error;
    }
  };

  return {
    open: (subscriber) => void held.set(subscriber, new Map()),
    close: (subscriber) => {
      for (const { release } of held.get(subscriber)?.values() ?? []) release?.();
      held.delete(subscriber);
    },
    watch,
    unwatch: (subscriber, uri) => {
      const own = held.get(subscriber);
      own?.get(uri)?.release?.();
      own?.delete(uri);
    },
    updated: (server, uri) => {
      for (const [subscriber, own] of held) {
        const told = new Set<string>();
        for (const [exposed, { server: owner, native }] of own) {
          if (owner !== server || !isPartOf(uri, native)) continue;
          told.add(native === uri ? exposed : catalog.current().exposeUri(server, uri));
        }
        for (const exposed of told) subscriber.notify('notifications/resources/updated', { uri: exposed });
      }
    },
  };
}

/**
 * An update may name a part of what is watched.
 * https://modelcontextprotocol.io/specification/2026-07-28/schema#resourceupdatednotificationparams
 */
function isPartOf(uri: string, watched: string): boolean {
  if (!uri.startsWith(watched)) return false;
  return uri.length === watched.length || watched.endsWith('/') || '/?#'.includes(uri[watched.length] ?? '');
}
