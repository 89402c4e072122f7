import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline, Transform } from 'node:stream';

/** One request as it passed through. */
export interface Exchange {
  readonly httpMethod: string;
  readonly headers: IncomingHttpHeaders;
  readonly bodyText: string;
}

export interface Relay {
  readonly url: string;
  /** Everything that has passed through, oldest first. */
  readonly exchanges: readonly Exchange[];
  readonly stop: () => Promise<void>;
}

/**
 * Passes HTTP on byte by byte, the Host header included, and remembers what went to the server. `alter` may
 * change the bytes of answers; it must keep their number, as a length may already have been announced.
 */
export async function startRelay(targetUrl: string, alter?: (chunk: Buffer) => Buffer): Promise<Relay> {
  const target = new URL(targetUrl);
  const exchanges: Exchange[] = [];
  const server = createServer((req, res) => pass(req, res, target, exchanges, alter));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve());
  });
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}${target.pathname}`,
    exchanges,
    stop() {
      const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return stopped;
    },
  };
}

function pass(
  req: IncomingMessage,
  res: ServerResponse,
  target: URL,
  exchanges: Exchange[],
  alter: ((chunk: Buffer) => Buffer) | undefined,
): void {
  const { method = 'GET', headers } = req;
  const outgoing = request({
    host: '127.0.0.1',
    port: target.port,
    path: req.url,
    method,
    // As received: names keep their case and repeated headers stay repeated.
    headers: pairs(req.rawHeaders),
  });
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () =>
    exchanges.push({ httpMethod: method, headers, bodyText: Buffer.concat(chunks).toString() }),
  );
  outgoing.on('response', (answer) => {
    res.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    res.flushHeaders();
    const altering = new Transform({
      transform: (chunk: Buffer, _encoding, done) => done(null, alter?.(chunk) ?? chunk),
    });
    pipeline(answer, altering, res, () => undefined);
  });
  outgoing.on('error', () => res.destroy());
  // A client that goes away must be seen to go away by the server.
  res.on('close', () => outgoing.destroy());
  pipeline(req, outgoing, () => undefined);
}

function pairs(rawHeaders: readonly string[]): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    const value = rawHeaders[index + 1] as string;
    const before = headers[name];
    headers[name] = before === undefined ? value : [before, value].flat();
  }
  return headers;
}
