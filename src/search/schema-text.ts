/** What an input schema says in words. */
export interface SchemaText {
  readonly names: readonly string[];
  readonly texts: readonly string[];
}

/**
 * Bounds of one walk. Real schemas of published servers stay within them, apart from a few generated ones
 * that repeat themselves; what lies deeper describes details of an argument, not what the tool is for.
 */
const MAX_DEPTH = 5;
const MAX_NODES = 2_000;
const MAX_PARAMETERS = 300;
const MAX_TEXT_CHARS = 20_000;
const MAX_VALUES = 40;
const MAX_VALUE_CHARS = 40;

/** Keywords whose values are schemas or lists of schemas. */
const NESTED = ['items', 'prefixItems', 'anyOf', 'oneOf', 'allOf', 'then', 'else', 'additionalProperties'];

/**
 * The names and descriptions of a tool's parameters, nearest first. References are not followed, each object
 * is visited once, and depth, nodes and characters are bounded, so that a recursive or enormous schema costs
 * no more than a large honest one.
 */
export function schemaText(schema: unknown): SchemaText {
  const names: string[] = [];
  const texts: string[] = [];
  const seen = new Set<unknown>();
  let chars = 0;
  let level: unknown[] = [schema];
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    const next: unknown[] = [];
    for (const node of level) {
      if (seen.size >= MAX_NODES) break;
      if (typeof node !== 'object' || node === null || seen.has(node)) continue;
      seen.add(node);
      for (const text of textsOf(node as Fields)) {
        if (chars >= MAX_TEXT_CHARS) break;
        texts.push(text.slice(0, MAX_TEXT_CHARS - chars));
        chars += text.length;
      }
      addProperties(node as Fields, names, next);
      addNested(node as Fields, next);
    }
    level = next;
  }
  return { names, texts };
}

type Fields = Readonly<Record<string, unknown>>;

/** Title, description and, when they are few, accepted words: `"enum": ["bar", "line", "pie"]`. */
function textsOf(fields: Fields): string[] {
  const values: unknown = fields['enum'];
  const words = Array.isArray(values) && values.length <= MAX_VALUES ? (values as readonly unknown[]) : [];
  return [
    ...[fields['title'], fields['description']].filter((text) => typeof text === 'string'),
    ...words.filter((word) => typeof word === 'string').filter((word) => word.length <= MAX_VALUE_CHARS),
  ];
}

/** Adds the schemas inside a schema, those of lists of schemas included. */
function addNested(fields: Fields, next: unknown[]): void {
  for (const keyword of NESTED) {
    const value = fields[keyword];
    if (typeof value !== 'object' || value === null) continue;
    const schemas: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (let at = 0; at < schemas.length && next.length < MAX_NODES; at++) next.push(schemas[at]);
  }
}

function addProperties(fields: Fields, names: string[], next: unknown[]): void {
  const properties = fields['properties'];
  if (typeof properties !== 'object' || properties === null || Array.isArray(properties)) return;
  for (const name in properties) {
    if (names.length >= MAX_PARAMETERS || next.length >= MAX_NODES) return;
    if (!Object.hasOwn(properties, name)) continue;
    names.push(name);
    next.push((properties as Fields)[name]);
  }
}
