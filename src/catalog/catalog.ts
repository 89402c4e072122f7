import {
  type Clock,
  DEFINITION_KINDS,
  type DefinitionKind,
  type GatewayError,
  type ServerId,
} from '../domain/index.ts';
import type { Logger } from '../telemetry/index.ts';
import { createSnapshotBuilder, type ServerInput } from './build-snapshot.ts';
import { unmarkUri } from './exposed-uri.ts';
import { type CatalogServer, createServerLists, type ServerLists } from './server-lists.ts';
import type { Snapshot } from './snapshot.ts';
import { createUriLabels } from './uri-labels.ts';

export interface CatalogDeps {
  /** In configuration order, which is the order of every list. */
  readonly servers: readonly CatalogServer[];
  readonly nameMaxLength: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

export type SnapshotListener = (next: Snapshot, previous: Snapshot) => void;

/** What a host named and the snapshot does not know. */
export interface Wanted {
  /** A qualified name, or a URI. */
  readonly by: 'name' | 'uri';
  readonly exposed: string;
}

export interface Catalog {
  current(): Snapshot;
  /**
   * Resolves when every server has answered or failed, but no later than `waitMs` after a server was first
   * asked: one that stays silent delays the first answers, not all of them. Never rejects: what is missing is
   * in the snapshot.
   */
  settled(waitMs: number): Promise<void>;
  /**
   * Lists the servers that could own what is wanted and were not listed yet, or not since `maxAgeMs`. Servers
   * that the caller may not use are left alone. Resolves to the trouble of the one server that must own it,
   * when that server has never listed anything.
   */
  refreshFor(
    wanted: Wanted,
    mayUse: (server: ServerId) => boolean,
    maxAgeMs: number,
  ): Promise<GatewayError | undefined>;
  /** The server says that lists changed: they are read again, a burst of changes in few walks. */
  refresh(id: ServerId, kinds?: readonly DefinitionKind[]): Promise<void>;
  /** Reads all lists of a server now; resolves after a walk that began later than this call. */
  reread(id: ServerId): Promise<void>;
  /** A server's connection opened: lists that no walk is reading now may differ from what is known. */
  connected(id: ServerId): void;
  /** A server's connection is gone: its last known definitions stay. */
  markTrouble(id: ServerId, error: GatewayError): void;
  onChange(listener: SnapshotListener): void;
}

const KINDS_BY: Readonly<Record<Wanted['by'], readonly DefinitionKind[]>> = {
  name: ['tool', 'prompt'],
  uri: ['resource', 'template'],
};

/** A list of which a part is missing is read again with the next request for lists, but not more often. */
const PARTIAL_RETRY_MS = 5_000;
/** How long a caller waits for servers that only might own what it named. */
const GUESS_WAIT_MS = 5_000;

export function createCatalog(deps: CatalogDeps): Catalog {
  const { clock, nameMaxLength } = deps;
  const builder = createSnapshotBuilder({ nameMaxLength });
  const listeners: SnapshotListener[] = [];
  const publish = (): void => {
    const inputs = lists.map((server) => server.input());
    if (inputs.every((input, index) => isSameInput(input, published[index]))) return;
    published = inputs;
    const previous = snapshot;
    snapshot = builder.build(previous.version + 1, inputs);
    for (const listener of listeners) {
      try {
        listener(snapshot, previous);
      } catch (error) {
        deps.logger.error({ err: error }, 'a listener of the catalog failed');
      }
    }
  };
  const lists = deps.servers.map((server) =>
    createServerLists(server, { nameMaxLength, clock, logger: deps.logger, publish }),
  );
  const byId = new Map(lists.map((server) => [server.id, server]));
  let published: readonly ServerInput[] = lists.map((server) => server.input());
  let snapshot = builder.build(0, published);
  const settled = createSettling(lists, clock);
  const ownersOf = createOwners(lists);

  return {
    current: () => snapshot,
    settled,
    refreshFor: async (wanted, mayUse, maxAgeMs) => {
      const owners = ownersOf(wanted, mayUse);
      const isStale = ({ isListed, readAtMs = 0 }: ServerLists): boolean =>
        !isListed || clock.now() - readAtMs > maxAgeMs;
      const reading = owners.possible.filter(isStale).map(async (server) => {
        if (server === owners.only) await server.demand();
        await (server.isListed ? server.walks.again(KINDS_BY[wanted.by]) : server.walks.join());
      });
      if (owners.only !== undefined) await Promise.all(reading);
      else if (reading.length > 0) await raceClock(Promise.all(reading), GUESS_WAIT_MS, clock);
      return owners.only?.isListed === false ? owners.only.trouble : undefined;
    },
    refresh: async (id, kinds = DEFINITION_KINDS) => byId.get(id)?.walks.changed(kinds),
    reread: async (id) => byId.get(id)?.walks.again(DEFINITION_KINDS),
    connected: (id) => {
      const walks = byId.get(id)?.walks;
      const unread = DEFINITION_KINDS.filter((kind) => walks?.isReading(kind) === false);
      if (unread.length > 0) void walks?.again(unread);
    },
    markTrouble: (id, error) => byId.get(id)?.markTrouble(error),
    onChange: (listener) => void listeners.push(listener),
  };
}

function createSettling(lists: readonly ServerLists[], clock: Clock): Catalog['settled'] {
  const askedAtMs = new Map<ServerLists, number>();
  return (waitMs) => {
    const now = clock.now();
    const waiting: Promise<void>[] = [];
    let endsAtMs = Number.POSITIVE_INFINITY;
    for (const server of lists) {
      if (server.isListed) {
        const isDue = server.isPartial && now - (server.readAtMs ?? now) > PARTIAL_RETRY_MS;
        if (isDue) void server.walks.join();
        continue;
      }
      // A server in trouble is asked again, but nobody waits for it a second time.
      const isFresh = server.trouble === undefined;
      const askedAt = askedAtMs.get(server) ?? now;
      askedAtMs.set(server, askedAt);
      const walking = server.walks.join();
      if (!isFresh || now - askedAt >= waitMs) continue;
      waiting.push(walking);
      endsAtMs = Math.min(endsAtMs, askedAt + waitMs);
    }
    return waiting.length === 0 ? Promise.resolve() : raceClock(Promise.all(waiting), endsAtMs - now, clock);
  };
}

interface Owners {
  readonly possible: readonly ServerLists[];
  /** The one server that it can belong to, where that is certain. */
  readonly only: ServerLists | undefined;
}

function createOwners(
  lists: readonly ServerLists[],
): (wanted: Wanted, mayUse: (server: ServerId) => boolean) => Owners {
  const labels = createUriLabels(lists);
  return ({ by, exposed }, mayUse) => {
    const usable = lists.filter(({ id }) => mayUse(id));
    const sure = usable.filter(({ id, prefix }) =>
      by === 'uri'
        ? labels.serverOf(unmarkUri(exposed)?.label ?? '') === id
        : prefix !== '' && exposed.startsWith(prefix),
    );
    const possible = usable.filter((server) =>
      by === 'uri'
        ? !server.isListed || server.hasResources
        : server.prefix === '' || exposed.startsWith(server.prefix),
    );
    if (sure.length === 1) return { possible: sure, only: sure[0] };
    return { possible, only: possible.length === 1 ? possible[0] : undefined };
  };
}

/** Nothing that a snapshot is made of differs: a new version would only cost every cached list. */
const isSameInput = (next: ServerInput, previous: ServerInput | undefined): boolean =>
  previous !== undefined &&
  next.definitions === previous.definitions &&
  JSON.stringify(next.view) === JSON.stringify(previous.view);

function raceClock(work: Promise<unknown>, waitMs: number, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(waitMs, resolve);
    const done = (): void => {
      cancel();
      resolve();
    };
    work.then(done, done);
  });
}
