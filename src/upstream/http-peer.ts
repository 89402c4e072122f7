import type { IncomingHttpHeaders } from 'node:http';
import type { GatewayError } from '../domain/index.ts';
import type { SseEvent } from '../wire/index.ts';
import type { ChannelCall } from './channel.ts';
import type { CallHandle, CallSink } from './connection.ts';
import type { HttpOrigin } from './http-origin.ts';
import type { InFlight } from './in-flight.ts';

/** What one call needs of the channel that it goes over. */
export interface HttpPeer {
  readonly table: InFlight;
  readonly origin: HttpOrigin;
  readonly messageBytes: number;
  readonly warn: (what: string) => void;
  /** Flat name, value list of a POST. */
  postHeaders(call: ChannelCall): string[];
  /** Every response's headers, for the session id. */
  sawHeaders(method: string, headers: IncomingHttpHeaders): void;
  readonly hasSession: boolean;
  /** Asks the server something harmless; false when it refuses that for the session's sake as well. */
  isSessionAlive(): Promise<boolean>;
  /** The session or the server is gone: new calls need a new connection, those in flight end by themselves. */
  lost(error: GatewayError): void;
  /** Sends a call again over a new session. */
  readonly resend: (call: ChannelCall, sink: CallSink) => CallHandle;
  tellCancelled(method: string, wireId: string, reason: string): void;
  /** Continues a legacy call's broken stream where it stopped; returns what ends that. */
  readonly reopen: (call: ResumableCall, lastEventId: string, retryMs: number | undefined) => () => void;
  /** Runs once after a while, on the shared timer. */
  linger(run: () => void, afterMs: number): void;
}

/** A call whose events may go on over another stream. */
export interface ResumableCall {
  readonly isEnded: boolean;
  takeEvent(event: SseEvent): void;
  failWith(error: GatewayError): void;
}
