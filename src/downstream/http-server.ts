import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import type { ListenConfig } from '../config/index.ts';
import { createBag } from '../domain/index.ts';
import type { HttpEndpoint } from './http-endpoint.ts';
import type { Waiting, WaitingSet } from './http-exchange.ts';
import type { Perimeter } from './perimeter.ts';
import { createReportPage, type ReportSource } from './report-page.ts';

/** What the pages beside the endpoint show. */
export interface GatewayStatus {
  readonly isReady: boolean;
  readonly servers: readonly Readonly<Record<string, unknown>>[];
}

export interface HttpServerDeps {
  readonly listen: ListenConfig;
  readonly endpoint: HttpEndpoint;
  readonly perimeter: Perimeter;
  readonly waiting: WaitingRegister;
  readonly status: () => GatewayStatus;
  readonly metrics: () => string;
  readonly report: ReportSource;
  /** Called with every tick of the one coarse timer. */
  readonly sweep: () => void;
}

export interface HttpServer {
  /** Resolves with the address in use. @throws the system's error when the port is taken */
  listen(): Promise<AddressInfo>;
  /** Stops taking connections at once, lets open answers finish for `graceMs`, then cuts what is left. */
  close(graceMs: number): Promise<void>;
}

const TICK_MS = 5_000;
/** A silent request shows a sign of life after this long; proxies give up on silence after 30 seconds or more. */
const KEEP_ALIVE_AFTER_MS = 10_000;
/** Longer than the idle time after which common clients close a connection, so that none is cut in their hands. */
const IDLE_CONNECTION_MS = 75_000;
const CLOSE_SWEEP_MS = 50;

export interface WaitingRegister extends WaitingSet {
  /** True when no request is being served. */
  readonly isEmpty: boolean;
  /** Shows a sign of life to everything that has waited longer than `olderThanMs`. */
  keepAlive(nowMs: number, olderThanMs: number): void;
}

export function createWaitingRegister(): WaitingRegister {
  const waiting = createBag<Waiting>();
  return {
    get isEmpty() {
      return waiting.size === 0;
    },
    add: waiting.add,
    leave: waiting.leave,
    keepAlive: (nowMs, olderThanMs) => {
      for (const exchange of waiting.items()) if (nowMs - exchange.since >= olderThanMs) exchange.keepAlive();
    },
  };
}

/** The listener: the endpoint in front of everything, and the pages behind it. */
export function createHttpServer(deps: HttpServerDeps, now: () => number): HttpServer {
  // A name such as localhost may stand for several addresses, each with a server of its own; the first is the main one.
  const servers: Server[] = [];
  const app = Fastify({
    logger: false,
    serverFactory: (handler) => {
      const server = createServer({ keepAliveTimeout: IDLE_CONNECTION_MS }, (req, res) => {
        if (!deps.endpoint(req, res)) handler(req, res);
      });
      servers.push(server);
      return server;
    },
  });
  addPages(app, deps);
  let tick: NodeJS.Timeout | undefined;

  return {
    listen: async () => {
      await app.listen({ host: deps.listen.host, port: deps.listen.port });
      tick = setInterval(() => {
        deps.sweep();
        deps.waiting.keepAlive(now(), KEEP_ALIVE_AFTER_MS);
      }, TICK_MS);
      tick.unref();
      return servers[0]?.address() as AddressInfo;
    },
    close: async (graceMs) => {
      clearInterval(tick);
      const closeIdle = (): void => servers.forEach((server) => server.closeIdleConnections());
      // A connection becomes idle with its last answer, and hosts keep idle ones open.
      const sweep = setInterval(closeIdle, CLOSE_SWEEP_MS);
      const cut = setTimeout(() => servers.forEach((server) => server.closeAllConnections()), graceMs);
      closeIdle();
      await app.close();
      clearInterval(sweep);
      clearTimeout(cut);
    },
  };
}

function addPages(app: FastifyInstance, deps: HttpServerDeps): void {
  app.addHook('onRequest', async (request, reply) => {
    const fault = deps.perimeter.check(request.headers.host, request.headers.origin);
    if (fault !== undefined) await reply.code(fault.status).send({ error: fault.message });
  });
  app.get('/healthz', () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const { isReady, servers } = deps.status();
    await reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'starting', servers });
  });
  app.get('/metrics', async (_request, reply) => {
    await reply.type('text/plain; version=0.0.4').send(deps.metrics());
  });
  const report = createReportPage(deps.report);
  app.get('/report.json', async (request, reply) => {
    const { status, body } = await report(request.url);
    await reply.code(status).type('application/json').header('cache-control', 'no-store').send(body);
  });
  app.setNotFoundHandler(async (_request, reply) => {
    await reply.code(404).send({ error: 'Not found. The MCP endpoint is /mcp.' });
  });
}
