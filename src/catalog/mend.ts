import type { DefinitionKind } from '../domain/index.ts';
import {
  childMembers,
  type Edit,
  elementSpans,
  memberSpans,
  reshapeObject,
  rootSpan,
  type Span,
  splice,
} from '../wire/index.ts';
import { type Fields, isRecord, isVoid, type Shape, SHAPES, type Shapes } from './definition-shape.ts';

/**
 * The definition with its harmless gaps closed, and every other byte as it was; the very same buffer when it
 * has none. Optional members that are null, or decorations that mean nothing, count as absent; a tool without an input schema takes no
 * arguments, a schema without a type is one of objects, and a resource without a name has its URI for one:
 * hosts that are strict refuse a whole list for any of them.
 */
export function mend(kind: DefinitionKind, json: Buffer, value: Fields, identity: string): Buffer {
  const root = rootSpan(json);
  const members = memberSpans(json, root);
  const insert = new Map<string, string>();
  if (kind === 'tool' && isAbsent(value['inputSchema'])) insert.set('inputSchema', '{"type":"object"}');
  const isResource = kind === 'resource' || kind === 'template';
  if (isResource && isAbsent(value['name'])) insert.set('name', JSON.stringify(value[identity]));
  const edits: Edit[] = reshapeObject(root, members, voidMember(value, SHAPES[kind]), insert);
  for (const [key, shape] of SHAPES[kind]) {
    if (key !== 'inputSchema') edits.push(...voidsIn(json, members.get(key), value[key], shape));
  }
  const schema = value['inputSchema'];
  if (kind === 'tool' && isRecord(schema))
    edits.push(...schemaEdits(json, members.get('inputSchema'), schema));
  return splice(json, edits);
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

const voidMember =
  (value: Fields, shapes: Shapes) =>
  (key: string): boolean => {
    const shape = shapes.get(key);
    return shape !== undefined && isVoid(value[key], shape);
  };

/** Edits that remove what counts as absent inside a member, as far as its shape knows it. */
function voidsIn(json: Buffer, span: Span | undefined, value: unknown, shape: Shape): Edit[] {
  if (span === undefined || !hasVoid(value, shape)) return [];
  if (Array.isArray(value)) {
    const { items } = shape;
    const spans = elementSpans(json, span);
    return items === undefined
      ? []
      : (value as readonly unknown[]).flatMap((item, index) => voidsIn(json, spans[index], item, items));
  }
  const members = childMembers(json, span);
  if (members === undefined || !isRecord(value) || shape.members === undefined) return [];
  const edits = reshapeObject(span, members, voidMember(value, shape.members), new Map());
  for (const [key, inner] of shape.members) edits.push(...voidsIn(json, members.get(key), value[key], inner));
  return edits;
}

/** Most definitions have none, and their bytes are not scanned again to learn it. */
function hasVoid(value: unknown, shape: Shape): boolean {
  if (Array.isArray(value)) {
    const { items } = shape;
    return items !== undefined && value.some((item) => hasVoid(item, items));
  }
  if (!isRecord(value) || shape.members === undefined) return false;
  return [...shape.members].some(
    ([key, inner]) => Object.hasOwn(value, key) && (isVoid(value[key], inner) || hasVoid(value[key], inner)),
  );
}

/** A schema of arguments is one of objects, whether it says so, says nothing or also allows for others. */
function schemaEdits(json: Buffer, span: Span | undefined, schema: Fields): Edit[] {
  const members = childMembers(json, span);
  const shapes = SHAPES.tool.get('inputSchema')?.members;
  if (span === undefined || members === undefined || shapes === undefined) return [];
  const isTyped = schema['type'] === 'object';
  const isAbsentMember = voidMember(schema, shapes);
  const insert = isTyped ? new Map<string, string>() : new Map([['type', '"object"']]);
  return reshapeObject(span, members, (key) => isAbsentMember(key) || (key === 'type' && !isTyped), insert);
}
