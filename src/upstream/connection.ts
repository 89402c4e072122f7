import type { Era, GatewayError } from '../domain/index.ts';
import type { Frame } from '../wire/index.ts';

/** A request on its way to an upstream: finished bytes, and what the channel needs to know of them. */
export interface UpstreamCall {
  readonly method: string;
  /** The whole JSON-RPC frame, already in the upstream's era, with its native names and the caller's id. */
  readonly frame: Frame;
  /** Mirrored headers (`mcp-name`, `mcp-param-…`) as flat name, value, name, value; used over modern HTTP only. */
  readonly headers: readonly string[];
  /**
   * True when the caller must see the whole response before any of it goes on. Otherwise a large response
   * whose bytes need no edit is handed over as it arrives.
   */
  readonly wantsWhole: boolean;
  /** Milliseconds without a sign of life before the call is given up. */
  readonly idleMs: number;
  /** Milliseconds after which the call is given up whatever arrives. */
  readonly maxMs: number;
}

/**
 * Receives what one call brings. Ids and progress tokens arrive as the caller wrote them, value and type.
 * Exactly one of `response`, `responseEnd` and `failure` ends it; nothing follows the end.
 */
export interface CallSink {
  /** A notification, or a legacy server's request, that belongs to this call. */
  message(frame: Frame): void;
  /** The one response (result or error), whole. `status` is the HTTP status it came with, 200 elsewhere. */
  response(frame: Frame, status: number): void;
  /** A large response begins: raw bytes of one JSON-RPC response follow. */
  responseStart(lengthBytes: number | undefined): void;
  /** Returns false when the receiver is full: the channel pauses until the handle's `resume`. */
  responseChunk(chunk: Buffer): boolean;
  responseEnd(): void;
  /**
   * The server ended its stream in the middle of the call and asked to be polled: nothing will come for a while.
   * Absent where the caller has no use for it.
   */
  rest?(): void;
  failure(error: GatewayError): void;
}

export interface CallHandle {
  /** The caller is gone or gave up: tells the upstream, and the sink hears nothing more. */
  cancel(reason: string): void;
  /** Goes on after a `responseChunk` that returned false. */
  resume(): void;
}

/** What the upstream said of itself when the connection opened. */
export interface UpstreamIdentity {
  readonly era: Era;
  readonly protocolVersion: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly serverInfo: Readonly<Record<string, unknown>> | undefined;
  readonly instructions: string | undefined;
}

/** One open connection: a process, a legacy session, or a modern server that was discovered. */
export interface UpstreamConnection extends UpstreamIdentity {
  call(call: UpstreamCall, sink: CallSink): CallHandle;
  /** Sends a notification frame. */
  notify(frame: Buffer): void;
  /** Sends the answer to a request that this upstream made; the id in it is the upstream's own. */
  reply(frame: Buffer): void;
  readonly isOpen: boolean;
}

/** Messages of a connection that belong to no call; `owner` is that of its key, undefined for the shared one. */
export interface ConnectionEvents {
  /** A notification outside any call, such as a list change, an update or a log message. */
  notification(connection: UpstreamConnection, frame: Frame, owner: string | undefined): void;
  /**
   * A legacy server's request that cannot be tied to one call. Answer with `connection.reply`.
   */
  request(connection: UpstreamConnection, frame: Frame, owner: string | undefined): void;
  closed(connection: UpstreamConnection, error: GatewayError): void;
}

/**
 * Which connection a call needs. The shared one has no owner; a legacy host that can answer questions
 * has its own, opened with its capabilities, so that an answer cannot reach the wrong user.
 */
export interface ConnectionKey {
  readonly owner: string;
  /** Capabilities declared in the handshake. */
  readonly capabilities: Readonly<Record<string, unknown>>;
}
