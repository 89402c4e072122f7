import {
  DEFINITION_KINDS,
  type DefinitionKind,
  GatewayError,
  type RawDefinition,
  type ServerDefinitions,
  serverId,
  type ServerId,
} from '../../../src/domain/index.ts';
import type {
  ConnectionKey,
  Upstream,
  UpstreamConnection,
  UpstreamIdentity,
  UpstreamStatus,
} from '../../../src/upstream/index.ts';

/** Definitions as values, or as JSON text where the bytes matter. */
export type Declared = Partial<Record<DefinitionKind, readonly (object | string)[]>>;

export function definitionsOf(declared: Declared, complete = true): ServerDefinitions {
  const entries = DEFINITION_KINDS.flatMap((kind) =>
    (declared[kind] ?? []).map((entry): RawDefinition => rawDefinition(kind, entry)),
  );
  return { entries, complete, diagnostics: [] };
}

export const rawDefinition = (kind: DefinitionKind, entry: object | string): RawDefinition => ({
  kind,
  json: Buffer.from(typeof entry === 'string' ? entry : JSON.stringify(entry)),
});

export const tool = (name: string, more: object = {}): object => ({
  name,
  description: `does ${name}`,
  inputSchema: { type: 'object' },
  ...more,
});
export const prompt = (name: string, more: object = {}): object => ({ name, ...more });
export const resource = (uri: string, more: object = {}): object => ({ uri, name: uri, ...more });
export const template = (uriTemplate: string, more: object = {}): object => ({
  uriTemplate,
  name: uriTemplate,
  ...more,
});

const EVERYTHING = { tools: {}, prompts: {}, resources: {}, completions: {}, logging: {} };

/** One server that answers as the test says, and remembers what it was asked. */
export interface FakeServer extends Upstream {
  readonly listed: (readonly DefinitionKind[])[];
  /** The keys that connections were asked for with a demand; undefined stands for the shared one. */
  readonly demanded: (ConnectionKey | undefined)[];
  readonly watched: { readonly uri: string; isReleased: boolean }[];
  /** What the next walks find: definitions, an error to throw, or a promise to wait for. */
  answer: ServerDefinitions | GatewayError | Promise<ServerDefinitions>;
  /** Undefined while the server is not connected. */
  identity: UpstreamIdentity | undefined;
  connection: UpstreamConnection | undefined;
  /** What opening the shared connection brings. */
  opening: UpstreamConnection | GatewayError | Promise<UpstreamConnection>;
  /** The connections of hosts of their own, by owner; undefined for a server that has none. */
  owned: Map<string, UpstreamConnection> | undefined;
  /** What a wish to watch brings. */
  watching: Promise<void>;
}

export function fakeServer(
  id: string,
  declared: Declared = {},
  more: Partial<UpstreamIdentity> = {},
): FakeServer {
  return new Fake(serverId(id), definitionsOf(declared), {
    era: 'modern',
    protocolVersion: '2026-07-28',
    capabilities: EVERYTHING,
    serverInfo: undefined,
    instructions: undefined,
    ...more,
  });
}

class Fake implements FakeServer {
  readonly id: ServerId;
  readonly listed: (readonly DefinitionKind[])[] = [];
  readonly demanded: (ConnectionKey | undefined)[] = [];
  readonly watched: { readonly uri: string; isReleased: boolean }[] = [];
  answer: FakeServer['answer'];
  identity: UpstreamIdentity | undefined;
  connection: UpstreamConnection | undefined;
  opening: FakeServer['opening'] = new GatewayError('UPSTREAM_UNREACHABLE', 'nothing listens there');
  owned: Map<string, UpstreamConnection> | undefined;
  watching: Promise<void> = Promise.resolve();

  constructor(id: ServerId, answer: ServerDefinitions, identity: UpstreamIdentity) {
    this.id = id;
    this.answer = answer;
    this.identity = identity;
  }

  current(key?: ConnectionKey): UpstreamConnection | undefined {
    return key === undefined || this.owned === undefined ? this.connection : this.owned.get(key.owner);
  }

  async connect(
    options: { readonly key?: ConnectionKey; readonly isDemanded?: boolean } = {},
  ): Promise<UpstreamConnection> {
    const { key, isDemanded } = options;
    if (isDemanded === true) this.demanded.push(key);
    const open = this.current(key);
    if (open !== undefined) return open;
    const opened = await this.opening;
    if (opened instanceof Error) throw opened;
    if (key === undefined) this.connection = opened;
    else this.owned?.set(key.owner, opened);
    return opened;
  }

  async list(kinds: readonly DefinitionKind[] = DEFINITION_KINDS): Promise<ServerDefinitions> {
    this.listed.push(kinds);
    const answer = await this.answer;
    if (answer instanceof Error) throw answer;
    return { ...answer, entries: answer.entries.filter((entry) => kinds.includes(entry.kind)) };
  }

  async watch(uri: string): Promise<() => void> {
    const watch = { uri, isReleased: false };
    this.watched.push(watch);
    await this.watching;
    return () => {
      watch.isReleased = true;
    };
  }

  release(): void {
    // Nothing is held here.
  }

  status(): UpstreamStatus {
    return {
      state: this.identity === undefined ? 'backoff' : 'ready',
      transport: 'stdio',
      identity: this.identity,
      pid: undefined,
      lastError: undefined,
      retryInMs: undefined,
      restarts: 0,
    };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
