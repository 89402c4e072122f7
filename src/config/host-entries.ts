import type { Report } from './report.ts';
import { isMap, type Path, type Tree, type TreeMap } from './tree.ts';

/** Keys of host configurations that the gateway honours under another name. */
const MAPPED = new Map([
  ['type', 'The transport: stdio, http or sse.'],
  ['serverUrl', 'The same as url.'],
  ['httpUrl', 'The same as url with transport: http.'],
  ['disabled', 'The opposite of enabled.'],
  ['disabledTools', 'The same as tools.deny.'],
  ['excludeTools', 'The same as tools.deny.'],
  ['includeTools', 'The same as tools.allow.'],
]);

/** Keys of host configurations that concern the host alone, and why they have no effect here. */
const WITHOUT_EFFECT = new Map([
  ...[
    'name',
    'title',
    'displayName',
    'description',
    'icon',
    'iconPath',
    'version',
    'note',
    'notes',
    'comment',
    '_comment',
    'category',
    'tags',
    'homepage',
    'gallery',
  ].map((key) => [key, 'only shown by the host'] as const),
  ...['autoApprove', 'autoAllow', 'alwaysAllow', 'trust', 'alwaysLoad'].map(
    (key) => [key, 'the host decides this for the gateway as a whole'] as const,
  ),
  ...['timeout', 'initTimeout', 'connectionTimeout', 'tool_timeout_sec', 'startup_timeout_sec'].map(
    (key) => [key, 'hosts disagree about its unit; set timeouts.callMaxMs or timeouts.connectMs'] as const,
  ),
  ...['envFile'].map(
    (key) => [key, 'the file is not read; name the variables under env, as ${NAME}'] as const,
  ),
  ...['headersHelper'].map((key) => [key, 'the helper is not run; set headers'] as const),
  ...['auth', 'oauth', 'authProviderType'].map(
    (key) => [key, 'signing in is not taken from host configurations; set headers'] as const,
  ),
  ...['dev', 'sandbox', 'sandboxEnabled', 'watchPaths', 'chatMenu', 'serverInstructions', 'startup'].map(
    (key) => [key, 'the gateway has no such feature'] as const,
  ),
]);

/** Every key that only hosts write, with a description for editors. */
export const HOST_KEYS: ReadonlyMap<string, string> = new Map([
  ...MAPPED,
  ...[...WITHOUT_EFFECT].map(([key, reason]) => [key, `No effect here: ${reason}.`] as const),
]);

/** An entry of ours, and where each of its keys came from. */
export interface AdoptedEntry {
  readonly tree: TreeMap;
  /** The path in the file for a path in `tree`. */
  readonly origin: (inner: Path) => Path;
}

const TRANSPORTS = new Map([
  ['stdio', 'stdio'],
  ['local', 'stdio'],
  ['http', 'http'],
  ['https', 'http'],
  ['remote', 'auto'],
  ['streamable-http', 'http'],
  ['streamablehttp', 'http'],
  ['streamable_http', 'http'],
  ['sse', 'sse'],
]);

/** Rewrites an entry as hosts write it in our own keys. Unknown keys stay, for the schema to refuse. */
export function adoptHostEntry(entry: TreeMap, path: Path, report: Report): AdoptedEntry {
  const tree = new Map<string, Tree>();
  const origins = new Map<string, Path>();
  const set = (key: string, value: Tree, from: string): void => {
    tree.set(key, value);
    origins.set(key, [...path, from]);
  };
  for (const [key, value] of entry) {
    const reason = WITHOUT_EFFECT.get(key);
    if (reason === undefined) {
      if (!MAPPED.has(key) && key !== 'tools') set(key, value, key);
    } else if (!(Array.isArray(value) && value.length === 0)) {
      report.notice([...path, key], `no effect: ${reason}`, 'key');
    }
  }
  adoptTransport(entry, path, report, set);
  const disabled = entry.get('disabled');
  if (typeof disabled === 'boolean' && !tree.has('enabled')) set('enabled', !disabled, 'disabled');
  else if (disabled !== undefined) set('enabled', disabled, 'disabled');
  adoptTools(entry, set);
  return {
    tree,
    origin: ([first, ...rest]) => {
      if (typeof first !== 'string') return path;
      const from = origins.get(first) ?? [...path, first];
      // Inside a key of ours the path is the same; inside a rewritten one it has no counterpart.
      return from.at(-1) === first ? [...from, ...rest] : from;
    },
  };
}

type SetKey = (key: string, value: Tree, from: string) => void;

function adoptTransport(entry: TreeMap, path: Path, report: Report, set: SetKey): void {
  for (const key of ['serverUrl', 'httpUrl']) {
    const url = entry.get(key);
    if (url === undefined) continue;
    if (entry.has('url')) report.problem([...path, key], 'this entry has a url already', { at: 'key' });
    else set('url', url, key);
    if (key === 'httpUrl') set('transport', 'http', key);
  }
  const type = entry.get('type');
  if (type === undefined || type === null) return;
  const transport = typeof type === 'string' ? TRANSPORTS.get(type.toLowerCase()) : undefined;
  if (transport !== undefined) set('transport', transport, 'type');
  else report.problem([...path, 'type'], 'must be one of stdio, http, sse', { at: 'value' });
}

/** Tool names that a host switches off stay off here too: people rely on it. */
function adoptTools(entry: TreeMap, set: SetKey): void {
  const written = entry.get('tools');
  const filter = new Map<string, Tree>();
  let from = 'tools';
  if (isMap(written)) for (const [key, value] of written) filter.set(key, value);
  else if (written !== undefined) filter.set('allow', written);
  for (const [key, side] of [
    ['includeTools', 'allow'],
    ['excludeTools', 'deny'],
    ['disabledTools', 'deny'],
  ] as const) {
    const names = entry.get(key);
    if (names === undefined || (Array.isArray(names) && names.length === 0)) continue;
    const before = filter.get(side);
    const both =
      Array.isArray(before) && Array.isArray(names) ? [...(before as Tree[]), ...(names as Tree[])] : names;
    filter.set(side, both);
    if (written === undefined) from = key;
  }
  if (filter.size > 0) set('tools', filter, from);
}
