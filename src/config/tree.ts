/** A parsed file: maps keep the order and the exact keys of the text. */
export type Tree = null | boolean | number | string | readonly Tree[] | TreeMap;
export type TreeMap = ReadonlyMap<string, Tree>;

/** Keys and indices from the root of the file. */
export type Path = readonly (string | number)[];

export const isMap = (tree: Tree | undefined): tree is TreeMap => tree instanceof Map;

/** A string that is equal exactly for equal paths. */
export const pathKey = (path: Path): string => JSON.stringify(path);

/** `servers.files.args[0]`; a key that would read ambiguously is quoted: `mcpServers["my.server"].url`. */
export function formatKey(path: Path): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (/^[A-Za-z0-9_$-]+$/.test(part)) text += text === '' ? part : `.${part}`;
    else text += `[${JSON.stringify(part)}]`;
  }
  return text;
}

/** Plain values for a validator. Own keys are defined, never assigned, so `__proto__` stays a key. */
export function toPlain(tree: Tree): unknown {
  if (isMap(tree)) return Object.fromEntries([...tree].map(([key, value]) => [key, toPlain(value)]));
  if (Array.isArray(tree)) return (tree as readonly Tree[]).map(toPlain);
  return tree;
}

/** What a person calls the kind of a value, for messages that must not show the value. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  if (typeof value === 'boolean') return 'true or false';
  return typeof value === 'number' ? 'a number' : 'text';
}
