import type { NativeUri } from '../domain/index.ts';
import { exchange } from './exchange.ts';
import { errorMessageOf } from './failures.ts';
import type { Live } from './link.ts';
import { createListen, type Listen, type ListenDeps } from './listen.ts';

export interface SubscriptionDeps extends ListenDeps {
  readonly requestMs: number;
  /** The open shared connection, opened when there is none. */
  readonly connect: () => Promise<Live>;
}

/** What the gateway wants to hear from one server, kept through reconnects. */
export interface Subscriptions {
  /** How many resources are watched. */
  readonly size: number;
  watch(uri: NativeUri): Promise<() => void>;
  /** The shared connection opened: everything is asked for again. */
  opened(live: Live): void;
  closed(): void;
}

export const createSubscriptions = (deps: SubscriptionDeps): Subscriptions => new Watching(deps);

interface Watched {
  count: number;
  /** Settles when the server agreed, or refused. */
  agreed: Promise<void>;
}

class Watching implements Subscriptions {
  readonly #deps: SubscriptionDeps;
  readonly #watched = new Map<NativeUri, Watched>();
  #live: Live | undefined;
  #listen: Listen | undefined;

  constructor(deps: SubscriptionDeps) {
    this.#deps = deps;
  }

  get size(): number {
    return this.#watched.size;
  }

  async watch(uri: NativeUri): Promise<() => void> {
    const entry = this.#watched.get(uri) ?? this.#add(uri);
    entry.count++;
    try {
      await entry.agreed;
    } catch (error) {
      if (this.#watched.get(uri) === entry) this.#watched.delete(uri);
      throw error;
    }
    let isHeld = true;
    return () => {
      if (isHeld) this.#release(uri, entry);
      isHeld = false;
    };
  }

  opened(live: Live): void {
    this.#live = live;
    if (live.identity.era === 'modern') {
      this.#listen = createListen(this.#deps, live);
      this.#listen.update([...this.#watched.keys()]);
      return;
    }
    for (const uri of this.#watched.keys()) {
      this.#request(live, 'resources/subscribe', uri).catch((error: unknown) =>
        this.#deps.logger.warn({ err: error, uri }, 'a resource is no longer watched'),
      );
    }
  }

  closed(): void {
    this.#live = undefined;
    this.#listen?.close();
    this.#listen = undefined;
  }

  #add(uri: NativeUri): Watched {
    const agreed = this.#subscribe(uri);
    const entry: Watched = { count: 0, agreed };
    this.#watched.set(uri, entry);
    return entry;
  }

  async #subscribe(uri: NativeUri): Promise<void> {
    const live = await this.#deps.connect();
    if (!canWatch(live)) {
      throw this.#deps.fail('UPSTREAM_UNSUPPORTED', 'does not report changes of resources');
    }
    // `opened` has run by now: a modern connection that is open has its listening request.
    if (live.identity.era === 'modern') await this.#listen?.want([...this.#watched.keys()], uri);
    else await this.#request(live, 'resources/subscribe', uri);
  }

  #release(uri: NativeUri, entry: Watched): void {
    if (--entry.count > 0 || this.#watched.get(uri) !== entry) return;
    this.#watched.delete(uri);
    const live = this.#live;
    if (live === undefined) return;
    if (live.identity.era === 'modern') this.#listen?.update([...this.#watched.keys()]);
    else {
      this.#request(live, 'resources/unsubscribe', uri).catch((error: unknown) =>
        this.#deps.logger.debug({ err: error }, 'a resource is still watched'),
      );
    }
  }

  async #request(live: Live, method: string, uri: NativeUri): Promise<void> {
    const { requestMs, fail } = this.#deps;
    const request = { method, params: { uri }, idleMs: requestMs, maxMs: requestMs };
    const { frame } = await exchange(live.channel, request);
    if (frame.kind === 'error') throw fail('UPSTREAM_REFUSED', `refused ${method}: ${errorMessageOf(frame)}`);
  }
}

function canWatch({ identity }: Live): boolean {
  const resources = identity.capabilities['resources'] as { subscribe?: unknown } | undefined;
  return resources?.subscribe === true;
}
