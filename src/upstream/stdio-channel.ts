import type { GatewayError } from '../domain/index.ts';
import { createLineSplitter, notificationFrame } from '../wire/index.ts';
import type { Channel, ChannelCall, ChannelEvents, UpstreamLogger } from './channel.ts';
import type { CallSink } from './connection.ts';
import type { Deadlines } from './deadlines.ts';
import type { Fail } from './failures.ts';
import { framesOrJunk } from './frames-of.ts';
import { createInFlight, type InFlight } from './in-flight.ts';
import { PendingCall } from './pending-call.ts';
import { startStdioProcess, type StdioProcessOptions } from './stdio-process.ts';
import { createSteadyWarning } from './steady-warning.ts';
import { createWriteBatch } from './write-batch.ts';

export interface StdioChannelDeps extends Pick<
  StdioProcessOptions,
  'command' | 'args' | 'cwd' | 'env' | 'reaper' | 'redact'
> {
  readonly deadlines: Deadlines;
  readonly fail: Fail;
  readonly logger: UpstreamLogger;
  readonly events: ChannelEvents;
  readonly ended: (call: PendingCall) => void;
  readonly messageBytes: number;
}

/** One process and the line-wise channel over its pipes. https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio */
export function openStdioChannel(deps: StdioChannelDeps): Channel {
  const warn = createSteadyWarning(deps.deadlines, deps.logger);
  let closing: Promise<void> | undefined;
  let failure: GatewayError | undefined;

  const table = createInFlight({
    deadlines: deps.deadlines,
    fail: deps.fail,
    events: deps.events,
    reply: (frame) => out.write(frame),
    ended: deps.ended,
    stray: warn,
    outdated: (error) => end(error),
  });
  const lines = createLineSplitter({
    maxLineBytes: deps.messageBytes,
    onLine: (line) => {
      for (const frame of framesOrJunk(line, warn)) table.receive(frame);
    },
    onTooLong: (lineBytes) => warn(`a line of ${lineBytes} bytes, above the limit of ${deps.messageBytes}`),
  });
  const end = (error: GatewayError): void => {
    if (failure !== undefined) return;
    failure = error;
    table.failAll(error);
    closing ??= child.stop();
    deps.events.closed(error);
  };
  const child = startStdioProcess({ ...deps, onData: (chunk) => lines.push(chunk), onEnd: end });
  const out = createWriteBatch(child.stdin);

  return {
    pid: child.pid,
    get isOpen() {
      return failure === undefined;
    },
    call: (call, sink) => startCall(call, sink, table, out.write, () => failure),
    deliver: (frame) => {
      out.write(frame);
      return Promise.resolve();
    },
    agreed: (era) => {
      table.isModern = era === 'modern';
    },
    established: () => undefined,
    close: async () => {
      end(deps.fail('UPSTREAM_CLOSED', 'was stopped'));
      await closing;
    },
  };
}

function startCall(
  call: ChannelCall,
  sink: CallSink,
  table: InFlight,
  write: (frame: Buffer) => void,
  failure: () => GatewayError | undefined,
): StdioCall {
  const pending = new StdioCall(table, call, sink, write);
  const error = failure();
  // Never from inside `call`: its caller does not hold the handle yet.
  if (error !== undefined) queueMicrotask(() => pending.failWith(error));
  else pending.send();
  return pending;
}

class StdioCall extends PendingCall {
  readonly #write: (frame: Buffer) => void;

  constructor(table: InFlight, call: ChannelCall, sink: CallSink, write: (frame: Buffer) => void) {
    super(table, call, sink, table.nextId());
    this.#write = write;
  }

  send(): void {
    this.#write(this.requestBytes());
  }

  /** Answers are handed over whole here, so there is never anything to go on with. */
  resume(): void {}

  protected override abandon(reason: string): void {
    // The handshake may not be cancelled: https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/cancellation
    if (this.call.method === 'initialize') return;
    const params = `{"requestId":${this.wireId},"reason":${JSON.stringify(reason)}}`;
    this.#write(Buffer.from(notificationFrame('notifications/cancelled', params)));
  }
}
