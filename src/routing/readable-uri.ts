import type { Snapshot, UriRoute } from '../catalog/index.ts';
import type { Principal } from '../domain/index.ts';
import type { Policy } from '../policy/index.ts';

/** Where a URI leads for a caller; undefined when it leads nowhere, or only to what policy hides. */
export function readableUri(
  policy: Policy,
  principal: Principal,
  snapshot: Snapshot,
  uri: string,
): UriRoute | undefined {
  const route = snapshot.resolveUri(uri, (server) => policy.mayUse(principal, server));
  if (route === undefined) return undefined;
  return policy.mayRead(principal, route.server, route.native, route.entry) ? route : undefined;
}
