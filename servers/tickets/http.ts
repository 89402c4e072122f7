import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  localhostHostValidation,
  localhostOriginValidation,
  toNodeHandler,
} from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { buildServer, factoryFor, type Tracker } from './server.ts';
import { ticketUri } from './ticket.ts';

const MAX_SESSIONS = 200;

interface LegacySessions {
  handle(request: Request): Promise<Response>;
  close(): Promise<void>;
}

function refusal(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status });
}

/** Sessions of clients that begin with `initialize`: they can subscribe, and so need a server that stays. */
function createLegacySessions(tracker: Tracker): LegacySessions {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();

  async function open(request: Request): Promise<Response> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    transport.onclose = () =>
      void (transport.sessionId !== undefined && sessions.delete(transport.sessionId));
    await buildServer(tracker, { era: 'legacy', lasting: true }).connect(transport);
    const response = await transport.handleRequest(request);
    // Clients may leave without a word; the longest unused session makes room.
    const [oldest] = sessions.values();
    if (sessions.size > MAX_SESSIONS) await oldest?.close();
    return response;
  }

  return {
    async handle(request) {
      const id = request.headers.get('mcp-session-id');
      if (id === null) {
        const body: unknown =
          request.method === 'POST'
            ? await request
                .clone()
                .json()
                .catch(() => undefined)
            : undefined;
        return isInitializeRequest(body)
          ? open(request)
          : refusal(400, -32000, 'An Mcp-Session-Id header is required');
      }
      const transport = sessions.get(id);
      if (transport === undefined) return refusal(404, -32001, 'There is no such session; initialize again');
      sessions.delete(id);
      sessions.set(id, transport);
      return transport.handleRequest(request);
    },
    async close() {
      await Promise.all([...sessions.values()].map((transport) => transport.close()));
    },
  };
}

export interface HttpServer {
  readonly url: string;
  close(): Promise<void>;
}

export interface HttpOptions {
  /** 0 takes a free port. */
  readonly port: number;
  readonly onerror: (error: Error) => void;
}

/** Serves `/mcp` on the loopback address only: the tracker has no users and so no way to tell callers apart. */
export async function startHttp(tracker: Tracker, options: HttpOptions): Promise<HttpServer> {
  const { onerror } = options;
  const modern = createMcpHandler(factoryFor(tracker, false), { legacy: 'reject', onerror });
  const legacy = createLegacySessions(tracker);
  const stopListening = tracker.changes.subscribe((change) => {
    if (change.kind === 'tools') modern.notify.toolsChanged();
    else if (change.kind === 'ticket-list') modern.notify.resourcesChanged();
    else modern.notify.resourceUpdated(ticketUri(change.id));
  });
  const fetch = async (request: Request): Promise<Response> =>
    (await isLegacyRequest(request)) ? legacy.handle(request) : modern.fetch(request);
  const handle = toNodeHandler({ fetch }, { onerror });
  const allowedHost = localhostHostValidation();
  const allowedOrigin = localhostOriginValidation();
  const listener = createServer((request, response) => {
    if (!allowedHost(request, response) || !allowedOrigin(request, response)) return;
    if (new URL(request.url ?? '/', 'http://localhost').pathname !== '/mcp') {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('The endpoint is /mcp\n');
      return;
    }
    // The adapter's type differs only in how it writes an absent member.
    void handle(request as Parameters<typeof handle>[0], response);
  });
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject).listen(options.port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}/mcp`,
    async close() {
      stopListening();
      const closed = new Promise<void>((resolve) => {
        listener.close(() => resolve());
      });
      await modern.close();
      await legacy.close();
      listener.closeAllConnections();
      await closed;
    },
  };
}
