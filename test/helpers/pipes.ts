import { PassThrough } from 'node:stream';
import type { Gateway } from '../../src/gateway.ts';
import type { Message } from './raw-http.ts';

/** The host's end of two pipes to a gateway in this process. */
export interface PipeHost {
  readonly input: PassThrough;
  readonly output: PassThrough;
  /** Everything that came, line by line; an array for a batch. */
  readonly lines: readonly (Message | readonly Message[])[];
  /** True once the gateway has noticed that the host is gone. */
  readonly isClosed: () => boolean;
  say(message: Readonly<Record<string, unknown>> | string): void;
  /** Resolves with the first line that matches, or that did already. */
  until(isWanted: (message: Message) => boolean): Promise<Message>;
  ask(method: string, params?: Readonly<Record<string, unknown>>, id?: unknown): Promise<Message>;
}

export function openPipes(gateway: Gateway, profile = 'default'): PipeHost {
  const input = new PassThrough();
  const output = new PassThrough();
  const lines: (Message | Message[])[] = [];
  const waiting = new Set<() => void>();
  let rest = '';
  let isClosed = false;
  let lastId = 0;
  output.setEncoding('utf8');
  output.on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) lines.push(JSON.parse(part) as Message);
    for (const look of [...waiting]) look();
  });
  gateway.serveStdio({ input, output, profile, onClosed: () => (isClosed = true) });

  const say: PipeHost['say'] = (message) => {
    const text = typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message });
    input.write(`${text}\n`);
  };
  const until: PipeHost['until'] = (isWanted) =>
    new Promise((found) => {
      const look = (): void => {
        const message = lines.flat().find(isWanted);
        if (message === undefined) return;
        waiting.delete(look);
        found(message);
      };
      waiting.add(look);
      look();
    });
  return {
    input,
    output,
    lines,
    isClosed: () => isClosed,
    say,
    until,
    ask: (method, params, id = ++lastId) => {
      say({ id, method, ...(params === undefined ? {} : { params }) });
      return until((message) => message.id === id && message.method === undefined);
    },
  };
}
