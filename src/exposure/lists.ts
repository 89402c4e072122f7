import type { CatalogEntry, Snapshot } from '../catalog/index.ts';
import { type DefinitionKind, type Era, LISTS, type Principal } from '../domain/index.ts';
import type { Policy } from '../policy/index.ts';

/** The finished `result` of a list request. */
export interface ListBody {
  /** JSON text; only the envelope with the request's id is written around it. */
  readonly resultText: string;
  readonly count: number;
}

export interface Lists {
  /** The same text for the same snapshot, profile and era, on every request and every replica. */
  list(principal: Principal, snapshot: Snapshot, kind: DefinitionKind, era: Era): ListBody;
}

export interface ListsDeps {
  readonly policy: Policy;
  /** JSON text of the gateway's own identity, which modern results carry. */
  readonly serverInfoText: string;
}

const SILENT = 'the server has not answered yet';

/**
 * Lists as finished text per (view, era, snapshot). A list in which a server is missing or incomplete
 * says so in `_meta`; it may change at any moment, so the hint for caches is zero and private throughout.
 * https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
 */
export function createLists(deps: ListsDeps): Lists {
  const cache = new WeakMap<Snapshot, Map<string, ListBody>>();
  return {
    list: (principal, snapshot, kind, era) => {
      const bodies = cache.get(snapshot) ?? new Map<string, ListBody>();
      cache.set(snapshot, bodies);
      const key = `${kind} ${era} ${principal.profile}`;
      const known = bodies.get(key);
      if (known !== undefined) return known;
      const body = render(deps, principal, snapshot, kind, era);
      bodies.set(key, body);
      return body;
    },
  };
}

function render(
  deps: ListsDeps,
  principal: Principal,
  snapshot: Snapshot,
  kind: DefinitionKind,
  era: Era,
): ListBody {
  const entries = deps.policy.visible(principal, snapshot, kind);
  const text = (entry: CatalogEntry): string => (era === 'modern' ? entry.json : entry.legacyJson);
  const meta = metaText(deps, principal, snapshot, era);
  const list = `${JSON.stringify(LISTS[kind].member)}:[${entries.map(text).join(',')}]`;
  const hints = era === 'modern' ? '"resultType":"complete","ttlMs":0,"cacheScope":"private",' : '';
  return { resultText: `{${hints}${list}${meta}}`, count: entries.length };
}

function metaText(deps: ListsDeps, principal: Principal, snapshot: Snapshot, era: Era): string {
  const members: string[] = [];
  if (era === 'modern') members.push(`"io.modelcontextprotocol/serverInfo":${deps.serverInfoText}`);
  // A server that is down, but whose lists are known, is missing from nothing: the bytes stay the same.
  const missing = deps.policy
    .reachable(principal, snapshot)
    .filter((server) => !server.isComplete)
    .map(({ id, trouble, isListed }) => ({ server: id, reason: trouble ?? SILENT, isListed }));
  if (missing.length > 0) members.push(`"dev.tollgate/unavailable":${JSON.stringify(missing)}`);
  return members.length === 0 ? '' : `,"_meta":{${members.join(',')}}`;
}
