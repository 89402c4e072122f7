import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Fields = Readonly<Record<string, unknown>>;

/** One request as the upstream saw it. */
export interface Seen {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly message: {
    readonly id?: unknown;
    readonly method: string;
    readonly params: Readonly<Record<string, unknown>>;
  };
  /** The connection broke before the answer was complete. */
  hasLeft: boolean;
}

export interface ModernUpstream extends AsyncDisposable {
  readonly url: string;
  readonly seen: readonly Seen[];
  /** Tells everybody who listens. */
  tell(method: string, params?: Fields): void;
}

export interface ModernUpstreamOptions {
  readonly tools: readonly Fields[];
  /** Answers what is not about lists. */
  readonly answer: (seen: Seen, res: ServerResponse) => void;
}

/** A server of the stateless revision that is written by hand, so that tests see and send exact bytes. */
export async function startModernUpstream(options: ModernUpstreamOptions): Promise<ModernUpstream> {
  const seen: Seen[] = [];
  const own: Readonly<Record<string, Fields>> = {
    'server/discover': {
      supportedVersions: ['2026-07-28'],
      capabilities: {
        tools: { listChanged: true },
        prompts: {},
        resources: { subscribe: true },
        completions: {},
      },
    },
    'tools/list': { tools: options.tools },
    'prompts/list': { prompts: [{ name: 'greet' }] },
    'resources/list': { resources: [{ uri: 'far://one', name: 'one' }] },
    'resources/templates/list': { resourceTemplates: [] },
  };
  const listeners = new Set<(method: string, params: Fields) => void>();
  const metaOf = (id: unknown): Fields => ({ 'io.modelcontextprotocol/subscriptionId': id });
  const listen = (one: Seen, res: ServerResponse): void => {
    const { id, params } = one.message;
    const send = streamOn(res);
    const acknowledged = { _meta: metaOf(id), notifications: params['notifications'] };
    send({ method: 'notifications/subscriptions/acknowledged', params: acknowledged });
    const tell = (method: string, told: Fields): void =>
      void send({ method, params: { ...told, _meta: metaOf(id) } });
    listeners.add(tell);
    res.on('close', () => listeners.delete(tell));
  };
  const server = createServer((req, res) => {
    const parts: Buffer[] = [];
    req.on('data', (chunk: Buffer) => parts.push(chunk));
    req.on('end', () => {
      const body = Buffer.concat(parts).toString('utf8');
      if (req.method !== 'POST') return res.writeHead(405).end();
      const one: Seen = {
        headers: req.headers,
        body,
        message: JSON.parse(body) as Seen['message'],
        hasLeft: false,
      };
      res.on('close', () => (one.hasLeft = !res.writableFinished));
      seen.push(one);
      if (one.message.method === 'subscriptions/listen') return listen(one, res);
      const result = own[one.message.method];
      if (result === undefined) return options.answer(one, res);
      const complete = { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...result };
      answerWith(res, JSON.stringify({ jsonrpc: '2.0', id: one.message.id, result: complete }));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    seen,
    tell: (method, params = {}) => {
      for (const listener of listeners) listener(method, params);
    },
    [Symbol.asyncDispose]: () =>
      new Promise((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
}

/** Sends one document as the whole answer. */
export function answerWith(res: ServerResponse, text: string, status = 200): void {
  res.writeHead(status, { 'content-type': 'application/json' });
  res.end(text);
}

/** Begins an event stream; the returned function sends one message on it. */
export function streamOn(res: ServerResponse): (message: Fields) => boolean {
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  return (message) => res.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
}
