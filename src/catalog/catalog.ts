import {
  asGatewayError,
  type Clock,
  DEFINITION_KINDS,
  type DefinitionKind,
  type Diagnostic,
  type GatewayError,
  type RawDefinition,
  type ServerDefinitions,
  type ServerId,
} from '../domain/index.ts';
import type { Logger } from '../telemetry/index.ts';
import type { Upstream } from '../upstream/index.ts';
import { buildSnapshot, type ServerInput } from './build-snapshot.ts';
import { prefixOf } from './qualify.ts';
import type { Snapshot } from './snapshot.ts';

export interface CatalogServer {
  readonly id: ServerId;
  readonly namespace: string;
  readonly upstream: Upstream;
}

export interface CatalogDeps {
  /** In configuration order, which is the order of every list. */
  readonly servers: readonly CatalogServer[];
  readonly nameMaxLength: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

export type SnapshotListener = (next: Snapshot, previous: Snapshot) => void;

export interface Catalog {
  current(): Snapshot;
  /**
   * Resolves when every server has answered or failed, but no later than `waitMs` after a server was first
   * asked: one that stays silent delays the first answers, not all of them. Never rejects: what is missing is
   * in the snapshot.
   */
  settled(waitMs: number): Promise<void>;
  /** Lists the servers that could own a name and were not listed yet, or not since `maxAgeMs`. */
  refreshFor(exposedName: string, maxAgeMs: number): Promise<void>;
  /** Lists one server again; joins a walk that is under way and walks once more if it began earlier. */
  refresh(id: ServerId, kinds?: readonly DefinitionKind[]): Promise<void>;
  /** A server's connection opened: its lists may differ from what is known, unless a walk is reading them now. */
  connected(id: ServerId): void;
  /** A server's connection is gone: its last known definitions stay. */
  markTrouble(id: ServerId, error: GatewayError): void;
  onChange(listener: SnapshotListener): void;
}

interface ServerState extends CatalogServer {
  readonly prefix: string;
  definitions: ServerDefinitions | undefined;
  trouble: string | undefined;
  listedAt: number | undefined;
  firstAskedAt: number | undefined;
  walk: Promise<void> | undefined;
  /** Kinds to walk again when the walk under way ends: the last change must not be missed. */
  again: Set<DefinitionKind>;
}

export function createCatalog(deps: CatalogDeps): Catalog {
  const states = new Map<ServerId, ServerState>(
    deps.servers.map((server) => [
      server.id,
      {
        ...server,
        prefix: prefixOf(server.namespace, deps.nameMaxLength),
        definitions: undefined,
        trouble: undefined,
        listedAt: undefined,
        firstAskedAt: undefined,
        walk: undefined,
        again: new Set(),
      },
    ]),
  );
  const listeners: SnapshotListener[] = [];
  let snapshot = buildSnapshot(0, inputsOf(states), { nameMaxLength: deps.nameMaxLength });

  let published = inputsOf(states);

  const publish = (): void => {
    const inputs = inputsOf(states);
    if (inputs.every((input, index) => isSameInput(input, published[index]))) return;
    published = inputs;
    const previous = snapshot;
    snapshot = buildSnapshot(previous.version + 1, inputs, { nameMaxLength: deps.nameMaxLength });
    for (const listener of listeners) listener(snapshot, previous);
  };

  const walk = async (state: ServerState, kinds: readonly DefinitionKind[]): Promise<void> => {
    try {
      const found = await state.upstream.list(kinds);
      state.definitions = mergeDefinitions(state.definitions, found, kinds);
      state.trouble = found.complete ? undefined : 'the lists of this server are incomplete';
      state.listedAt = deps.clock.now();
    } catch (thrown) {
      const error = asGatewayError(thrown, 'the lists could not be walked');
      state.trouble = error.message;
      deps.logger.warnLimited(
        `list:${state.id}`,
        { server: state.id, err: error },
        'server lists nothing for now',
      );
    }
    publish();
  };

  const refresh = (state: ServerState, kinds: readonly DefinitionKind[]): Promise<void> => {
    if (state.walk !== undefined) {
      for (const kind of kinds) state.again.add(kind);
      return state.walk;
    }
    const run = async (): Promise<void> => {
      let next = kinds;
      while (next.length > 0) {
        await walk(state, next);
        next = [...state.again];
        state.again.clear();
      }
      state.walk = undefined;
    };
    state.walk = run();
    return state.walk;
  };

  return {
    current: () => snapshot,
    settled: (waitMs) => {
      const waiting = [...states.values()].filter((state) => state.listedAt === undefined);
      if (waiting.length === 0) return Promise.resolve();
      const now = deps.clock.now();
      const fresh: Promise<void>[] = [];
      for (const state of waiting) {
        state.firstAskedAt ??= now;
        const walking = refresh(state, DEFINITION_KINDS);
        if (now - state.firstAskedAt < waitMs && state.trouble === undefined) fresh.push(walking);
      }
      if (fresh.length === 0) return Promise.resolve();
      const firstAsked = Math.min(...waiting.map((state) => state.firstAskedAt ?? now));
      return raceClock(Promise.all(fresh), Math.max(0, firstAsked + waitMs - now), deps.clock);
    },
    refreshFor: async (exposedName, maxAgeMs) => {
      const isStale = (state: ServerState): boolean =>
        state.listedAt === undefined || deps.clock.now() - state.listedAt > maxAgeMs;
      const owners = [...states.values()].filter(
        (state) => exposedName.startsWith(state.prefix) && isStale(state),
      );
      await Promise.all(owners.map((state) => refresh(state, DEFINITION_KINDS)));
    },
    refresh: async (id, kinds = DEFINITION_KINDS) => {
      const state = states.get(id);
      if (state !== undefined) await refresh(state, kinds);
    },
    connected: (id) => {
      const state = states.get(id);
      if (state !== undefined && state.walk === undefined) void refresh(state, DEFINITION_KINDS);
    },
    markTrouble: (id, error) => {
      const state = states.get(id);
      if (state === undefined || state.trouble === error.message) return;
      state.trouble = error.message;
      publish();
    },
    onChange: (listener) => void listeners.push(listener),
  };
}

function inputsOf(states: ReadonlyMap<ServerId, ServerState>): ServerInput[] {
  return [...states.values()].map((state) => {
    const identity = state.upstream.status().identity;
    return {
      definitions: state.definitions,
      view: {
        id: state.id,
        namespace: state.namespace,
        instructions: identity?.instructions,
        capabilities: identity?.capabilities ?? {},
        isListed: state.listedAt !== undefined,
        trouble: state.trouble,
      },
    };
  });
}

/** Nothing that a snapshot is made of differs: a new version would only cost every cached list. */
function isSameInput(next: ServerInput, previous: ServerInput | undefined): boolean {
  if (previous === undefined || JSON.stringify(next.view) !== JSON.stringify(previous.view)) return false;
  const [a, b] = [next.definitions, previous.definitions];
  if (a === b) return true;
  if (a === undefined || b === undefined || a.entries.length !== b.entries.length) return false;
  const isSameEntry = (entry: RawDefinition, index: number): boolean =>
    entry.kind === b.entries[index]?.kind && entry.json.equals(b.entries[index].json);
  return a.entries.every(isSameEntry) && JSON.stringify(a.diagnostics) === JSON.stringify(b.diagnostics);
}

/**
 * Puts freshly walked kinds in place of the old ones. A partial answer never replaces a fuller one: what
 * a failed page would have held stays as it was last known.
 */
function mergeDefinitions(
  known: ServerDefinitions | undefined,
  found: ServerDefinitions,
  kinds: readonly DefinitionKind[],
): ServerDefinitions {
  if (known === undefined) return found;
  const walked = new Set(kinds);
  const keptKinds = DEFINITION_KINDS.filter((kind) => !walked.has(kind) || isShorter(kind, found, known));
  const kept = new Set(keptKinds);
  const entries = DEFINITION_KINDS.flatMap((kind) =>
    (kept.has(kind) ? known : found).entries.filter((entry) => entry.kind === kind),
  );
  const isOld = (item: Diagnostic): boolean => item.kind !== undefined && !walked.has(item.kind);
  return {
    entries,
    complete: found.complete,
    diagnostics: [...known.diagnostics.filter(isOld), ...found.diagnostics],
  };
}

function isShorter(kind: DefinitionKind, found: ServerDefinitions, known: ServerDefinitions): boolean {
  if (found.complete) return false;
  const count = (definitions: ServerDefinitions): number =>
    definitions.entries.filter((entry) => entry.kind === kind).length;
  return count(found) < count(known);
}

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
