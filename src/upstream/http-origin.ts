import type { Dispatcher } from 'undici';
import type { Fail } from './failures.ts';
import { nextHop } from './http-redirect.ts';

export interface HttpOriginOptions {
  readonly url: string;
  /** The entry's own headers, sent to this origin and to no other. */
  readonly headers: Readonly<Record<string, string>>;
  readonly connectMs: number;
  readonly maxConcurrency: number;
  readonly fail: Fail;
}

/** Connections to the origin of one server. */
export interface HttpOrigin {
  readonly url: URL;
  /** Flat name, value list of the entry's headers. */
  readonly headers: readonly string[];
  /** Sends one request; `url` is on this origin. */
  dispatch(
    method: 'POST' | 'GET' | 'DELETE',
    url: URL,
    headers: string[],
    body: Buffer | null,
    handler: Dispatcher.DispatchHandler,
  ): void;
  /** The URL of a redirect when it may be followed with everything the request carries. */
  follow(status: number, location: string | undefined, from: URL, hops: number): URL;
  /** Drops every connection at once. */
  close(): Promise<void>;
}

const POOLED_CONNECTIONS = 64;
/** Standing streams besides the calls. */
const SPARE_CONNECTIONS = 4;

/** Headers that belong to the connection or that this room writes itself. */
const RESERVED: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'keep-alive',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The HTTP client is loaded here, when a server first needs it. */
export async function openHttpOrigin(options: HttpOriginOptions): Promise<HttpOrigin> {
  // Its names are members of the default export alone once it stands in a bundle.
  const { Pool } = (await import('undici')).default;
  const url = new URL(options.url);
  const pool = new Pool(url.origin, {
    connections: Math.max(POOLED_CONNECTIONS, options.maxConcurrency + SPARE_CONNECTIONS),
    pipelining: 1,
    // Calls have deadlines of their own, and a listening stream may be silent for hours.
    bodyTimeout: 0,
    headersTimeout: 0,
    connect: { timeout: options.connectMs },
  });
  // An idle connection that breaks reports it here; the next request opens another.
  pool.on('connectionError', () => undefined);
  const headers = Object.entries(options.headers)
    .filter(([name]) => !RESERVED.has(name.toLowerCase()))
    .flat();
  return {
    url,
    headers,
    dispatch: (method, target, requestHeaders, body, handler) => {
      pool.dispatch(
        { method, path: target.pathname + target.search, headers: requestHeaders, body, blocking: false },
        handler,
      );
    },
    follow: (status, location, from, hops) => nextHop({ status, location, from, hops, fail: options.fail }),
    close: () => pool.destroy(),
  };
}
