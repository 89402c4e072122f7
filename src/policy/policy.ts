import type { CatalogEntry, ServerView, Snapshot } from '../catalog/index.ts';
import { compileGlobs, type FilterConfig, type GatewayConfig, type NameFilter } from '../config/index.ts';
import {
  DEFAULT_PROFILE,
  DEFINITION_KINDS,
  type DefinitionKind,
  type Principal,
  type ServerId,
} from '../domain/index.ts';

/** Why something is not permitted; for the log and for `check`, never for the host. */
export type DenialReason = 'profile:unknown' | 'profile:server' | 'profile:tools' | 'server:filter';

export type Decision =
  { readonly allowed: true } | { readonly allowed: false; readonly reason: DenialReason };

export interface Policy {
  /** The one decision that list, call, read, get and completion all ask. */
  decide(principal: Principal, entry: CatalogEntry): Decision;
  /** Whether anything of a server may reach the principal at all. */
  mayUse(principal: Principal, server: ServerId): boolean;
  /**
   * Whether a URI may be read from a server. One that has the shape of a template is permitted by a rule for
   * either of them, and refused by a rule against either.
   */
  mayRead(
    principal: Principal,
    server: ServerId,
    nativeUri: string,
    entry: CatalogEntry | undefined,
  ): boolean;
  hasProfile(name: string): boolean;
  /** The visible entries of one kind, in catalog order; the same array for the same snapshot and profile. */
  visible(principal: Principal, snapshot: Snapshot, kind: DefinitionKind): readonly CatalogEntry[];
  /**
   * The servers that there are for a principal, in configuration order. One of which every definition is hidden
   * is not among them: what it says of itself would tell of things that do not exist for this caller.
   */
  reachable(principal: Principal, snapshot: Snapshot): readonly ServerView[];
}

const ALLOWED: Decision = { allowed: true };
const DENIED: Readonly<Record<DenialReason, Decision>> = {
  'profile:unknown': { allowed: false, reason: 'profile:unknown' },
  'profile:server': { allowed: false, reason: 'profile:server' },
  'profile:tools': { allowed: false, reason: 'profile:tools' },
  'server:filter': { allowed: false, reason: 'server:filter' },
};

interface ProfileRules {
  readonly servers: ReadonlySet<ServerId>;
  readonly permitsTool: NameFilter;
}

interface ServerRules {
  readonly permits: Readonly<Record<DefinitionKind, NameFilter>>;
  readonly permitsUri: (uri: string, template: string | undefined) => boolean;
}

/** What there is for a profile in one snapshot. */
interface View {
  readonly visible: Readonly<Record<DefinitionKind, readonly CatalogEntry[]>>;
  readonly reachable: readonly ServerView[];
}

function createView(
  snapshot: Snapshot,
  isVisible: (entry: CatalogEntry) => boolean,
  mayUse: (server: ServerId) => boolean,
): View {
  const visible = {
    tool: snapshot.entries('tool').filter(isVisible),
    prompt: snapshot.entries('prompt').filter(isVisible),
    resource: snapshot.entries('resource').filter(isVisible),
    template: snapshot.entries('template').filter(isVisible),
  };
  const listing = new Set(
    DEFINITION_KINDS.flatMap((kind) => snapshot.entries(kind).map(({ server }) => server)),
  );
  const shown = new Set(Object.values(visible).flatMap((entries) => entries.map(({ server }) => server)));
  const reachable = snapshot.servers.filter(({ id }) => mayUse(id) && (shown.has(id) || !listing.has(id)));
  return { visible, reachable };
}

export function createPolicy(config: Pick<GatewayConfig, 'servers' | 'profiles'>): Policy {
  const servers = serverRules(config);
  const profiles = profileRules(config, servers);
  const views = new WeakMap<Snapshot, Map<string, View>>();

  const decide = (principal: Principal, entry: CatalogEntry): Decision => {
    const profile = profiles.get(principal.profile);
    if (profile === undefined) return DENIED['profile:unknown'];
    const rules = profile.servers.has(entry.server) ? servers.get(entry.server) : undefined;
    if (rules === undefined) return DENIED['profile:server'];
    if (!rules.permits[entry.kind](entry.native)) return DENIED['server:filter'];
    if (entry.kind === 'tool' && !profile.permitsTool(entry.exposed)) return DENIED['profile:tools'];
    return ALLOWED;
  };
  const mayUse = (principal: Principal, server: ServerId): boolean =>
    profiles.get(principal.profile)?.servers.has(server) ?? false;
  const viewOf = (principal: Principal, snapshot: Snapshot): View => {
    const known = views.get(snapshot) ?? new Map<string, View>();
    views.set(snapshot, known);
    const view =
      known.get(principal.profile) ??
      createView(
        snapshot,
        (entry) => decide(principal, entry).allowed,
        (server) => mayUse(principal, server),
      );
    known.set(principal.profile, view);
    return view;
  };

  return {
    decide,
    mayUse,
    mayRead: (principal, server, uri, entry) =>
      mayUse(principal, server) && (servers.get(server)?.permitsUri(uri, entry?.native) ?? false),
    hasProfile: (name) => profiles.has(name),
    visible: (principal, snapshot, kind) => viewOf(principal, snapshot).visible[kind],
    reachable: (principal, snapshot) => viewOf(principal, snapshot).reachable,
  };
}

/** The rules of the servers that are enabled; of any other nothing is permitted. */
function serverRules({ servers }: Pick<GatewayConfig, 'servers'>): Map<ServerId, ServerRules> {
  const rules = new Map<ServerId, ServerRules>();
  for (const { id, enabled, tools, prompts, resources } of servers) {
    if (!enabled) continue;
    const resource = compileGlobs(resources);
    const permits = {
      tool: compileGlobs(tools),
      prompt: compileGlobs(prompts),
      resource,
      template: resource,
    };
    rules.set(id, { permits, permitsUri: uriRule(resources) });
  }
  return rules;
}

function uriRule({ allow, deny }: FilterConfig): ServerRules['permitsUri'] {
  const isAllowed = compileGlobs(allow === undefined ? {} : { allow });
  const isDenied = compileGlobs({ allow: deny ?? [] });
  return (uri, template = uri) =>
    !isDenied(uri) && !isDenied(template) && (isAllowed(uri) || isAllowed(template));
}

function profileRules(
  { profiles }: Pick<GatewayConfig, 'profiles'>,
  servers: ReadonlyMap<ServerId, unknown>,
): Map<string, ProfileRules> {
  const rules = new Map<string, ProfileRules>([
    [DEFAULT_PROFILE, { servers: new Set(servers.keys()), permitsTool: () => true }],
  ]);
  for (const { name, servers: ids, tools } of profiles) {
    const usable = new Set(ids.filter((id) => servers.has(id)));
    rules.set(name, { servers: usable, permitsTool: compileGlobs(tools) });
  }
  return rules;
}
