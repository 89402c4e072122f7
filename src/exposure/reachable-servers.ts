import type { ServerView, Snapshot } from '../catalog/index.ts';
import { DEFINITION_KINDS, type Principal, type ServerId } from '../domain/index.ts';
import type { Policy } from '../policy/index.ts';

/**
 * The servers that there are for a principal, in configuration order. One of which policy hides every definition
 * is not among them: what it says of itself would tell of things that do not exist for this caller.
 */
export function reachableServers(policy: Policy, principal: Principal, snapshot: Snapshot): ServerView[] {
  const listing = new Set<ServerId>();
  const shown = new Set<ServerId>();
  for (const kind of DEFINITION_KINDS) {
    for (const entry of snapshot.entries(kind)) listing.add(entry.server);
    for (const entry of policy.visible(principal, snapshot, kind)) shown.add(entry.server);
  }
  return snapshot.servers.filter(
    ({ id }) => policy.mayUse(principal, id) && (shown.has(id) || !listing.has(id)),
  );
}
