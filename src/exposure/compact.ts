import {
  childMembers,
  type Edit,
  elementSpans,
  isObjectAt,
  isStringAt,
  JsonScanError,
  type Member,
  memberSpans,
  reshapeObject,
  rootSpan,
  type Span,
  splice,
  stringAt,
  textAt,
} from '../wire/index.ts';
import { shortened } from './short-text.ts';

const OPEN_ARRAY = 0x5b;

/** Deeper schemas stay as they are: each level is read again for the next. */
const MAX_DEPTH = 32;
/** Larger definitions stay as they are: no shorter text would make them small. */
const MAX_LENGTH = 262_144;
const TOOL_TEXT_CHARS = 160;
const SCHEMA_TEXT_CHARS = 60;
/** A default this short tells a caller more than it costs. */
const SHORT_DEFAULT_BYTES = 24;

/** Keywords whose value is a schema. */
const SCHEMAS: ReadonlySet<string> = new Set([
  'additionalItems',
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
/** Keywords whose value is a list of schemas. */
const SCHEMA_LISTS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems']);
/** Keywords whose value is a map of names to schemas: the names are the server's own, whatever they are. */
const SCHEMA_MAPS: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);

/** What points into a schema, and so could point at something that is left out. */
const REFERENCE = /"\$(?:ref|dynamicRef|recursiveRef)"\s*:\s*("(?:[^"\\]|\\.)*")/g;
/** Plain letters that are written as escapes: a keyword could hide in them. */
const ESCAPED_LETTERS = /\\u00[0-7]/;
/** Annotations whose value could be a schema that something points at. */
const POINTED_AT = /\/(?:default|deprecated|examples)(?:\/|$)/;
const IDENTIFIED = /"(?:\$id|id|\$anchor|\$dynamicAnchor|\$recursiveAnchor)"/;

/**
 * A definition that costs less and accepts exactly the same arguments: its texts are shortened, and annotations
 * that no validator looks at are left out of its input schema. A keyword is one in the place of a schema only,
 * never in a map of names or in a literal value. What cannot be read in one way stays as it is.
 */
export function compactForm(json: string): string {
  if (json.length > MAX_LENGTH) return json;
  const bytes = Buffer.from(json, 'utf8');
  try {
    const members = memberSpans(bytes, rootSpan(bytes));
    const edits = shorterText(bytes, members.get('description'), TOOL_TEXT_CHARS);
    const schema = members.get('inputSchema');
    if (schema !== undefined) schemaEdits(bytes, schema, keepsFor(textAt(bytes, schema)), 0, edits);
    return edits.length === 0 ? json : splice(bytes, edits).toString('utf8');
  } catch (thrown) {
    if (thrown instanceof JsonScanError) return json;
    throw thrown;
  }
}

/** Whether an annotation with this value has to stay, because something may point into it. */
type Keeps = (value: string) => boolean;

function keepsFor(schemaText: string): Keeps {
  const isPointedAt =
    ESCAPED_LETTERS.test(schemaText) ||
    [...schemaText.matchAll(REFERENCE)].some(([, pointer]) => POINTED_AT.test(decoded(pointer ?? '')));
  return (value) => isPointedAt || IDENTIFIED.test(value);
}

/** A reference with its percent-encoding undone; one that cannot be read could point anywhere. */
function decoded(reference: string): string {
  try {
    return decodeURIComponent(JSON.parse(reference) as string);
  } catch {
    return '/default';
  }
}

function schemaEdits(bytes: Buffer, schema: Span, keeps: Keeps, depth: number, edits: Edit[]): void {
  if (depth > MAX_DEPTH || !isObjectAt(bytes, schema)) return;
  const members = memberSpans(bytes, schema);
  const removed = new Set<string>();
  for (const [keyword, member] of members) {
    if (isAnnotation(bytes, keyword, member, keeps)) removed.add(keyword);
    else if (keyword === 'description') edits.push(...shorterText(bytes, member, SCHEMA_TEXT_CHARS));
    else
      for (const inner of innerSchemas(bytes, keyword, member))
        schemaEdits(bytes, inner, keeps, depth + 1, edits);
  }
  if (removed.size > 0) edits.push(...reshapeObject(schema, members, (key) => removed.has(key), new Map()));
}

/** Whether a keyword says nothing about which values are accepted, in the form in which it means something. */
function isAnnotation(bytes: Buffer, keyword: string, member: Member, keeps: Keeps): boolean {
  switch (keyword) {
    case 'title':
    case '$comment':
      return isStringAt(bytes, member);
    case 'examples':
      return bytes[member.start] === OPEN_ARRAY && !keeps(textAt(bytes, member));
    case 'deprecated': {
      const text = textAt(bytes, member);
      return (text === 'true' || text === 'false') && !keeps(text);
    }
    case 'default':
      return member.end - member.start > SHORT_DEFAULT_BYTES && !keeps(textAt(bytes, member));
    default:
      return false;
  }
}

function innerSchemas(bytes: Buffer, keyword: string, member: Member): Iterable<Span> {
  const isList = bytes[member.start] === OPEN_ARRAY;
  if (isList) return SCHEMA_LISTS.has(keyword) ? elementSpans(bytes, member) : [];
  if (SCHEMA_MAPS.has(keyword)) return childMembers(bytes, member)?.values() ?? [];
  return SCHEMAS.has(keyword) ? [member] : [];
}

function shorterText(bytes: Buffer, member: Member | undefined, maxChars: number): Edit[] {
  const text = stringAt(bytes, member);
  if (member === undefined || text === undefined) return [];
  const short = JSON.stringify(shortened(text, maxChars));
  return Buffer.byteLength(short) < member.end - member.start
    ? [{ start: member.start, end: member.end, text: short }]
    : [];
}
