import { PassThrough } from 'node:stream';
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstHttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport as FirstTransport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { startHttp } from '../../../servers/tickets/http.ts';
import { startStdio } from '../../../servers/tickets/stdio.ts';
import { openTracker } from '../../../servers/tickets/tracker.ts';
import type { Tracker } from '../../../servers/tickets/server.ts';

export const NOW: Date = new Date('2026-06-01T12:00:00.000Z');

export interface Running extends AsyncDisposable {
  readonly tracker: Tracker;
  readonly faults: Error[];
  /** Connects a client of the official SDK: v2 in the given era. */
  connect(era: 'modern' | 'legacy'): Promise<Client>;
  /** Connects a client of the SDK's first major version. */
  connectFirst(): Promise<FirstClient>;
}

/** Joins two ends in one process, through the same bytes that pipes would carry. */
function pipeTransport(input: PassThrough, output: PassThrough): Transport {
  const buffer = new ReadBuffer();
  const transport: Transport = {
    start() {
      output.on('data', (chunk: Buffer) => {
        buffer.append(chunk);
        for (let message = buffer.readMessage(); message !== null; message = buffer.readMessage()) {
          transport.onmessage?.(message);
        }
      });
      return Promise.resolve();
    },
    send(message) {
      input.write(serializeMessage(message));
      return Promise.resolve();
    },
    close() {
      input.end();
      transport.onclose?.();
      return Promise.resolve();
    },
  };
  return transport;
}

const modes = { modern: { pin: '2026-07-28' }, legacy: 'legacy' } as const;

export function newClient(era: 'modern' | 'legacy'): Client {
  return new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: modes[era] } });
}

function assemble(
  tracker: Tracker,
  faults: Error[],
  open: () => Transport,
  openFirst: () => FirstTransport,
  stop: () => Promise<void>,
): Running {
  const opened: { close(): Promise<void> }[] = [];
  return {
    tracker,
    faults,
    async connect(era) {
      const client = newClient(era);
      await client.connect(open());
      opened.push(client);
      return client;
    },
    async connectFirst() {
      const client = new FirstClient({ name: 'test', version: '1' });
      await client.connect(openFirst());
      opened.push(client);
      return client;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map((client) => client.close()));
      await stop();
      tracker.store.dispose();
    },
  };
}

function newTracker(): Tracker {
  return openTracker({ now: () => NOW });
}

export async function runHttp(): Promise<Running & { readonly url: string }> {
  const tracker = newTracker();
  const faults: Error[] = [];
  const server = await startHttp(tracker, { port: 0, onerror: (error) => faults.push(error) });
  const running = assemble(
    tracker,
    faults,
    () => new StreamableHTTPClientTransport(new URL(server.url)),
    () => new FirstHttpTransport(new URL(server.url)),
    () => server.close(),
  );
  return Object.assign(running, { url: server.url });
}

/** Every client gets streams of its own; all of them share the tracker, as several processes would share a file. */
export function runStdio(): Promise<Running> {
  const tracker = newTracker();
  const faults: Error[] = [];
  const servers: ReturnType<typeof startStdio>[] = [];
  const open = (): Transport => {
    const input = new PassThrough();
    const output = new PassThrough();
    servers.push(startStdio(tracker, input, output, (error) => faults.push(error)));
    return pipeTransport(input, output);
  };
  return Promise.resolve(
    assemble(
      tracker,
      faults,
      open,
      () => open() as FirstTransport,
      async () => void (await Promise.all(servers.map(({ closed }) => closed))),
    ),
  );
}
