import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { isFields, type Answer, type Ask, type Fields, type Peer, type Target } from '../ask.ts';
import { answerIn, initializedNotification, initializeRequest, legacyRequest, modernRequest } from './rpc.ts';

const ANSWER_MS = 60_000;
const STOP_MS = 5_000;

export interface RawConnection {
  readonly era: 'modern' | 'legacy';
  ask(ask: Ask): Promise<Answer>;
  /** Result of `initialize` or `server/discover`. */
  readonly opening: Fields;
  close(): Promise<void>;
}

interface Wire {
  send(message: Fields): void;
  /** Waits for the response with this id. */
  receive(id: unknown): Promise<unknown>;
  close(): Promise<void>;
}

/** This client has no folders to offer, and nobody who could be asked. */
function replyTo({ id, method }: Fields): Fields {
  if (method === 'roots/list') return { jsonrpc: '2.0', id, result: { roots: [] } };
  if (method === 'ping') return { jsonrpc: '2.0', id, result: {} };
  return { jsonrpc: '2.0', id, error: { code: -32601, message: 'Nobody is here to answer' } };
}

function openWire(target: Extract<Target, { kind: 'stdio' }>): Wire {
  const { command, args, cwd, env } = target;
  const child = spawn(command, args, { cwd, stdio: 'pipe', env: env ?? process.env });
  let lastWords = '';
  child.stderr.on('data', (chunk: Buffer) => {
    lastWords = (lastWords + chunk.toString()).slice(-2_000);
  });
  child.stdin.on('error', () => undefined);
  const waiting = new Map<unknown, { take(message: unknown): void; fail(error: Error): void }>();
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
  void ended.then(() => {
    for (const { fail } of waiting.values()) fail(new Error(`${command} ended: ${lastWords}`));
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!line.trimStart().startsWith('{')) return;
    const message = JSON.parse(line) as unknown;
    if (!isFields(message)) return;
    if (!('method' in message)) waiting.get(message['id'])?.take(message);
    else if ('id' in message) child.stdin.write(`${JSON.stringify(replyTo(message))}\n`);
  });
  return {
    send: (message) => void child.stdin.write(`${JSON.stringify(message)}\n`),
    receive: (id) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`No answer to ${String(id)}: ${lastWords}`)),
          ANSWER_MS,
        );
        const done = () => {
          clearTimeout(timer);
          waiting.delete(id);
        };
        waiting.set(id, {
          take(message) {
            done();
            resolve(message);
          },
          fail(error) {
            done();
            reject(error);
          },
        });
      }),
    async close() {
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}

async function exchange(wire: Wire, request: Fields): Promise<Answer> {
  const received = wire.receive(request['id']);
  wire.send(request);
  return answerIn(await received, request['id']);
}

/** Speaks to a process in the newest era that it knows, or in the one given, and hands on the JSON as it came. */
export async function connectRaw(
  target: Extract<Target, { kind: 'stdio' }>,
  era: 'auto' | 'modern' | 'legacy',
): Promise<RawConnection> {
  const wire = openWire(target);
  try {
    let id = 0;
    if (era !== 'legacy') {
      const probe: Fields = modernRequest(id, { method: 'server/discover' as Ask['method'] });
      const answer = await exchange(wire, probe);
      if ('result' in answer) {
        return {
          era: 'modern',
          opening: answer.result,
          ask: (ask) => exchange(wire, modernRequest((id += 1), ask)),
          close: () => wire.close(),
        };
      }
      if (era === 'modern') throw new Error(`server/discover failed: ${JSON.stringify(answer.error)}`);
    }
    const answer = await exchange(wire, initializeRequest);
    if (!('result' in answer)) throw new Error(`initialize failed: ${JSON.stringify(answer.error)}`);
    wire.send(initializedNotification);
    return {
      era: 'legacy',
      opening: answer.result,
      ask: (ask) => exchange(wire, legacyRequest((id += 1), ask)),
      close: () => wire.close(),
    };
  } catch (error) {
    await wire.close();
    throw error;
  }
}

export function rawStdio(era: 'modern' | 'legacy'): Peer {
  return {
    name: `raw lines, ${era}`,
    reaches: ['stdio'],
    async run(target, asks) {
      if (target.kind !== 'stdio') throw new Error('This peer speaks over standard streams only');
      const connection = await connectRaw(target, era);
      try {
        const answers: Answer[] = [];
        for (const ask of asks) answers.push(await connection.ask(ask));
        return { era: connection.era, answers };
      } finally {
        await connection.close();
      }
    },
  };
}
