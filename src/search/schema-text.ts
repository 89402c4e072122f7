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

/** Keywords whose values are schemas or lists of schemas. */
const NESTED = ['items', 'prefixItems', 'anyOf', 'oneOf', 'allOf', 'then', 'else', 'additionalProperties'];

interface Visit {
  readonly node: unknown;
  readonly depth: number;
}

/**
 * The names and descriptions of a tool's parameters, nearest first. References are not followed, each object
 * is visited once, and depth, nodes and characters are bounded, so that a recursive or enormous schema costs
 * no more than a large honest one.
 */
export function schemaText(schema: unknown): SchemaText {
  const names: string[] = [];
  const texts: string[] = [];
  const seen = new Set<object>();
  const queue: Visit[] = [{ node: schema, depth: 0 }];
  let chars = 0;
  for (let at = 0; at < queue.length && at < MAX_NODES; at++) {
    const { node, depth } = queue[at] as Visit;
    if (typeof node !== 'object' || node === null || seen.has(node)) continue;
    seen.add(node);
    const add = (child: unknown): void => {
      if (depth < MAX_DEPTH && queue.length < MAX_NODES) queue.push({ node: child, depth: depth + 1 });
    };
    if (Array.isArray(node)) {
      for (const child of node.slice(0, MAX_NODES)) add(child);
      continue;
    }
    const fields = node as Readonly<Record<string, unknown>>;
    // The schema's own text describes the whole object of arguments; a parameter's describes the parameter.
    for (const text of [fields['title'], fields['description']])
      if (typeof text === 'string' && chars < MAX_TEXT_CHARS) {
        texts.push(text.slice(0, MAX_TEXT_CHARS - chars));
        chars += text.length;
      }
    for (const value of valuesOf(fields)) {
      if (chars >= MAX_TEXT_CHARS) break;
      texts.push(value);
      chars += value.length;
    }
    for (const [name, child] of propertiesOf(fields)) {
      if (names.length >= MAX_PARAMETERS) break;
      names.push(name);
      add(child);
    }
    for (const keyword of NESTED) add(fields[keyword]);
  }
  return { names, texts };
}

function propertiesOf(fields: Readonly<Record<string, unknown>>): [string, unknown][] {
  const properties = fields['properties'];
  if (typeof properties !== 'object' || properties === null || Array.isArray(properties)) return [];
  const found: [string, unknown][] = [];
  for (const name in properties) {
    if (found.length >= MAX_PARAMETERS) break;
    if (Object.hasOwn(properties, name))
      found.push([name, (properties as Readonly<Record<string, unknown>>)[name]]);
  }
  return found;
}

/** Words that a parameter accepts, when they are few: `"enum": ["bar", "line", "pie"]`. */
function valuesOf(fields: Readonly<Record<string, unknown>>): string[] {
  const values = fields['enum'];
  if (!Array.isArray(values) || values.length > 40) return [];
  return values.filter((value): value is string => typeof value === 'string' && value.length < 40);
}
