import { GatewayError } from '../domain/index.ts';
import { type Exchange, type Host, type HostRequest, type Hub, isLogLevel } from '../routing/index.ts';
import { respondWith } from './responses.ts';
import type { LegacySession } from './legacy-session.ts';

export interface LegacyMethodsDeps {
  readonly hub: Hub;
  /** Sends a session's new level to the connections that are open. */
  readonly applyLogLevel: (host: Host) => Promise<void>;
}

type Handler = (request: HostRequest, exchange: Exchange, session: LegacySession) => Promise<void> | void;

/** The methods that only the handshake era has. */
export function createLegacyMethods(deps: LegacyMethodsDeps): ReadonlyMap<string, Handler> {
  return new Map<string, Handler>([
    ['ping', (request, exchange) => respondWith(request, exchange, '{}')],
    [
      'logging/setLevel',
      async (request, exchange, session) => {
        const level = request.params['level'];
        if (!isLogLevel(level)) throw new GatewayError('REQUEST_PARAMS', 'params.level must be a log level');
        session.setLogLevel(level);
        await deps.applyLogLevel(session.host());
        respondWith(request, exchange, '{}');
      },
    ],
    [
      'resources/subscribe',
      async (request, exchange, session) => {
        await deps.hub.watch(session.subscriber, stringParam(request, 'uri'));
        respondWith(request, exchange, '{}');
      },
    ],
    [
      'resources/unsubscribe',
      (request, exchange, session) => {
        deps.hub.unwatch(session.subscriber, stringParam(request, 'uri'));
        respondWith(request, exchange, '{}');
      },
    ],
  ]);
}

function stringParam(request: HostRequest, key: string): string {
  const value = request.params[key];
  if (typeof value === 'string') return value;
  throw new GatewayError('REQUEST_PARAMS', `params.${key} must be a string`);
}
