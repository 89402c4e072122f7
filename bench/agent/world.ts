import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ToolServer } from '../budget/catalog-of.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Stateless servers that list given tools, refuse calls that lack what is required, and count the others. */
export interface World extends AsyncDisposable {
  /** The `servers` block of a configuration. */
  readonly servers: Readonly<Record<string, Fields>>;
  /** Calls that were served, as `server__tool`. */
  readonly served: readonly string[];
}

interface Request {
  readonly id?: unknown;
  readonly method: string;
  readonly params: Fields;
}

export async function startWorld(servers: readonly ToolServer[]): Promise<World> {
  const served: string[] = [];
  const byName = new Map(servers.map((one) => [one.server, one.tools as readonly Fields[]]));
  const http = createServer((req, res) => {
    const parts: Buffer[] = [];
    req.on('data', (chunk: Buffer) => parts.push(chunk));
    req.on('end', () => {
      const server = (req.url ?? '').slice(1);
      if (req.method !== 'POST') return res.writeHead(405).end();
      const request = JSON.parse(Buffer.concat(parts).toString('utf8')) as Request;
      const result = resultOf(request, server, byName.get(server) ?? [], served);
      // A subscription stays open without a word.
      if (request.method === 'subscriptions/listen')
        return res.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      res.writeHead(200, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ jsonrpc: '2.0', id: request.id, result }));
    });
  });
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening));
  const { port } = http.address() as AddressInfo;
  return {
    served,
    servers: Object.fromEntries(
      servers.map(({ server }) => [server, { url: `http://127.0.0.1:${port}/${server}` }]),
    ),
    [Symbol.asyncDispose]: () =>
      new Promise((closed) => {
        http.closeAllConnections();
        http.close(() => closed());
      }),
  };
}

function resultOf(
  { method, params }: Request,
  server: string,
  tools: readonly Fields[],
  served: string[],
): Fields {
  const complete = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
  if (method === 'server/discover')
    return { ...complete, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } };
  if (method === 'tools/list') return { ...complete, tools };
  const tool = tools.find(({ name }) => name === params['name']);
  const { required = [] } = (tool?.['inputSchema'] ?? {}) as { readonly required?: readonly string[] };
  const args = (params['arguments'] ?? {}) as Fields;
  const isRefused = tool === undefined || required.some((name) => !(name in args));
  if (!isRefused) served.push(`${server}__${String(params['name'])}`);
  return {
    ...complete,
    content: [{ type: 'text', text: isRefused ? 'refused' : 'done' }],
    isError: isRefused,
  };
}
