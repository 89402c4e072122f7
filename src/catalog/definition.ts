import {
  type DefinitionKind,
  nativeName,
  type NativeName,
  nativeUri,
  type NativeUri,
  type RawDefinition,
} from '../domain/index.ts';
import {
  childMembers,
  type Edit,
  insertMember,
  type Member,
  memberSpans,
  type ParamHeader,
  planParamHeaders,
  reshapeObject,
  rootSpan,
  splice,
} from '../wire/index.ts';
import { schemeOf } from './exposed-uri.ts';

/** A definition that may be shown, in its upstream's words. */
export interface AcceptedDefinition {
  readonly kind: DefinitionKind;
  /** Native name of a tool or prompt, native URI or template of the others. */
  readonly native: string;
  /** The entry's JSON as declared, apart from repairs that change nothing for a caller. */
  readonly json: Buffer;
  readonly value: Readonly<Record<string, unknown>>;
  readonly paramHeaders: readonly ParamHeader[];
}

export type DefinitionVerdict =
  | { readonly ok: true; readonly definition: AcceptedDefinition }
  | { readonly ok: false; readonly native: string | undefined; readonly reason: string };

type Fields = Record<string, unknown>;
const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The member that identifies an entry of each kind. */
export const IDENTITY: Readonly<Record<DefinitionKind, string>> = {
  tool: 'name',
  prompt: 'name',
  resource: 'uri',
  template: 'uriTemplate',
};

/** Optional members that an upstream may spell as null; hosts that are strict refuse the whole list for one. */
const NEVER_NULL: ReadonlySet<string> = new Set(['inputSchema']);

/**
 * Judges one entry by itself, so that a broken one never costs its neighbours. Harmless gaps are mended
 * (a missing schema becomes the schema of no arguments); anything else withholds the entry, with a reason.
 * Output schemas are not looked into: they are for the host to use or ignore.
 */
export function judgeDefinition(raw: RawDefinition): DefinitionVerdict {
  const value = parse(raw.json);
  if (!isRecord(value)) return { ok: false, native: undefined, reason: 'the entry is not a JSON object' };
  const native = value[IDENTITY[raw.kind]];
  if (typeof native !== 'string' || native === '') {
    return { ok: false, native: undefined, reason: `"${IDENTITY[raw.kind]}" is missing or not a string` };
  }
  const fault = faultOf(raw.kind, value, native);
  if (fault !== undefined) return { ok: false, native, reason: fault };
  const plan = raw.kind === 'tool' ? planParamHeaders(value['inputSchema']) : undefined;
  if (plan?.ok === false) return { ok: false, native, reason: plan.reason };
  try {
    const json = mend(raw.kind, raw.json, value);
    const mended = json === raw.json ? value : (JSON.parse(json.toString('utf8')) as Fields);
    return {
      ok: true,
      definition: { kind: raw.kind, native, json, value: mended, paramHeaders: plan?.params ?? [] },
    };
  } catch (error) {
    return {
      ok: false,
      native,
      reason: `the entry cannot be read unambiguously: ${(error as Error).message}`,
    };
  }
}

function parse(json: Buffer): unknown {
  try {
    return JSON.parse(json.toString('utf8'));
  } catch {
    return undefined;
  }
}

function faultOf(kind: DefinitionKind, value: Fields, native: string): string | undefined {
  if (kind === 'tool') return toolFault(value);
  if (kind === 'prompt') return promptFault(value);
  if (schemeOf(native) === undefined) return `"${IDENTITY[kind]}" has no scheme, so it cannot be addressed`;
  return optionalStringFault(value, ['name', 'title', 'description', 'mimeType']);
}

function toolFault(value: Fields): string | undefined {
  const schema = value['inputSchema'];
  if (schema !== undefined && schema !== null) {
    if (!isRecord(schema)) return '"inputSchema" is not an object';
    const type = schema['type'];
    if (type !== undefined && type !== null && type !== 'object') {
      return `"inputSchema" has type ${JSON.stringify(type)}; arguments are always an object`;
    }
  }
  const output = value['outputSchema'];
  if (output !== undefined && output !== null && !isRecord(output)) return '"outputSchema" is not an object';
  return (
    optionalStringFault(value, ['title', 'description']) ??
    optionalObjectFault(value, ['annotations', '_meta'])
  );
}

function promptFault(value: Fields): string | undefined {
  const args = value['arguments'];
  if (args !== undefined && args !== null) {
    const isSound =
      Array.isArray(args) && args.every((arg: unknown) => isRecord(arg) && typeof arg['name'] === 'string');
    if (!isSound) return '"arguments" is not a list of named arguments';
  }
  return optionalStringFault(value, ['title', 'description']);
}

function optionalStringFault(value: Fields, keys: readonly string[]): string | undefined {
  const key = keys.find(
    (name) => value[name] !== undefined && value[name] !== null && typeof value[name] !== 'string',
  );
  return key === undefined ? undefined : `"${key}" is not a string`;
}

function optionalObjectFault(value: Fields, keys: readonly string[]): string | undefined {
  const key = keys.find(
    (name) => value[name] !== undefined && value[name] !== null && !isRecord(value[name]),
  );
  return key === undefined ? undefined : `"${key}" is not an object`;
}

/** The entry with its harmless gaps closed; the very same buffer when there is none. */
function mend(kind: DefinitionKind, json: Buffer, value: Fields): Buffer {
  const root = rootSpan(json);
  const members = memberSpans(json, root);
  const insert = new Map<string, string>();
  if (kind === 'tool' && (value['inputSchema'] === undefined || value['inputSchema'] === null)) {
    insert.set('inputSchema', '{"type":"object"}');
  }
  const needsName = kind === 'resource' || kind === 'template';
  if (needsName && typeof value['name'] !== 'string')
    insert.set('name', JSON.stringify(value[IDENTITY[kind]]));
  const isNull = (key: string): boolean => value[key] === null && (!NEVER_NULL.has(key) || insert.has(key));
  const edits = reshapeObject(root, members, isNull, insert);
  edits.push(...mendSchemaType(json, members.get('inputSchema'), value['inputSchema']));
  edits.push(...mendNulls(json, members.get('annotations'), value['annotations']));
  return splice(json, edits);
}

/** A schema without a type still means an object; hosts refuse the whole list when it is not said. */
function mendSchemaType(json: Buffer, span: Member | undefined, schema: unknown): Edit[] {
  if (span === undefined || !isRecord(schema) || schema['type'] === 'object') return [];
  const members = childMembers(json, span) ?? new Map<string, Member>();
  const type = members.get('type');
  if (type !== undefined) return [{ start: type.start, end: type.end, text: '"object"' }];
  return [insertMember(span, members.size === 0, 'type', '"object"')];
}

function mendNulls(json: Buffer, span: Member | undefined, annotations: unknown): Edit[] {
  const members = childMembers(json, span);
  if (span === undefined || members === undefined || !isRecord(annotations)) return [];
  return reshapeObject(span, members, (key) => annotations[key] === null, new Map());
}

export const nativeNameOf = (definition: AcceptedDefinition): NativeName => nativeName(definition.native);
export const nativeUriOf = (definition: AcceptedDefinition): NativeUri => nativeUri(definition.native);
