import type { CatalogEntry, Snapshot } from '../catalog/index.ts';
import { type DefinitionKind, type Era, LISTS, type Principal } from '../domain/index.ts';
import type { Policy } from '../policy/index.ts';
import type { ListTokens, ToolView } from './tool-view.ts';

/** The finished `result` of a list request. */
export interface ListBody {
  /** JSON text; only the envelope with the request's id is written around it. */
  readonly resultText: string;
  readonly count: number;
  /** What the tools in it cost; undefined where nothing was counted. */
  readonly tokens?: ListTokens | undefined;
}

export interface Lists {
  /** The same text for the same snapshot, profile and era, on every request and every replica. */
  list(principal: Principal, snapshot: Snapshot, kind: DefinitionKind, era: Era): ListBody;
  /** The same of a view of the tools, which says in `_meta` what it shows, what that costs, and why. */
  tools(principal: Principal, view: ToolView, era: Era): ListBody;
}

export interface ListsDeps {
  readonly policy: Pick<Policy, 'visible' | 'reachable'>;
  /** JSON text of the gateway's own identity, which modern results carry. */
  readonly serverInfoText: string;
  /** Stands beside every count. */
  readonly tokenizer: string;
}

const SILENT = 'the server has not answered yet';

/**
 * Lists as finished text per (view, era, snapshot). A list in which a server is missing or incomplete
 * says so in `_meta`; it may change at any moment, so the hint for caches is zero and private throughout.
 * https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
 */
export function createLists(deps: ListsDeps): Lists {
  const cache = new WeakMap<Snapshot, Map<string, ListBody>>();
  const views = new WeakMap<ToolView, Map<Era, ListBody>>();
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
    tools: (principal, view, era) => {
      const bodies = views.get(view) ?? new Map<Era, ListBody>();
      views.set(view, bodies);
      const body = bodies.get(era) ?? renderTools(deps, principal, view, era);
      bodies.set(era, body);
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
  const meta = metaText(metaMembers(deps, principal, snapshot, era));
  return { resultText: resultText(kind, entries.map(text), meta, era), count: entries.length };
}

function renderTools(deps: ListsDeps, principal: Principal, view: ToolView, era: Era): ListBody {
  const members = metaMembers(deps, principal, view.snapshot, era);
  members.push(`"dev.tollgate/exposure":${exposureText(deps, view, era)}`);
  const texts = view.listed.map((form) => form[era].json);
  return {
    resultText: resultText('tool', texts, metaText(members), era),
    count: texts.length,
    tokens: view.tokens?.[era],
  };
}

function resultText(kind: DefinitionKind, entries: readonly string[], meta: string, era: Era): string {
  const list = `${JSON.stringify(LISTS[kind].member)}:[${entries.join(',')}]`;
  const hints = era === 'modern' ? '"resultType":"complete","ttlMs":0,"cacheScope":"private",' : '';
  return `{${hints}${list}${meta}}`;
}

/** What is shown and why, for people and for whoever adds up; models are not handed it. */
function exposureText({ tokenizer }: ListsDeps, view: ToolView, era: Era): string {
  const { choice, visible, shadowed } = view;
  const tokens = view.tokens?.[era];
  return JSON.stringify({
    mode: choice.shownAs,
    reason: choice.reason,
    visible: visible.length,
    ...(tokens === undefined
      ? {}
      : {
          tokenizer,
          tokens: tokens.definitions,
          metaToolTokens: tokens.metaTools,
          visibleTokens: tokens.visible,
        }),
    ...(view.exposure.mode === 'direct' ? {} : { budget: view.exposure.budgetTokens }),
    ...(shadowed.length === 0 ? {} : { shadowed }),
  });
}

function metaMembers(deps: ListsDeps, principal: Principal, snapshot: Snapshot, era: Era): string[] {
  const members: string[] = [];
  if (era === 'modern') members.push(`"io.modelcontextprotocol/serverInfo":${deps.serverInfoText}`);
  // A server that is down, but whose lists are known, is missing from nothing: the bytes stay the same.
  const missing = deps.policy
    .reachable(principal, snapshot)
    .filter((server) => !server.isComplete)
    .map(({ id, trouble, isListed }) => ({ server: id, reason: trouble ?? SILENT, isListed }));
  if (missing.length > 0) members.push(`"dev.tollgate/unavailable":${JSON.stringify(missing)}`);
  return members;
}

const metaText = (members: readonly string[]): string =>
  members.length === 0 ? '' : `,"_meta":{${members.join(',')}}`;
