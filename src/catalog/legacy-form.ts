import { childMembers, type Edit, memberSpans, reshapeObject, rootSpan, splice } from '../wire/index.ts';
import { type Fields, isRecord } from './definition-shape.ts';

/** What the two schemas that are no objects accept, said in objects. */
const AS_OBJECT: ReadonlyMap<unknown, string> = new Map([
  [true, '{}'],
  [false, '{"not":{}}'],
]);

/**
 * A tool for hosts of the handshake revisions, where the properties of a schema are objects and an output
 * schema is one of objects. A strict host refuses the whole list for another form, so boolean schemas of
 * arguments are written as objects and such an output schema is left out; the tool stays.
 * https://modelcontextprotocol.io/specification/2025-11-25/schema#tool
 *
 * @param value the parsed `json`
 */
export function legacyForm(json: Buffer, value: Fields): Buffer {
  const root = rootSpan(json);
  const members = memberSpans(json, root);
  const output = value['outputSchema'];
  const isDropped = output !== undefined && !isObjectSchema(output);
  const edits = isDropped ? reshapeObject(root, members, (key) => key === 'outputSchema', new Map()) : [];
  const schema = value['inputSchema'];
  const properties = isRecord(schema) ? schema['properties'] : undefined;
  if (isRecord(properties) && Object.values(properties).some((item) => AS_OBJECT.has(item))) {
    const spans = childMembers(json, childMembers(json, members.get('inputSchema'))?.get('properties'));
    for (const [key, span] of spans ?? []) {
      const text = AS_OBJECT.get(properties[key]);
      if (text !== undefined) edits.push({ start: span.start, end: span.end, text } satisfies Edit);
    }
  }
  return splice(json, edits);
}

function isObjectSchema(schema: unknown): boolean {
  if (!isRecord(schema) || schema['type'] !== 'object') return false;
  const { properties, required } = schema;
  const hasSchemas =
    properties === undefined ||
    (isRecord(properties) &&
      Object.values(properties).every((item) => typeof item === 'object' && item !== null));
  const hasNames =
    required === undefined || (Array.isArray(required) && required.every((item) => typeof item === 'string'));
  return hasSchemas && hasNames;
}
