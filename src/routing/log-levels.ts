import type { UpstreamConnection } from '../upstream/index.ts';
import type { Host } from './host.ts';
import { ownRequest } from './own-request.ts';

/** Least severe first. https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/logging */
const LOG_LEVELS: readonly string[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

export const isLogLevel = (level: unknown): level is string =>
  typeof level === 'string' && LOG_LEVELS.includes(level);

/**
 * Whether a host wants a message. A modern request gets none unless it asked; a handshake host that never
 * set a level gets what its server sends by itself.
 */
export function isLogWanted(host: Pick<Host, 'era' | 'logLevel'>, messageLevel: string | undefined): boolean {
  if (host.logLevel === undefined) return host.era === 'legacy';
  if (messageLevel === undefined) return false;
  return LOG_LEVELS.indexOf(messageLevel) >= LOG_LEVELS.indexOf(host.logLevel);
}

const isMoreVerbose = (level: string, than: string | undefined): boolean =>
  than === undefined || LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(than);

const SET_LEVEL_TIMEOUT_MS = 5_000;

/** Keeps the log level of handshake connections at what their hosts asked for, however late they opened. */
export interface LogLevels {
  /** True when the connection already sends what this host wants: the path of a call takes no promise. */
  isSettled(connection: UpstreamConnection, host: Host): boolean;
  /** Asks the server for the host's level. A server that refuses keeps its own level; the call goes on. */
  settle(connection: UpstreamConnection, host: Host): Promise<void>;
}

/**
 * A connection that several hosts share stays at the most verbose level that any of them asked for; each host is
 * sent only what it wants.
 */
export function createLogLevels(): LogLevels {
  const sent = new WeakMap<UpstreamConnection, string>();

  const wanted = (connection: UpstreamConnection, host: Host): string | undefined => {
    const level = host.era === 'legacy' ? host.logLevel : undefined;
    if (
      level === undefined ||
      connection.era === 'modern' ||
      connection.capabilities['logging'] === undefined
    )
      return undefined;
    return isMoreVerbose(level, sent.get(connection)) ? level : undefined;
  };

  return {
    isSettled: (connection, host) => wanted(connection, host) === undefined,
    settle: async (connection, host) => {
      const level = wanted(connection, host);
      if (level === undefined) return;
      // Before the answer, and whatever it is: a server that refuses, or says nothing, must not delay every call.
      sent.set(connection, level);
      const params = { method: 'logging/setLevel', paramsText: JSON.stringify({ level }) };
      await ownRequest(connection, { ...params, timeoutMs: SET_LEVEL_TIMEOUT_MS }).catch(() => undefined);
    },
  };
}
