import type { DefinitionKind } from '../domain/index.ts';

export type Fields = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a member of a definition must be when it is there. Members that are not named may be anything. */
export interface Shape {
  readonly type: 'string' | 'number' | 'boolean' | 'object' | 'list' | 'schemas';
  /** Of an object: its known members, all of them optional. */
  readonly members?: Shapes;
  /** Of a list. */
  readonly items?: Shape;
  /** Of the objects in a list: the member without which the element means nothing. */
  readonly needs?: string;
}

export type Shapes = ReadonlyMap<string, Shape>;

const TEXT: Shape = { type: 'string' };
const FLAG: Shape = { type: 'boolean' };
const COUNT: Shape = { type: 'number' };
const OBJECT: Shape = { type: 'object' };
const TEXTS: Shape = { type: 'list', items: TEXT };

const shapes = (members: Readonly<Record<string, Shape>>): Shapes => new Map(Object.entries(members));
const object = (members: Readonly<Record<string, Shape>>): Shape => ({
  type: 'object',
  members: shapes(members),
});

const ICONS: Shape = {
  type: 'list',
  items: { ...object({ src: TEXT, mimeType: TEXT, sizes: TEXTS, theme: TEXT }), needs: 'src' },
};
const COMMON = { title: TEXT, description: TEXT, icons: ICONS, _meta: OBJECT };
const CONTENT_HINTS = object({ audience: TEXTS, priority: COUNT, lastModified: TEXT });

const TOOL = shapes({
  ...COMMON,
  inputSchema: object({ $schema: TEXT, properties: { type: 'schemas' }, required: TEXTS }),
  // For the host to use or ignore; only what makes a host refuse the list is looked at.
  outputSchema: object({ $schema: TEXT }),
  annotations: object({
    title: TEXT,
    readOnlyHint: FLAG,
    destructiveHint: FLAG,
    idempotentHint: FLAG,
    openWorldHint: FLAG,
  }),
  execution: object({ taskSupport: TEXT }),
});

const PROMPT = shapes({
  ...COMMON,
  arguments: {
    type: 'list',
    items: { ...object({ name: TEXT, title: TEXT, description: TEXT, required: FLAG }), needs: 'name' },
  },
});

const RESOURCE = shapes({
  ...COMMON,
  name: TEXT,
  mimeType: TEXT,
  size: COUNT,
  annotations: CONTENT_HINTS,
});

/**
 * The JSON types that every revision since 2024-11-05 gives to the members of a definition. Values are not
 * looked at: a later revision may know more of them.
 * https://modelcontextprotocol.io/specification/2026-07-28/schema#tool
 */
export const SHAPES: Readonly<Record<DefinitionKind, Shapes>> = {
  tool: TOOL,
  prompt: PROMPT,
  resource: RESOURCE,
  template: RESOURCE,
};

const NAMES: Readonly<Record<Shape['type'], string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  list: 'a list',
  schemas: 'an object of schemas',
};

/** What is wrong with the known members of an object; null counts as absent. */
export function faultIn(value: Fields, members: Shapes, path = ''): string | undefined {
  for (const [key, shape] of members) {
    if (!Object.hasOwn(value, key) || value[key] === null) continue;
    const fault = faultOf(value[key], shape, `${path}${key}`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOf(value: unknown, shape: Shape, path: string): string | undefined {
  if (!hasType(value, shape)) return `"${path}" is not ${NAMES[shape.type]}`;
  if (isRecord(value) && shape.members !== undefined) return faultIn(value, shape.members, `${path}.`);
  const { items } = shape;
  if (!Array.isArray(value) || items === undefined) return undefined;
  for (const [index, item] of (value as readonly unknown[]).entries()) {
    const place = `${path}[${index}]`;
    const fault = faultOf(item, items, place);
    if (fault !== undefined) return fault;
    if (isRecord(item) && items.needs !== undefined && typeof item[items.needs] !== 'string')
      return `"${place}" has no "${items.needs}"`;
  }
  return undefined;
}

function hasType(value: unknown, { type }: Shape): boolean {
  if (type === 'list') return Array.isArray(value);
  if (type === 'object') return isRecord(value);
  // A schema is an object or a boolean; a map of anything else cannot describe arguments.
  if (type === 'schemas')
    return (
      isRecord(value) && Object.values(value).every((item) => isRecord(item) || typeof item === 'boolean')
    );
  return typeof value === type;
}
