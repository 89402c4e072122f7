import type { Clock, NativeUri } from '../domain/index.ts';
import { childMembers, elementSpans, type Frame, stringAt } from '../wire/index.ts';
import { createBackoff } from './backoff.ts';
import type { UpstreamLogger } from './channel.ts';
import type { CallHandle } from './connection.ts';
import { exchange } from './exchange.ts';
import { errorCodeOf, type Fail, METHOD_NOT_FOUND } from './failures.ts';
import type { Live } from './link.ts';

export interface ListenDeps {
  readonly clock: Clock;
  readonly logger: UpstreamLogger;
  readonly fail: Fail;
  readonly restart: { readonly initialDelayMs: number; readonly maxDelayMs: number };
  readonly meta: Readonly<Record<string, unknown>>;
  readonly notification: (live: Live, frame: Frame) => void;
  /** The server listens again after a gap in which changes went unheard. */
  readonly gap: () => void;
}

/** The one `subscriptions/listen` request of a modern connection; its failures never touch calls. */
export interface Listen {
  /** Listens for these URIs from now on. */
  update(uris: readonly NativeUri[]): void;
  /** The same; resolves when the server agreed to report `uri`, rejects when it did not. */
  want(uris: readonly NativeUri[], uri: NativeUri): Promise<void>;
  close(): void;
}

/** https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions */
export const createListen = (deps: ListenDeps, live: Live): Listen => new Listening(deps, live);

interface Attempt {
  handle: CallHandle | undefined;
  isOver: boolean;
}

interface Wish {
  readonly uri: NativeUri;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** A listening stream may be silent for as long as nothing changes. */
const FOREVER_MS = Number.MAX_SAFE_INTEGER;

class Listening implements Listen {
  readonly #deps: ListenDeps;
  readonly #live: Live;
  readonly #backoff: ReturnType<typeof createBackoff>;
  #uris: readonly NativeUri[] = [];
  #wishes: Wish[] = [];
  #current: Attempt | undefined;
  #cancelRetry: (() => void) | undefined;
  #hasGap = false;
  #isClosed = false;

  constructor(deps: ListenDeps, live: Live) {
    this.#deps = deps;
    this.#live = live;
    this.#backoff = createBackoff(deps.restart);
  }

  update(uris: readonly NativeUri[]): void {
    this.#uris = uris;
    this.#open();
  }

  want(uris: readonly NativeUri[], uri: NativeUri): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#wishes.push({ uri, resolve, reject });
      this.update(uris);
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelRetry?.();
    this.#drop(this.#current, 'closed');
    this.#current = undefined;
    this.#settle(new Set());
  }

  #open(): void {
    this.#cancelRetry?.();
    this.#cancelRetry = undefined;
    const filter = filterFor(this.#live, this.#uris);
    const previous = this.#current;
    this.#current = undefined;
    if (filter === undefined || this.#isClosed || !this.#live.channel.isOpen) this.#settle(new Set());
    else this.#start(filter);
    // The new one is asked for before the old one ends, so that no change falls between them.
    this.#drop(previous, 'replaced');
  }

  #drop(attempt: Attempt | undefined, reason: string): void {
    if (attempt === undefined || attempt.isOver) return;
    attempt.isOver = true;
    attempt.handle?.cancel(reason);
  }

  #start(filter: Record<string, unknown>): void {
    const attempt: Attempt = { handle: undefined, isOver: false };
    this.#current = attempt;
    const params = { notifications: filter, _meta: this.#deps.meta };
    exchange(
      this.#live.channel,
      { method: 'subscriptions/listen', params, idleMs: FOREVER_MS, maxMs: FOREVER_MS },
      (frame) => this.#hear(attempt, frame),
      (handle) => {
        attempt.handle = handle;
      },
    ).then(
      ({ frame }) => {
        // A server that does not know the method will not learn it on this connection.
        const isFinal = frame.kind === 'error' && errorCodeOf(frame) === METHOD_NOT_FOUND;
        this.#ended(attempt, undefined, isFinal);
      },
      (error: unknown) => this.#ended(attempt, error, false),
    );
  }

  #hear(attempt: Attempt, frame: Frame): void {
    if (attempt.isOver) return;
    if (frame.method !== 'notifications/subscriptions/acknowledged') {
      return this.#deps.notification(this.#live, frame);
    }
    this.#backoff.reset();
    this.#settle(honouredUris(frame));
    if (this.#hasGap) this.#deps.gap();
    this.#hasGap = false;
  }

  #ended(attempt: Attempt, error: unknown, isFinal: boolean): void {
    attempt.isOver = true;
    if (this.#current !== attempt || this.#isClosed) return;
    this.#current = undefined;
    this.#hasGap = true;
    this.#settle(new Set());
    this.#deps.logger.debug({ err: error }, 'the listening stream ended');
    if (isFinal || !this.#live.channel.isOpen) return;
    this.#cancelRetry = this.#deps.clock.after(this.#backoff.next(), () => this.#open());
  }

  #settle(honoured: ReadonlySet<string>): void {
    const wishes = this.#wishes;
    this.#wishes = [];
    for (const { uri, resolve, reject } of wishes) {
      if (honoured.has(uri)) resolve();
      else reject(this.#deps.fail('UPSTREAM_UNSUPPORTED', `does not report changes of ${uri}`));
    }
  }
}

/** Only what the server advertises is asked for; undefined when that is nothing. */
function filterFor(live: Live, uris: readonly NativeUri[]): Record<string, unknown> | undefined {
  const { capabilities } = live.identity;
  const changes = (name: string): boolean =>
    (capabilities[name] as { listChanged?: unknown } | undefined)?.listChanged === true;
  const filter = {
    ...(changes('tools') ? { toolsListChanged: true } : {}),
    ...(changes('prompts') ? { promptsListChanged: true } : {}),
    ...(changes('resources') ? { resourcesListChanged: true } : {}),
    ...(uris.length > 0 ? { resourceSubscriptions: uris } : {}),
  };
  return Object.keys(filter).length === 0 ? undefined : filter;
}

const OPEN_ARRAY = 0x5b;

function honouredUris(frame: Frame): ReadonlySet<string> {
  const { bytes } = frame;
  const params = childMembers(bytes, frame.members.get('params'));
  const uris = childMembers(bytes, params?.get('notifications'))?.get('resourceSubscriptions');
  if (uris === undefined || bytes[uris.start] !== OPEN_ARRAY) return new Set();
  return new Set(elementSpans(bytes, uris).flatMap((span) => stringAt(bytes, span) ?? []));
}
