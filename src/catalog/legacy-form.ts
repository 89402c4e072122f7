import type { DefinitionKind } from '../domain/index.ts';
import {
  childMembers,
  isStringAt,
  type Member,
  memberSpans,
  reshapeObject,
  rootSpan,
  splice,
  stringAt,
} from '../wire/index.ts';

/**
 * A definition for hosts of the handshake revisions. Their tools have output schemas of objects only, and
 * a strict host refuses the whole list for another one; such a schema is left out, the tool stays.
 * https://modelcontextprotocol.io/specification/2025-11-25/server/tools#output-schema
 */
export function legacyForm(kind: DefinitionKind, json: Buffer): Buffer {
  if (kind !== 'tool') return json;
  const root = rootSpan(json);
  const members = memberSpans(json, root);
  const output = members.get('outputSchema');
  if (output === undefined || isObjectSchema(json, output)) return json;
  return splice(
    json,
    reshapeObject(root, members, (key) => key === 'outputSchema', new Map()),
  );
}

function isObjectSchema(json: Buffer, output: Member): boolean {
  const type = childMembers(json, output)?.get('type');
  return type !== undefined && isStringAt(json, type) && stringAt(json, type) === 'object';
}
