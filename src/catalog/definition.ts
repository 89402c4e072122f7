import type { DefinitionKind, RawDefinition } from '../domain/index.ts';
import {
  childMembers,
  memberSpans,
  type ParamHeader,
  type ParamHeaderPlan,
  planParamHeaders,
  rootSpan,
} from '../wire/index.ts';
import { faultIn, type Fields, isRecord, SHAPES } from './definition-shape.ts';
import { schemeOf } from './exposed-uri.ts';
import { legacyForm } from './legacy-form.ts';
import { mend } from './mend.ts';
import { templateFault } from './uri-template.ts';

/** A definition that may be shown, in its upstream's words. */
export interface AcceptedDefinition {
  readonly kind: DefinitionKind;
  /** Native name of a tool or prompt, native URI or template of the others. */
  readonly native: string;
  /** The entry's JSON as declared, apart from repairs that change nothing for a caller. */
  readonly json: Buffer;
  /** The same for hosts of the handshake revisions; the same buffer where they need no other. */
  readonly legacyJson: Buffer;
  readonly value: Fields;
  readonly paramHeaders: readonly ParamHeader[];
}

export type DefinitionVerdict =
  | { readonly ok: true; readonly definition: AcceptedDefinition }
  | { readonly ok: false; readonly native: string | undefined; readonly reason: string };

/** The member that identifies an entry of each kind. */
export const IDENTITY: Readonly<Record<DefinitionKind, string>> = {
  tool: 'name',
  prompt: 'name',
  resource: 'uri',
  template: 'uriTemplate',
};

/**
 * Judges one entry by itself, so that a broken one never costs its neighbours; it never throws. Harmless gaps
 * are mended, anything else withholds the entry, with a reason. Schemas are not compiled: they are for the
 * host to use or ignore.
 */
export function judgeDefinition(raw: RawDefinition): DefinitionVerdict {
  let native: string | undefined;
  try {
    const value: unknown = JSON.parse(raw.json.toString('utf8'));
    if (!isRecord(value)) return refused(undefined, 'the entry is not a JSON object');
    const identity = value[IDENTITY[raw.kind]];
    if (typeof identity !== 'string' || identity === '')
      return refused(undefined, `"${IDENTITY[raw.kind]}" is missing or not a string`);
    native = identity;
    return judge(raw, value, native);
  } catch (error) {
    return refused(native, `the entry cannot be read: ${(error as Error).message}`);
  }
}

const refused = (native: string | undefined, reason: string): DefinitionVerdict => ({
  ok: false,
  native,
  reason,
});

function judge(raw: RawDefinition, value: Fields, native: string): DefinitionVerdict {
  const { kind } = raw;
  const fault = identityFault(kind, native) ?? faultIn(value, SHAPES[kind]);
  if (fault !== undefined) return refused(native, fault);
  checkUnambiguous(raw);
  const json = mend(kind, raw.json, value, IDENTITY[kind]);
  const mended = json === raw.json ? value : (JSON.parse(json.toString('utf8')) as Fields);
  if (kind === 'tool') return judgeTool(raw, value, { native, json, mended });
  const definition = { kind, native, json, legacyJson: json, value: mended, paramHeaders: [] };
  return { ok: true, definition };
}

interface Mended {
  readonly native: string;
  readonly json: Buffer;
  readonly mended: Fields;
}

function judgeTool(raw: RawDefinition, value: Fields, { native, json, mended }: Mended): DefinitionVerdict {
  const schema = value['inputSchema'];
  const fault = typeFault(schema);
  if (fault !== undefined) return refused(native, fault);
  const plan = mayMirror(raw.json) ? planParamHeaders(schema) : NO_HEADERS;
  if (!plan.ok) return refused(native, plan.reason);
  const legacyJson = legacyForm(json, mended);
  const definition = { kind: raw.kind, native, json, legacyJson, value: mended, paramHeaders: plan.params };
  return { ok: true, definition };
}

const NO_HEADERS: ParamHeaderPlan = { ok: true, params: [] };

/** Few schemas ask for mirrored headers, and walking one for nothing takes longer than all the rest. */
const mayMirror = (json: Buffer): boolean => json.includes('x-mcp-header') || json.includes('\\u');

/** A surrogate without its partner: text that UTF-8 cannot carry, so that two such names could become one. */
const LONE_SURROGATE = /\p{Surrogate}/u;

function identityFault(kind: DefinitionKind, native: string): string | undefined {
  const key = IDENTITY[kind];
  if (LONE_SURROGATE.test(native)) return `"${key}" is not well-formed text`;
  if (kind === 'tool' || kind === 'prompt') return undefined;
  if (schemeOf(native) === undefined) return `"${key}" has no scheme, so it cannot be addressed`;
  const tooLarge = kind === 'template' ? templateFault(native) : undefined;
  return tooLarge === undefined ? undefined : `"${key}" cannot be matched: ${tooLarge}`;
}

function typeFault(schema: unknown): string | undefined {
  const type = isRecord(schema) ? (schema['type'] ?? 'object') : 'object';
  if (type === 'object' || (Array.isArray(type) && type.includes('object'))) return undefined;
  const what = typeof type === 'string' ? JSON.stringify(type.slice(0, 40)) : 'no name of a type';
  return `"inputSchema.type" is ${what}; arguments are always an object`;
}

/**
 * A member that stands twice is read in two ways, so what is decided here could be another thing for a host.
 * Looked at is every object that a decision is made on.
 *
 * @throws JsonScanError for such a member
 */
function checkUnambiguous({ json, kind }: RawDefinition): void {
  const members = memberSpans(json, rootSpan(json));
  if (kind !== 'tool') return;
  childMembers(json, members.get('annotations'));
  const schema = childMembers(json, members.get('inputSchema'));
  childMembers(json, schema?.get('properties'));
  childMembers(json, childMembers(json, members.get('_meta'))?.get('ui'));
}
