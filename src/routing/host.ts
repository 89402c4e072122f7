import type { Era, GatewayError, Principal, ServerId } from '../domain/index.ts';
import type { Frame, Member } from '../wire/index.ts';

/** Who sent a request, as far as this request says; nothing is inferred from earlier ones in the modern era. */
export interface Host {
  readonly principal: Principal;
  readonly era: Era;
  readonly protocolVersion: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly clientInfo: Readonly<Record<string, unknown>> | undefined;
  /** Key of the legacy session; undefined for modern requests. */
  readonly sessionKey: string | undefined;
  /** The level below which a legacy session or a modern request wants no log messages; undefined wants none. */
  readonly logLevel: string | undefined;
}

/** A request of a host, read once: its bytes, their spans, and the parsed value. */
export interface HostRequest {
  readonly host: Host;
  readonly frame: Frame;
  readonly method: string;
  /** The id exactly as the host wrote it. */
  readonly idText: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly paramsSpan: Member | undefined;
  /** A header of this request, by lower-case name; undefined where headers do not carry meaning. */
  readonly headerOf: ((name: string) => string | undefined) | undefined;
  /** All `mcp-param-…` headers of this request, as flat lower-case name, value. */
  readonly paramHeaders?: () => readonly string[];
}

/** What the log, the metrics and the ledger are told about a request while it is served. */
export interface RequestNotes {
  upstream?: ServerId;
  name?: string;
  /** The name under which the called tool is exposed; for a call through a meta-tool, the real one's. */
  tool?: string;
  /** Tokens of all tool definitions in the answer, those of meta-tools included. */
  definitionTokens?: number;
  /** Tokens of the definitions of meta-tools among them. */
  metaToolTokens?: number;
  /** What the full definitions of all visible tools would have cost; once for a list. */
  visibleTokens?: number;
  /** The answer came from a cache of the gateway's. */
  isCached?: boolean;
  /** The text of a search's answer. It is counted and let go of. */
  searchAnswer?: string;
  /** The bytes of a tool's result, where results are counted. They are counted and let go of. */
  result?: Uint8Array;
}

/**
 * The one way to answer a request. Exactly one of `respond`, `respondEnd` and `fail` ends it; what comes
 * later is dropped, because the host has its answer or is gone.
 */
export interface Exchange {
  readonly notes: RequestNotes;
  /** A notification on the request's own stream. */
  message(frame: Buffer): void;
  /**
   * Puts an upstream's request to the host and hands the answer back, with the host's id in it. Returns
   * false when the host cannot be asked, so that the upstream is refused at once instead of waiting.
   */
  ask(frame: Frame, onAnswer: (answer: Frame) => void): boolean;
  respond(frame: Buffer, status: number): void;
  respondStart(lengthBytes: number | undefined): void;
  /** Returns false when the host reads slower than this arrives; `onDrain` tells when to go on. */
  respondChunk(chunk: Buffer): boolean;
  respondEnd(): void;
  fail(error: GatewayError): void;
  /** Nothing will come for a while: a host that can come back later need not hold its connection open. */
  rest(): void;
  /**
   * The host gave the request up. Called at most once, and not after the end; at once where the host had left
   * before anybody worked on the request.
   */
  onCancel(listener: (reason: string) => void): void;
  onDrain(listener: () => void): void;
}
