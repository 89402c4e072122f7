import type { Era, GatewayError } from '../domain/index.ts';
import type { Frame } from '../wire/index.ts';
import type { CallHandle, CallSink, UpstreamCall } from './connection.ts';

/** A call of a host, or one that the gateway makes for itself. */
export interface ChannelCall extends UpstreamCall {
  /**
   * True for the gateway's own requests (handshake, lists, listen): they count as nobody's call when a
   * server's question must be tied to the one call in flight.
   */
  readonly isOwn?: boolean;
  /** True when it was sent before on a session that was lost: it is never sent a third time. */
  readonly isResent?: boolean;
}

/** What arrives outside any call. */
export interface ChannelEvents {
  notification(frame: Frame): void;
  request(frame: Frame): void;
  /** Once: the channel is gone, and every call on it has failed. */
  closed(error: GatewayError): void;
}

/** Raw frames to and from one peer. Both planes use the same channel: the handshake and the relay. */
export interface Channel {
  call(call: ChannelCall, sink: CallSink): CallHandle;
  /** Sends a notification or an answer; resolves when the peer took it, as far as the transport can tell. */
  deliver(frame: Buffer): Promise<void>;
  /** The revision that was agreed; until then no revision headers are added. */
  agreed(era: Era, protocolVersion: string): void;
  /** The handshake is complete: what listens beside the calls may begin. */
  established(): void;
  readonly isOpen: boolean;
  readonly pid: number | undefined;
  /** Ends the channel and what it owns; resolves when nothing is left. */
  close(): Promise<void>;
}

/** The part of pino's interface that this room needs. */
export interface UpstreamLogger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}
