import { resolve } from 'node:path';

import type { StdioTransportConfig, TransportConfig } from './gateway-config.ts';
import { isHeaderName, isHeaderValue, isReservedHeader } from './headers.ts';
import { nearName } from './near-name.ts';
import type { Report } from './report.ts';
import { SERVER_KEYS, type ServerEntry } from './server-schema.ts';
import { isMap, type Path, type Tree, type TreeMap } from './tree.ts';
import { isLoopback, urlFault } from './web-names.ts';

export interface TransportDeps {
  readonly report: Report;
  readonly baseDir: string;
  readonly homeDir: string | undefined;
}

/** An entry on its way to a transport, with the places of its keys. */
export interface EntryPlace {
  readonly origin: (inner: Path) => Path;
  /** Hosts put up with keys that do not fit; in a block of theirs such a key is a notice. */
  readonly fromHost: boolean;
}

const FOR_COMMAND: readonly string[] = ['args', 'env', 'inheritEnv', 'cwd'];
const FOR_URL: readonly string[] = ['headers'];

const isEmpty = (tree: Tree | undefined): boolean =>
  tree === undefined ||
  tree === null ||
  (isMap(tree) ? tree.size === 0 : Array.isArray(tree) && tree.length === 0);

const isMistyped = (entry: TreeMap): boolean =>
  [...entry.keys()].some(
    (key) => !SERVER_KEYS.includes(key) && ['command', 'url'].includes(nearName(key, SERVER_KEYS) ?? ''),
  );

/** Checks that an entry says one way to reach its server; works on entries that are otherwise faulty. */
export function checkTransportKeys(entry: TreeMap, { origin, fromHost }: EntryPlace, report: Report): void {
  const hasCommand = entry.has('command');
  const hasUrl = entry.has('url');
  const transport = entry.get('transport');
  if (!hasCommand && !hasUrl) {
    const options = { at: 'key', isAbsence: true } as const;
    if (!isMistyped(entry)) report.problem(origin([]), 'needs a command or a url', options);
  } else if (hasCommand && hasUrl && !(fromHost && transport !== undefined)) {
    report.problem(origin(['url']), 'a server has either a command or a url, not both', { at: 'key' });
  } else {
    checkFittingKeys(entry, hasCommand && (!hasUrl || transport === 'stdio'), { origin, fromHost }, report);
  }
}

function checkFittingKeys(
  entry: TreeMap,
  isStdio: boolean,
  { origin, fromHost }: EntryPlace,
  report: Report,
): void {
  const kind = isStdio ? 'a command' : 'a url';
  for (const key of (isStdio ? FOR_URL : FOR_COMMAND).filter((one) => !isEmpty(entry.get(one)))) {
    const message = `has no meaning for a server with ${kind}`;
    if (fromHost) report.notice(origin([key]), message, 'key');
    else report.problem(origin([key]), message, { at: 'key' });
  }
  const transport = entry.get('transport');
  if (typeof transport === 'string' && (transport === 'stdio') !== isStdio) {
    report.problem(origin(['transport']), `${transport} does not fit a server with ${kind}`);
  }
}

/** The transport of an entry that the schema accepted, or nothing after reporting what is wrong with it. */
export function transportOf(
  entry: ServerEntry,
  place: EntryPlace,
  deps: TransportDeps,
): TransportConfig | undefined {
  const isStdio = entry.command !== undefined && (entry.url === undefined || entry.transport === 'stdio');
  return isStdio ? stdioOf(entry, place, deps) : httpOf(entry, place, deps);
}

function stdioOf(entry: ServerEntry, { origin }: EntryPlace, deps: TransportDeps): StdioTransportConfig {
  const command = entry.command ?? '';
  if (/\s/.test(command) && !/[\\/]/.test(command.split(/\s/)[0] ?? '')) {
    deps.report.notice(
      origin(['command']),
      'is one program name with a space in it; arguments belong under args',
    );
  }
  return {
    kind: 'stdio',
    command,
    args: entry.args,
    env: withoutPrototype(entry.env),
    cwd: resolvePath(entry.cwd ?? '.', deps),
    inheritEnv: entry.inheritEnv,
  };
}

function httpOf(entry: ServerEntry, place: EntryPlace, deps: TransportDeps): TransportConfig | undefined {
  const { url, transport = 'auto' } = entry;
  if (url === undefined || transport === 'stdio') return undefined;
  const fault = urlFault(url);
  if (fault !== undefined) {
    deps.report.problem(place.origin(['url']), fault.message, { fix: fault.fix });
    return undefined;
  }
  const headers = headersOf(entry.headers, place, deps.report);
  if (url.startsWith('http:') && !isLoopback(url) && Object.keys(headers).length > 0) {
    deps.report.notice(place.origin(['url']), 'headers go to this server unencrypted; use https if it can');
  }
  return { kind: transport, url, headers };
}

function headersOf(
  headers: Readonly<Record<string, string>>,
  { origin, fromHost }: EntryPlace,
  report: Report,
): Readonly<Record<string, string>> {
  const kept = new Map<string, string>();
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    const at = origin(['headers', name]);
    const lower = name.toLowerCase();
    if (!isHeaderName(name)) report.problem(at, 'not the name of a header', { at: 'key' });
    else if (isReservedHeader(name)) {
      const message = 'the gateway sets this header itself';
      if (fromHost) report.notice(at, message, 'key');
      else report.problem(at, message, { at: 'key', fix: 'remove it' });
      continue;
    } else if (seen.has(lower)) report.problem(at, 'this header is given twice', { at: 'key' });
    else if (!isHeaderValue(value))
      report.problem(at, 'holds a line break or another character no header may hold');
    seen.add(lower);
    kept.set(name, value);
  }
  return withoutPrototype(Object.fromEntries(kept));
}

/** Names from outside are keys here; without a prototype none of them means anything to the language. */
function withoutPrototype(record: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.assign(Object.create(null) as Record<string, string>, record);
}

/** Relative paths start at the file's folder, `~/` at the home folder. */
export function resolvePath(path: string, deps: Pick<TransportDeps, 'baseDir' | 'homeDir'>): string {
  const isHome = deps.homeDir !== undefined && /^~(?:[\\/]|$)/.test(path);
  return isHome ? resolve(deps.homeDir, path.slice(2)) : resolve(deps.baseDir, path);
}
