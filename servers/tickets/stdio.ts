import { PassThrough, type Readable, type Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport, type StdioServerHandle } from '@modelcontextprotocol/server/stdio';
import { factoryFor, type Tracker } from './server.ts';

/** Long enough to answer what was asked just before the end of input, short enough not to look stuck. */
const DRAIN_MS = 1_500;

interface Drained {
  readonly transport: Transport;
  readonly closed: Promise<void>;
}

function idOf(message: JSONRPCMessage): string | undefined {
  return 'id' in message && message.id !== undefined ? JSON.stringify(message.id) : undefined;
}

/** The request id that a cancellation takes back: it will not be answered any more. */
function cancelledId(message: JSONRPCMessage): string | undefined {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return undefined;
  return JSON.stringify(message.params?.['requestId']);
}

/**
 * Standard streams as a transport that answers what it has read before it closes. The SDK's own one drops requests in
 * flight as soon as its input ends, which loses every answer when the requests come from a pipe.
 */
function createDrainingTransport(input: Readable, output: Writable): Drained {
  const pending = new Set<string>();
  const source = new PassThrough();
  const inner = new StdioServerTransport(source, output);
  let ended = false;
  let timer: NodeJS.Timeout | undefined;
  const endWhenIdle = (): void => {
    if (ended && pending.size === 0) source.end();
  };
  const onEnd = (): void => {
    if (ended) return;
    ended = true;
    timer = setTimeout(() => source.end(), DRAIN_MS);
    // The last lines may still be on their way through the stream.
    setImmediate(() => setImmediate(endWhenIdle));
  };
  input.on('end', onEnd).on('close', onEnd);
  input.pipe(source, { end: false });

  const closed = new Promise<void>((resolve) => {
    inner.onclose = () => {
      clearTimeout(timer);
      input.unpipe(source);
      input.pause();
      transport.onclose?.();
      resolve();
    };
  });
  const transport: Transport = {
    start: () => inner.start(),
    close: () => inner.close(),
    async send(message) {
      await inner.send(message);
      const id = 'method' in message ? undefined : idOf(message);
      if (id !== undefined && pending.delete(id)) endWhenIdle();
    },
  };
  inner.onerror = (error) => transport.onerror?.(error);
  inner.onmessage = (message) => {
    const id = 'method' in message ? idOf(message) : undefined;
    if (id !== undefined && 'method' in message && message.method !== 'subscriptions/listen') pending.add(id);
    const cancelled = cancelledId(message);
    transport.onmessage?.(message);
    if (cancelled !== undefined && pending.delete(cancelled)) endWhenIdle();
  };
  return { transport, closed };
}

export interface StdioServer {
  /** Resolves when the client has gone or `close` was called. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

export function startStdio(
  tracker: Tracker,
  input: Readable,
  output: Writable,
  onerror: (error: Error) => void,
): StdioServer {
  const { transport, closed } = createDrainingTransport(input, output);
  const handle: StdioServerHandle = serveStdio(factoryFor(tracker, true), { transport, onerror });
  return { closed, close: () => handle.close() };
}
