import type { Clock, NativeUri } from '../domain/index.ts';
import { childMembers, elementSpans, type Frame, stringAt } from '../wire/index.ts';
import { createBackoff } from './backoff.ts';
import type { UpstreamLogger } from './channel.ts';
import type { CallHandle } from './connection.ts';
import { exchange } from './exchange.ts';
import type { Fail } from './failures.ts';
import { errorCodeOf, METHOD_NOT_FOUND } from './failures.ts';
import type { Live } from './link.ts';

export interface ListenDeps {
  readonly clock: Clock;
  readonly logger: UpstreamLogger;
  readonly fail: Fail;
  readonly restart: { readonly initialDelayMs: number; readonly maxDelayMs: number };
  readonly meta: Readonly<Record<string, unknown>>;
  readonly notification: (live: Live, frame: Frame) => void;
}

/** The one `subscriptions/listen` request of a modern connection; its failures never touch calls. */
export interface Listen {
  /** Listens for these URIs from now on. */
  update(uris: readonly NativeUri[]): void;
  /** The same; resolves when the server agreed to report `uri`, rejects when it did not. */
  want(uris: readonly NativeUri[], uri: NativeUri): Promise<void>;
  close(): void;
}

interface Attempt {
  handle: CallHandle | undefined;
  isOver: boolean;
}

/** A listening stream may be silent for as long as nothing changes. */
const FOREVER_MS = Number.MAX_SAFE_INTEGER;

/** https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions */
export function createListen(deps: ListenDeps, live: Live): Listen {
  const backoff = createBackoff(deps.restart);
  let current: Attempt | undefined;
  let uris: readonly NativeUri[] = [];
  let waiting: { uri: NativeUri; resolve: () => void; reject: (error: Error) => void }[] = [];
  let cancelRetry: (() => void) | undefined;
  let isClosed = false;

  const settle = (honoured: ReadonlySet<string>): void => {
    const asked = waiting;
    waiting = [];
    for (const { uri, resolve, reject } of asked) {
      if (honoured.has(uri)) resolve();
      else reject(deps.fail('UPSTREAM_UNSUPPORTED', `does not report changes of ${uri}`));
    }
  };

  const over = (attempt: Attempt, error: unknown, isFinal: boolean): void => {
    attempt.isOver = true;
    if (current !== attempt || isClosed) return;
    current = undefined;
    settle(new Set());
    deps.logger.debug({ err: error }, 'the listening stream ended');
    if (!isFinal && live.channel.isOpen) cancelRetry = deps.clock.after(backoff.next(), open);
  };

  const open = (): void => {
    cancelRetry?.();
    cancelRetry = undefined;
    const filter = filterFor(live, uris);
    const previous = current;
    current = undefined;
    if (filter !== undefined && !isClosed && live.channel.isOpen) {
      const attempt: Attempt = { handle: undefined, isOver: false };
      current = attempt;
      run(attempt, filter);
    } else settle(new Set());
    // The new one is asked for before the old one ends, so that no change falls between them.
    if (previous !== undefined && !previous.isOver) {
      previous.isOver = true;
      previous.handle?.cancel('replaced');
    }
  };

  const run = (attempt: Attempt, filter: Record<string, unknown>): void => {
    const params = { notifications: filter, _meta: deps.meta };
    const request = { method: 'subscriptions/listen', params, idleMs: FOREVER_MS, maxMs: FOREVER_MS };
    const hear = (frame: Frame): void => {
      if (attempt.isOver) return;
      if (frame.method !== 'notifications/subscriptions/acknowledged') return deps.notification(live, frame);
      backoff.reset();
      settle(honouredUris(frame));
    };
    exchange(live.channel, request, hear, (handle) => {
      attempt.handle = handle;
    }).then(
      ({ frame }) =>
        over(attempt, undefined, frame.kind === 'error' && errorCodeOf(frame) === METHOD_NOT_FOUND),
      (error: unknown) => over(attempt, error, false),
    );
  };

  return {
    update: (next) => {
      uris = next;
      open();
    },
    want: (next, uri) =>
      new Promise((resolve, reject) => {
        uris = next;
        waiting.push({ uri, resolve, reject });
        open();
      }),
    close: () => {
      isClosed = true;
      cancelRetry?.();
      if (current !== undefined && !current.isOver) current.handle?.cancel('closed');
      settle(new Set());
    },
  };
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

function honouredUris(frame: Frame): ReadonlySet<string> {
  const { bytes } = frame;
  const params = childMembers(bytes, frame.members.get('params'));
  const uris = childMembers(bytes, params?.get('notifications'))?.get('resourceSubscriptions');
  if (uris === undefined || bytes[uris.start] !== 0x5b) return new Set();
  return new Set(elementSpans(bytes, uris).flatMap((span) => stringAt(bytes, span) ?? []));
}
