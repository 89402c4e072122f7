import type { ConnectionKey, Upstream, UpstreamConnection } from '../upstream/index.ts';
import type { Host } from './host.ts';

const ANSWERABLE = ['sampling', 'elicitation', 'roots'] as const;

/**
 * The key of the connection that a host needs of its own: a handshake server declares nothing about whom it
 * asks, so a host that can answer has a session opened with its own capabilities, and questions on it can only
 * be meant for that host. Undefined where the shared connection serves.
 */
export function ownKeyOf(host: Host, connection: UpstreamConnection): ConnectionKey | undefined {
  if (host.sessionKey === undefined || connection.era === 'modern') return undefined;
  const declared = ANSWERABLE.filter((name) => host.capabilities[name] !== undefined);
  if (declared.length === 0) return undefined;
  return {
    owner: host.sessionKey,
    capabilities: Object.fromEntries(declared.map((name) => [name, host.capabilities[name]])),
  };
}

/** The same, as far as the shared connection is open and its era is known. */
export function ownKey(host: Host, upstream: Upstream): ConnectionKey | undefined {
  const shared = upstream.current();
  return shared === undefined ? undefined : ownKeyOf(host, shared);
}

/** Opens what the host needs. @throws GatewayError UPSTREAM_* */
export async function connectFor(host: Host, upstream: Upstream): Promise<UpstreamConnection> {
  const shared = upstream.current() ?? (await upstream.connect({ isDemanded: true }));
  const key = ownKeyOf(host, shared);
  return key === undefined ? shared : upstream.connect({ key, isDemanded: true });
}
