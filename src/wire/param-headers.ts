import { decodeHeaderValue, encodeHeaderValue, isToken } from './header-values.ts';

/** One argument that a tool asks to see mirrored as `Mcp-Param-<name>`. */
export interface ParamHeader {
  /** Lower-case full header name. */
  readonly header: string;
  /** Chain of `properties` keys from the root of the arguments. */
  readonly path: readonly string[];
  readonly type: 'string' | 'integer' | 'boolean';
}

export type ParamHeaderPlan =
  | { readonly ok: true; readonly params: readonly ParamHeader[] }
  | { readonly ok: false; readonly reason: string };

const KEYWORD = 'x-mcp-header';
const MAX_DEPTH = 64;
const NO_PARAMS: ParamHeaderPlan = { ok: true, params: [] };

type Schema = Record<string, unknown>;
const isRecord = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Reads the annotations of an input schema. An invalid one makes the whole tool invalid.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#schema-extension
 */
export function planParamHeaders(inputSchema: unknown): ParamHeaderPlan {
  if (!isRecord(inputSchema)) return NO_PARAMS;
  const params: ParamHeader[] = [];
  const seen = new Set<string>();
  const reason = collect(inputSchema, [], params, seen, true, 0);
  if (reason !== undefined) return { ok: false, reason };
  return params.length === 0 ? NO_PARAMS : { ok: true, params };
}

/** Keywords whose value is a literal or a map of names, where the annotation's name means nothing. */
const LITERALS: ReadonlySet<string> = new Set([
  'const',
  'enum',
  'default',
  'examples',
  'required',
  'properties',
]);

function collect(
  schema: Schema,
  path: readonly string[],
  params: ParamHeader[],
  seen: Set<string>,
  isReachable: boolean,
  depth: number,
): string | undefined {
  if (depth > MAX_DEPTH) return undefined;
  if (KEYWORD in schema) {
    const reason = addParam(schema, path, params, seen, isReachable);
    if (reason !== undefined) return reason;
  }
  if (isRecord(schema['properties'])) {
    for (const [key, child] of Object.entries(schema['properties'])) {
      if (!isRecord(child)) continue;
      const reason = collect(child, [...path, key], params, seen, isReachable, depth + 1);
      if (reason !== undefined) return reason;
    }
  }
  return collectUnreachable(schema, path, params, seen, depth);
}

/** Everything under another keyword cannot be found by a fixed path, so an annotation there is invalid. */
function collectUnreachable(
  schema: Schema,
  path: readonly string[],
  params: ParamHeader[],
  seen: Set<string>,
  depth: number,
): string | undefined {
  for (const [key, value] of Object.entries(schema)) {
    if (LITERALS.has(key) || typeof value !== 'object' || value === null) continue;
    const children = Array.isArray(value)
      ? value
      : isRecord(value) && isMapOfSchemas(key)
        ? Object.values(value)
        : [value];
    for (const child of children) {
      if (!isRecord(child)) continue;
      const reason = collect(child, path, params, seen, false, depth + 1);
      if (reason !== undefined) return reason;
    }
  }
  return undefined;
}

const isMapOfSchemas = (keyword: string): boolean =>
  keyword === '$defs' ||
  keyword === 'definitions' ||
  keyword === 'patternProperties' ||
  keyword === 'dependentSchemas';

function addParam(
  schema: Schema,
  path: readonly string[],
  params: ParamHeader[],
  seen: Set<string>,
  isReachable: boolean,
): string | undefined {
  const name = schema[KEYWORD];
  const where = path.length === 0 ? 'the root' : path.join('.');
  if (typeof name !== 'string' || name === '') return `${KEYWORD} at ${where} is empty or not a string`;
  if (!isToken(name)) return `${KEYWORD} ${JSON.stringify(name)} at ${where} is not a header name`;
  if (!isReachable || path.length === 0)
    return `${KEYWORD} ${name} at ${where} is not reachable through properties alone`;
  const type = schema['type'];
  if (type !== 'string' && type !== 'integer' && type !== 'boolean') {
    return `${KEYWORD} ${name} at ${where} stands on type ${JSON.stringify(type)}; only string, integer and boolean may be mirrored`;
  }
  const header = `mcp-param-${name.toLowerCase()}`;
  if (seen.has(header)) return `${KEYWORD} ${name} stands twice`;
  seen.add(header);
  params.push({ header, path, type });
  return undefined;
}

function valueAt(args: unknown, path: readonly string[]): unknown {
  let value = args;
  for (const key of path) {
    if (!isRecord(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

/** The header's text of a value that may be mirrored; undefined when the header is to be left out. */
function mirrored(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return undefined;
}

/** The headers to send with a call, as flat name, value, name, value. */
export function renderParamHeaders(params: readonly ParamHeader[], args: unknown): string[] {
  const headers: string[] = [];
  for (const param of params) {
    const text = mirrored(valueAt(args, param.path));
    if (text !== undefined) headers.push(param.header, encodeHeaderValue(text));
  }
  return headers;
}

/**
 * Checks that the mirrored headers of a call say what its body says; returns what is wrong.
 * Integers are compared as numbers, so `42.0` and `42` agree.
 */
export function checkParamHeaders(
  params: readonly ParamHeader[],
  args: unknown,
  headerOf: (name: string) => string | undefined,
): string | undefined {
  for (const param of params) {
    const expected = mirrored(valueAt(args, param.path));
    const raw = headerOf(param.header);
    if (expected === undefined) {
      if (raw !== undefined && decodeHeaderValue(raw) === undefined) return `${param.header} is malformed`;
      if (raw !== undefined) return `${param.header} is present, but the body has no such value`;
      continue;
    }
    if (raw === undefined) return `${param.header} is missing, but the body has ${param.path.join('.')}`;
    const actual = decodeHeaderValue(raw);
    if (actual === undefined) return `${param.header} is malformed`;
    if (!agrees(param, actual, expected))
      return `${param.header} does not match the body's ${param.path.join('.')}`;
  }
  return undefined;
}

function agrees(param: ParamHeader, actual: string, expected: string): boolean {
  if (actual === expected) return true;
  return param.type === 'integer' && actual.trim() !== '' && Number(actual) === Number(expected);
}
