import { DEFAULT_PROFILE, serverId } from '../domain/index.ts';

import type { Expander } from './expander.ts';
import type { ExposureEntry } from './exposure-schema.ts';
import type { ExposureConfig, ProfileConfig } from './gateway-config.ts';
import { didYouMean } from './near-name.ts';
import type { Report } from './report.ts';
import { type ProfileEntry, profileSchema } from './server-schema.ts';
import { isMap, kindOf, type Path, type TreeMap } from './tree.ts';
import { validate } from './validate.ts';

export interface ProfilesDeps {
  readonly report: Report;
  readonly expander: Expander;
  /** In configuration order. */
  readonly serverIds: readonly string[];
  readonly exposure: ExposureConfig;
}

/** Every profile of the file, and the `default` one whether the file has it or not. */
export function readProfiles(root: TreeMap, deps: ProfilesDeps): readonly ProfileConfig[] {
  const tree = root.get('profiles') ?? new Map();
  const everything: ProfileConfig = {
    name: DEFAULT_PROFILE,
    servers: deps.serverIds.map(serverId),
    tools: {},
    exposure: deps.exposure,
  };
  if (!isMap(tree)) {
    deps.report.problem(['profiles'], `expected a mapping of names to profiles, got ${kindOf(tree)}`);
    return [everything];
  }
  const profiles = [...tree.keys()].map((name) => readProfile(name, tree, deps));
  const valid = profiles.filter((profile) => profile !== undefined);
  return tree.has(DEFAULT_PROFILE) ? valid : [everything, ...valid];
}

function readProfile(name: string, tree: TreeMap, deps: ProfilesDeps): ProfileConfig | undefined {
  const { report, expander } = deps;
  const path = ['profiles', name];
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
    const fix = 'use letters, digits, "-" and "_"; it becomes part of a URL';
    report.problem(path, 'not a name for a profile', { at: 'key', fix });
  }
  const value = expander.expand(tree.get(name) ?? new Map(), path);
  const entry = validate(profileSchema, value, { report, path, isExpanded: expander.isExpanded });
  if (entry === undefined) return undefined;
  return {
    name,
    servers: profileServers(entry, path, deps).map(serverId),
    tools: entry.tools,
    exposure: exposureOf({ ...entryOf(deps.exposure), ...entry.exposure }),
  };
}

function profileServers(
  { servers }: ProfileEntry,
  path: Path,
  { serverIds, report }: ProfilesDeps,
): readonly string[] {
  if (servers === undefined) return serverIds;
  const named = new Set<string>();
  for (const [index, id] of servers.entries()) {
    const at = [...path, 'servers', index];
    if (!serverIds.includes(id))
      report.problem(at, 'no server has this name', { fix: didYouMean(id, serverIds) });
    else if (named.has(id)) report.problem(at, 'this server is named twice');
    named.add(id);
  }
  return serverIds.filter((id) => named.has(id));
}

export function exposureOf({ budget, ...rest }: ExposureEntry): ExposureConfig {
  return { ...rest, budgetTokens: budget };
}

function entryOf({ budgetTokens, ...rest }: ExposureConfig): ExposureEntry {
  return { ...rest, budget: budgetTokens };
}
