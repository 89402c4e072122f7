import { serverId } from '../domain/index.ts';

import type { SourceDocument } from './document.ts';
import type { Expander } from './expander.ts';
import type { ServerConfig } from './gateway-config.ts';
import { adoptHostEntry, type AdoptedEntry, HOST_KEYS } from './host-entries.ts';
import { type NamespaceWish, settleNamespaces } from './namespaces.ts';
import { type ServerEntry, serverSchema } from './server-schema.ts';
import { checkTransportKeys, type EntryPlace, type TransportDeps, transportOf } from './transport.ts';
import { isMap, kindOf, type Path, type Tree, type TreeMap } from './tree.ts';
import { validate } from './validate.ts';

/** Where servers stand in the file, in the order of the lists. */
const SECTIONS = ['servers', 'mcpServers'] as const;

export interface ServersDeps extends TransportDeps {
  readonly document: Pick<SourceDocument, 'sourceOf'>;
  readonly expander: Expander;
}

/** One entry with its references resolved, before its keys are looked at. */
interface RawEntry {
  readonly id: string;
  readonly tree: TreeMap;
  readonly path: Path;
  readonly fromHost: boolean;
}

/** Every server of the file; faults are reported, and a faulty entry is left out of the result. */
export function readServers(root: TreeMap, deps: ServersDeps): readonly ServerConfig[] {
  const entries = rawEntries(root, deps);
  const wishes = entries.map(({ id, tree, path, fromHost }): NamespaceWish => {
    const namespace = tree.get('namespace');
    return { id, path, fromHost, namespace: typeof namespace === 'string' ? namespace : undefined };
  });
  const namespaces = settleNamespaces(wishes, deps.report);
  const servers = entries.map((entry) => readServer(entry, namespaces.get(entry.id) ?? entry.id, deps));
  return servers.filter((server) => server !== undefined);
}

/** The ids that profiles may name, faulty entries included. */
export function serverIds(root: TreeMap): readonly string[] {
  return SECTIONS.flatMap((section) => {
    const tree = root.get(section);
    return isMap(tree) ? [...tree.keys()] : [];
  });
}

function rawEntries(root: TreeMap, deps: ServersDeps): readonly RawEntry[] {
  const { report } = deps;
  const entries = new Map<string, RawEntry>();
  for (const section of SECTIONS) {
    const tree = root.get(section);
    if (tree === undefined || tree === null) continue;
    if (!isMap(tree)) {
      report.problem([section], `expected a mapping of names to servers, got ${kindOf(tree)}`);
      continue;
    }
    for (const [id, entry] of tree) {
      const path = [section, id];
      const idFault = serverIdFault(id);
      if (idFault !== undefined) report.problem(path, idFault, { at: 'key' });
      else if (entries.has(id))
        report.problem(path, 'a server of this name stands under "servers" too', { at: 'key' });
      else if (!isMap(entry))
        report.problem(path, `expected a mapping, got ${kindOf(entry)}`, { isAbsence: entry === null });
      else entries.set(id, rawEntry(id, path, entry, deps));
    }
  }
  return [...entries.values()];
}

function rawEntry(id: string, path: Path, entry: TreeMap, { expander, document }: ServersDeps): RawEntry {
  // VS Code calls its block `servers` too; only its entries have a `type`.
  const fromHost = path[0] === 'mcpServers' || entry.has('type');
  const lenient = entry.get('enabled') === false || (fromHost && entry.get('disabled') === true);
  const expanded = expander.expand(entry, path, { lenient, fromHost }) as TreeMap;
  return { id, path, fromHost, tree: withSourceText(expanded, path, document) };
}

function serverIdFault(id: string): string | undefined {
  if (id.trim() === '') return 'a server needs a name';
  if (/\p{Control}/u.test(id)) return 'the name of a server cannot hold control characters';
  return id.length > 100 ? 'the name of a server has at most 100 characters' : undefined;
}

function readServer(raw: RawEntry, namespace: string, deps: ServersDeps): ServerConfig | undefined {
  const { path, fromHost } = raw;
  const { tree, origin }: AdoptedEntry = fromHost
    ? adoptHostEntry(raw.tree, path, deps.report)
    : { tree: raw.tree, origin: (inner) => [...path, ...inner] };
  const place: EntryPlace = { origin, fromHost };
  checkTransportKeys(tree, place, deps.report);
  const suggestions = fromHost ? [...HOST_KEYS.keys()] : [];
  const { isExpanded } = deps.expander;
  const entry = validate(serverSchema, tree, { report: deps.report, path, origin, isExpanded, suggestions });
  return entry && buildServer(raw.id, namespace, entry, place, deps);
}

function buildServer(
  id: string,
  namespace: string,
  entry: ServerEntry,
  place: EntryPlace,
  deps: ServersDeps,
): ServerConfig | undefined {
  checkDelays(entry, place, deps);
  const transport = transportOf(entry, place, deps);
  if (transport === undefined) return undefined;
  const { enabled, era, isolation, tools, prompts, resources, safeToRepeat } = entry;
  const { timeouts, maxConcurrency, restart, idleStopMs } = entry;
  return {
    id: serverId(id),
    namespace,
    enabled,
    transport,
    era,
    isolation,
    tools,
    prompts,
    resources,
    safeToRepeat,
    timeouts,
    maxConcurrency,
    restart,
    idleStopMs,
  };
}

function checkDelays(
  { timeouts, restart }: ServerEntry,
  { origin }: EntryPlace,
  { report }: ServersDeps,
): void {
  if (timeouts.callMaxMs < timeouts.callIdleMs) {
    const message = `callMaxMs (${timeouts.callMaxMs}) is less than callIdleMs (${timeouts.callIdleMs})`;
    report.problem(origin(['timeouts']), message, { at: 'key', fix: 'raise callMaxMs' });
  }
  if (restart.maxDelayMs < restart.initialDelayMs) {
    const message = `maxDelayMs (${restart.maxDelayMs}) is less than initialDelayMs (${restart.initialDelayMs})`;
    report.problem(origin(['restart']), message, { at: 'key', fix: 'raise maxDelayMs' });
  }
}

/** Where everything is text, `1.0` and `0x1F` stay as they were written. */
function withSourceText(entry: TreeMap, path: Path, document: ServersDeps['document']): TreeMap {
  const toText = (tree: Tree, at: Path): Tree => {
    if (isMap(tree)) return new Map([...tree].map(([key, value]) => [key, toText(value, [...at, key])]));
    if (Array.isArray(tree))
      return (tree as readonly Tree[]).map((item, index) => toText(item, [...at, index]));
    return typeof tree === 'number' || typeof tree === 'boolean'
      ? (document.sourceOf(at) ?? String(tree))
      : tree;
  };
  const isText = (key: string): boolean => key === 'args' || key === 'env' || key === 'headers';
  return new Map(
    [...entry].map(([key, value]) => [key, isText(key) ? toText(value, [...path, key]) : value]),
  );
}
