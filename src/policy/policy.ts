import type { CatalogEntry, Snapshot } from '../catalog/index.ts';
import { compileGlobs, type FilterConfig, type GatewayConfig } from '../config/index.ts';
import { DEFAULT_PROFILE, type DefinitionKind, type Principal, type ServerId } from '../domain/index.ts';

/** Why something is not permitted; for the log and for `check`, never for the host. */
export type DenialReason = 'profile:unknown' | 'profile:server' | 'profile:tools' | 'server:filter';

export type Decision =
  { readonly allowed: true } | { readonly allowed: false; readonly reason: DenialReason };

export interface Policy {
  /** The one decision that list, call, read, get and completion all ask. */
  decide(principal: Principal, entry: CatalogEntry): Decision;
  /** Whether anything of a server may reach the principal at all. */
  mayUse(principal: Principal, server: ServerId): boolean;
  /** Whether a URI that no definition names may be read from a server. */
  mayRead(principal: Principal, server: ServerId, nativeUri: string): boolean;
  hasProfile(name: string): boolean;
  /** The visible entries of one kind, in catalog order; the same array for the same snapshot and profile. */
  visible(principal: Principal, snapshot: Snapshot, kind: DefinitionKind): readonly CatalogEntry[];
}

const ALLOWED: Decision = { allowed: true };
const denied = (reason: DenialReason): Decision => ({ allowed: false, reason });

interface ProfileRules {
  readonly servers: ReadonlySet<ServerId>;
  readonly permitsTool: (qualified: string) => boolean;
}

type ServerRules = Readonly<Record<'tools' | 'prompts' | 'resources', (native: string) => boolean>>;

const FILTER_OF: Readonly<Record<DefinitionKind, keyof ServerRules>> = {
  tool: 'tools',
  prompt: 'prompts',
  resource: 'resources',
  template: 'resources',
};

export function createPolicy(config: GatewayConfig): Policy {
  const enabled = config.servers.filter((server) => server.enabled);
  const profiles = profileRules(
    config,
    enabled.map((server) => server.id),
  );
  const servers = new Map<ServerId, ServerRules>(
    enabled.map((server) => [
      server.id,
      {
        tools: compileGlobs(server.tools),
        prompts: compileGlobs(server.prompts),
        resources: compileGlobs(server.resources),
      },
    ]),
  );
  const views = new WeakMap<Snapshot, Map<string, readonly CatalogEntry[]>>();

  const decide = (principal: Principal, entry: CatalogEntry): Decision => {
    const profile = profiles.get(principal.profile);
    if (profile === undefined) return denied('profile:unknown');
    if (!profile.servers.has(entry.server)) return denied('profile:server');
    const rules = servers.get(entry.server);
    if (rules === undefined || !rules[FILTER_OF[entry.kind]](entry.native)) return denied('server:filter');
    if (entry.kind === 'tool' && !profile.permitsTool(entry.exposed)) return denied('profile:tools');
    return ALLOWED;
  };

  return {
    decide,
    mayUse: (principal, server) => profiles.get(principal.profile)?.servers.has(server) ?? false,
    mayRead: (principal, server, uri) =>
      (profiles.get(principal.profile)?.servers.has(server) ?? false) &&
      (servers.get(server)?.resources(uri) ?? false),
    hasProfile: (name) => profiles.has(name),
    visible: (principal, snapshot, kind) => {
      const known = views.get(snapshot) ?? new Map<string, readonly CatalogEntry[]>();
      views.set(snapshot, known);
      const key = `${kind} ${principal.profile}`;
      const found =
        known.get(key) ?? snapshot.entries(kind).filter((entry) => decide(principal, entry).allowed);
      known.set(key, found);
      return found;
    },
  };
}

function profileRules(config: GatewayConfig, enabled: readonly ServerId[]): Map<string, ProfileRules> {
  const rules = new Map<string, ProfileRules>([
    [DEFAULT_PROFILE, { servers: new Set(enabled), permitsTool: () => true }],
  ]);
  for (const profile of config.profiles) {
    rules.set(profile.name, {
      servers: new Set(profile.servers.filter((id) => enabled.includes(id))),
      permitsTool: compileGlobs(profile.tools satisfies FilterConfig),
    });
  }
  return rules;
}
