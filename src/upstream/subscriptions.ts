import type { NativeUri } from '../domain/index.ts';
import { exchange } from './exchange.ts';
import { errorMessageOf, type Fail } from './failures.ts';
import type { Live } from './link.ts';
import { createListen, type Listen, type ListenDeps } from './listen.ts';

export interface SubscriptionDeps extends ListenDeps {
  readonly fail: Fail;
  readonly requestMs: number;
  /** The open shared connection, opened when there is none. */
  readonly connect: () => Promise<Live>;
}

/** What the gateway wants to hear from one server, kept through reconnects. */
export interface Subscriptions {
  readonly size: number;
  watch(uri: NativeUri): Promise<() => void>;
  /** The shared connection opened: everything is asked for again. */
  opened(live: Live): void;
  closed(): void;
}

interface Watched {
  count: number;
  /** Settled once the server agreed, or refused. */
  agreed: Promise<void>;
}

export function createSubscriptions(deps: SubscriptionDeps): Subscriptions {
  const watched = new Map<NativeUri, Watched>();
  let live: Live | undefined;
  let listen: Listen | undefined;

  const subscribe = async (uri: NativeUri): Promise<void> => {
    const target = await deps.connect();
    if (!canWatch(target)) throw deps.fail('UPSTREAM_UNSUPPORTED', 'does not report changes of resources');
    if (target.identity.era === 'modern') await (listen ?? openListen(target)).want([...watched.keys()], uri);
    else await request(deps, target, 'resources/subscribe', uri);
  };

  const openListen = (target: Live): Listen => {
    listen = createListen(deps, target);
    return listen;
  };

  const release = (uri: NativeUri): void => {
    const entry = watched.get(uri);
    if (entry === undefined || --entry.count > 0) return;
    watched.delete(uri);
    if (live === undefined) return;
    if (live.identity.era === 'modern') listen?.update([...watched.keys()]);
    else {
      request(deps, live, 'resources/unsubscribe', uri).catch((error: unknown) =>
        deps.logger.debug({ err: error }, 'a resource is still watched'),
      );
    }
  };

  const add = (uri: NativeUri): Watched => {
    const entry: Watched = { count: 0, agreed: Promise.resolve() };
    watched.set(uri, entry);
    entry.agreed = subscribe(uri);
    return entry;
  };

  return {
    get size() {
      return watched.size;
    },
    watch: async (uri) => {
      const entry = watched.get(uri) ?? add(uri);
      entry.count++;
      try {
        await entry.agreed;
      } catch (error) {
        if (watched.get(uri) === entry) watched.delete(uri);
        throw error;
      }
      let isHeld = true;
      return () => {
        if (isHeld) release(uri);
        isHeld = false;
      };
    },
    opened: (next) => {
      live = next;
      listen = undefined;
      if (next.identity.era === 'modern') {
        openListen(next).update([...watched.keys()]);
        return;
      }
      for (const [uri, entry] of watched) {
        entry.agreed = request(deps, next, 'resources/subscribe', uri);
        entry.agreed.catch((error: unknown) =>
          deps.logger.warn({ err: error, uri }, 'a resource is no longer watched'),
        );
      }
    },
    closed: () => {
      live = undefined;
      listen?.close();
      listen = undefined;
    },
  };
}

function canWatch({ identity }: Live): boolean {
  const resources = identity.capabilities['resources'] as { subscribe?: unknown } | undefined;
  return resources?.subscribe === true;
}

async function request(deps: SubscriptionDeps, live: Live, method: string, uri: NativeUri): Promise<void> {
  const { requestMs } = deps;
  const { frame } = await exchange(live.channel, {
    method,
    params: { uri },
    idleMs: requestMs,
    maxMs: requestMs,
  });
  if (frame.kind === 'error') {
    throw deps.fail('UPSTREAM_REFUSED', `refused ${method}: ${errorMessageOf(frame)}`);
  }
}
