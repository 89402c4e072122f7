import type { DefinitionKind } from '../domain/index.ts';

export type Fields = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a member of a definition must be when it is there. Members that are not named may be anything. */
export interface Shape {
  readonly type: 'string' | 'number' | 'boolean' | 'object' | 'list' | 'schemas';
  /** Of a decoration: the values that mean something. One that means nothing counts as absent. */
  readonly means?: (value: unknown) => boolean;
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
const OBJECT: Shape = { type: 'object' };
const TEXTS: Shape = { type: 'list', items: TEXT };
const SIZE: Shape = { type: 'number', means: Number.isFinite };
const oneOf = (...words: readonly unknown[]): Shape => ({
  type: 'string',
  means: (value) => words.includes(value),
});

const shapes = (members: Readonly<Record<string, Shape>>): Shapes => new Map(Object.entries(members));
const object = (members: Readonly<Record<string, Shape>>): Shape => ({
  type: 'object',
  members: shapes(members),
});

const ICONS: Shape = {
  type: 'list',
  items: {
    ...object({ src: TEXT, mimeType: TEXT, sizes: TEXTS, theme: oneOf('light', 'dark') }),
    needs: 'src',
  },
};
const COMMON = { title: TEXT, description: TEXT, icons: ICONS, _meta: OBJECT };

const ROLES: readonly unknown[] = ['user', 'assistant'];
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;
const CONTENT_HINTS = object({
  audience: {
    ...TEXTS,
    means: (value) => Array.isArray(value) && value.every((role) => ROLES.includes(role)),
  },
  priority: { type: 'number', means: (value) => typeof value === 'number' && value >= 0 && value <= 1 },
  lastModified: {
    type: 'string',
    means: (value) => typeof value === 'string' && INSTANT.test(value) && !Number.isNaN(Date.parse(value)),
  },
});

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
  execution: object({ taskSupport: oneOf('required', 'optional', 'forbidden') }),
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
  size: SIZE,
  annotations: CONTENT_HINTS,
});

/**
 * What every revision since 2024-11-05 that has a member allows it to be. Hosts that are strict refuse a whole
 * list for one member that is anything else.
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

/** True for a member that counts as absent: null, or a decoration that means nothing. */
export const isVoid = (value: unknown, { type, means }: Shape): boolean =>
  value === null || (means !== undefined && hasType(value, { type }) && !means(value));

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

function hasType(value: unknown, { type }: Pick<Shape, 'type'>): boolean {
  if (type === 'list') return Array.isArray(value);
  if (type === 'object') return isRecord(value);
  // A schema is an object or a boolean; a map of anything else cannot describe arguments.
  if (type === 'schemas')
    return (
      isRecord(value) && Object.values(value).every((item) => isRecord(item) || typeof item === 'boolean')
    );
  return typeof value === type;
}
