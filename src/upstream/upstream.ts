import type {
  DefinitionKind,
  GatewayError,
  NativeUri,
  ServerDefinitions,
  ServerId,
} from '../domain/index.ts';
import type { ConnectionKey, UpstreamConnection, UpstreamIdentity } from './connection.ts';

export type UpstreamState = 'idle' | 'connecting' | 'ready' | 'backoff' | 'closed';

export interface UpstreamStatus {
  readonly state: UpstreamState;
  readonly transport: 'stdio' | 'http' | 'sse';
  readonly identity: UpstreamIdentity | undefined;
  readonly pid: number | undefined;
  readonly lastError: string | undefined;
  /** Milliseconds until the next attempt, while in backoff. */
  readonly retryInMs: number | undefined;
  readonly restarts: number;
}

/** One configured server: owns its process or sessions, and outlives each of them. */
export interface Upstream {
  readonly id: ServerId;
  /** The open connection for a key, when there is one: the path of a call takes no promise. */
  current(key?: ConnectionKey): UpstreamConnection | undefined;
  /**
   * Opens the connection for a key, or joins the attempt that is under way. Rejects with a `GatewayError`
   * (UPSTREAM_*) at once while in backoff, unless `isDemanded`: a caller's request makes one attempt.
   */
  connect(options?: {
    readonly key?: ConnectionKey;
    readonly isDemanded?: boolean;
  }): Promise<UpstreamConnection>;
  /** Walks the lists that the server advertises; kinds not named keep out. Uses the shared connection. */
  list(kinds?: readonly DefinitionKind[]): Promise<ServerDefinitions>;
  /**
   * Asks for `resourceUpdated` events of a URI: `resources/subscribe` or a listen filter, whichever the
   * era has. Counted by reference, re-established after a restart. Resolves to the function that gives it
   * up; rejects when the server cannot or will not watch it.
   */
  watch(uri: NativeUri): Promise<() => void>;
  /** Ends the connections of an owner that is gone. */
  release(owner: string): void;
  status(): UpstreamStatus;
  /** Ends every connection and process; resolves when nothing is left. */
  close(): Promise<void>;
}

/** What the gateway hears of a server's changes. */
export interface UpstreamEvents {
  /** The shared connection opened, first or again: lists may have changed. */
  connected(id: ServerId): void;
  disconnected(id: ServerId, error: GatewayError): void;
  /** The server says that a list changed. */
  listChanged(id: ServerId, kinds: readonly DefinitionKind[]): void;
  /** A watched resource changed. */
  resourceUpdated(id: ServerId, uri: NativeUri): void;
}
