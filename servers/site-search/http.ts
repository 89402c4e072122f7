import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  localhostHostValidation,
  localhostOriginValidation,
  originValidation,
  toNodeHandler,
} from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { McpServer } from '@modelcontextprotocol/server';

const ENDPOINT = '/mcp';
/** How long open exchanges may go on after the end was asked for; every answer takes milliseconds. */
const CLOSE_GRACE_MS = 1_000;

export interface HttpOptions {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly onError: (error: Error) => void;
}

export interface HttpService {
  readonly url: string;
  /** Resolves when no socket is left. */
  readonly close: () => Promise<void>;
}

/** Serves both eras at `/mcp`. Rejects when the address cannot be taken. */
export async function serveOverHttp(
  createServerInstance: () => McpServer,
  { host, port, onError }: HttpOptions,
): Promise<HttpService> {
  const handler = createMcpHandler(createServerInstance, { onerror: onError });
  const answer = toNodeHandler(handler, { onerror: onError });
  const isAllowed = createGuard(host);
  const listener = createServer((request, response) => {
    if (!isAllowed(request, response) || !isEndpoint(request, response)) return;
    // The adapter's type differs only in how it writes an absent member.
    void answer(request as Parameters<typeof answer>[0], response);
  });
  await listen(listener, host, port);
  const { address, family, port: boundPort } = listener.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${boundPort}${ENDPOINT}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => listener.close(() => resolve()));
      await handler.close();
      listener.closeIdleConnections();
      const timer = setTimeout(() => listener.closeAllConnections(), CLOSE_GRACE_MS);
      await closed;
      clearTimeout(timer);
    },
  };
}

/**
 * A page of another origin must not reach a server on this machine. On a loopback address the Host header
 * is checked too, against names that were made to resolve to it; on another address the names that lead
 * here are not known, and the Origin that browsers send with every POST is what remains.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
function createGuard(host: string): (request: IncomingMessage, response: ServerResponse) => boolean {
  if (!isLoopback(host)) return originValidation(['localhost', '127.0.0.1', '[::1]', host]);
  const isHostAllowed = localhostHostValidation();
  const isOriginAllowed = localhostOriginValidation();
  return (request, response) => isHostAllowed(request, response) && isOriginAllowed(request, response);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

/** Answers what is not a POST to the endpoint. `Allow` tells a client that there is no stream to wait for. */
function isEndpoint(request: IncomingMessage, response: ServerResponse): boolean {
  const path = request.url?.split('?', 1)[0];
  if (path !== ENDPOINT) {
    response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' });
    response.end(`Not found. The MCP endpoint is ${ENDPOINT}.\n`);
    return false;
  }
  if (request.method !== 'POST') {
    response.writeHead(405, { allow: 'POST', 'content-type': 'text/plain; charset=utf-8' });
    response.end('The MCP endpoint takes POST only.\n');
    return false;
  }
  return true;
}

async function listen(listener: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(port, host, () => {
      listener.off('error', reject);
      resolve();
    });
  });
}
