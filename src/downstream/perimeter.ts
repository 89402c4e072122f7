import { isIP } from 'node:net';
import type { ListenConfig } from '../config/index.ts';

/** What is wrong with where a request claims to come from; undefined when nothing is. */
export interface PerimeterFault {
  readonly status: 403;
  readonly message: string;
}

export interface Perimeter {
  check(host: string | undefined, origin: string | undefined): PerimeterFault | undefined;
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);
const unbracket = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');

const isLoopback = (hostname: string): boolean =>
  LOOPBACK.has(hostname) ||
  (isIP(hostname) === 4 && hostname.startsWith('127.')) ||
  hostname.endsWith('.localhost');

/**
 * Keeps web pages of other sites away from a gateway on this machine: a name that an attacker points at the
 * loopback address still stands in `Host`, and the page's own site in `Origin`. Programs send no Origin and pass.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#security-endpoint
 */
export function createPerimeter(listen: ListenConfig): Perimeter {
  const isLocalOnly = isLoopback(unbracket(listen.host.toLowerCase()));
  const allowedHosts = new Set([...listen.allowedHosts, listen.host.toLowerCase()]);
  const allowedOrigins = new Set(listen.allowedOrigins);

  const isHostAllowed = (host: string): boolean => {
    const parsed = parseAuthority(host);
    if (parsed === undefined) return false;
    if (allowedHosts.has(host) || allowedHosts.has(parsed)) return true;
    // An address cannot be rebound: only a name can be pointed somewhere else.
    return isLoopback(parsed) || (!isLocalOnly && isIP(unbracket(parsed)) !== 0);
  };

  const judge: Perimeter['check'] = (rawHost, rawOrigin) => {
    const host = rawHost?.toLowerCase();
    if (host === undefined || !isHostAllowed(host)) {
      return { status: 403, message: 'Host is not allowed; add it to listen.allowedHosts' };
    }
    const origin = rawOrigin?.toLowerCase();
    if (origin === undefined || allowedOrigins.has(origin)) return undefined;
    const originHost = /^https?:\/\/(.+)$/.exec(origin)?.[1];
    const parsed = originHost === undefined ? undefined : parseAuthority(originHost);
    const isOwn = parsed !== undefined && (isLoopback(parsed) || originHost === host);
    return isOwn
      ? undefined
      : { status: 403, message: 'Origin is not allowed; add it to listen.allowedOrigins' };
  };

  // Nearly every request comes from where the one before it came from.
  let last:
    | {
        readonly host: string | undefined;
        readonly origin: string | undefined;
        readonly fault: PerimeterFault | undefined;
      }
    | undefined;
  return {
    check: (host, origin) => {
      if (last === undefined || last.host !== host || last.origin !== origin) {
        last = { host, origin, fault: judge(host, origin) };
      }
      return last.fault;
    },
  };
}

/** The host name of `host[:port]`; undefined for anything that is not just that. */
function parseAuthority(authority: string): string | undefined {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/.exec(authority)?.[1];
}

/** Headers that let a page of an allowed origin use the endpoint; none for programs. */
export function corsHeaders(origin: string | undefined): string[] {
  if (origin === undefined) return [];
  return [
    'access-control-allow-origin',
    origin,
    'access-control-expose-headers',
    'mcp-session-id, mcp-protocol-version, www-authenticate',
    'vary',
    'origin',
  ];
}

export function preflightHeaders(origin: string | undefined, requested: string | undefined): string[] {
  const headers =
    requested ??
    'content-type, accept, authorization, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id';
  return [
    ...corsHeaders(origin),
    'access-control-allow-methods',
    'GET, POST, DELETE, OPTIONS',
    'access-control-allow-headers',
    headers,
    'access-control-max-age',
    '600',
  ];
}
