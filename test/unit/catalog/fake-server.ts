import {
  DEFINITION_KINDS,
  type DefinitionKind,
  type GatewayError,
  type RawDefinition,
  type ServerDefinitions,
  serverId,
  type ServerId,
} from '../../../src/domain/index.ts';
import type {
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

/** One server that answers lists as the test says, and counts how often it was asked. */
export interface FakeServer extends Upstream {
  readonly listed: (readonly DefinitionKind[])[];
  readonly demanded: number;
  /** What the next walks find: definitions, an error to throw, or a promise to wait for. */
  answer: ServerDefinitions | GatewayError | Promise<ServerDefinitions>;
  /** Undefined while the server is not connected. */
  identity: UpstreamIdentity | undefined;
  connection: UpstreamConnection | undefined;
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
  demanded = 0;
  answer: FakeServer['answer'];
  identity: UpstreamIdentity | undefined;
  connection: UpstreamConnection | undefined;

  constructor(id: ServerId, answer: ServerDefinitions, identity: UpstreamIdentity) {
    this.id = id;
    this.answer = answer;
    this.identity = identity;
  }

  current(): UpstreamConnection | undefined {
    return this.connection;
  }

  connect(options: { readonly isDemanded?: boolean } = {}): Promise<UpstreamConnection> {
    if (options.isDemanded === true) this.demanded++;
    return this.connection === undefined
      ? Promise.reject(new Error('not connected'))
      : Promise.resolve(this.connection);
  }

  async list(kinds: readonly DefinitionKind[] = DEFINITION_KINDS): Promise<ServerDefinitions> {
    this.listed.push(kinds);
    const answer = await this.answer;
    if (answer instanceof Error) throw answer;
    return { ...answer, entries: answer.entries.filter((entry) => kinds.includes(entry.kind)) };
  }

  watch(): Promise<() => void> {
    return Promise.resolve(() => undefined);
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
