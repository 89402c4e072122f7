import type { Collection, Entry } from './collection.ts';

/** Finds tools by the very name that a query gives, bare or qualified, in any case. */
export interface ExactNames {
  find(query: string): readonly Entry[];
}

/** Letters and digits alone: `create-issue`, `createIssue` and "Create issue" are one name. */
const flat = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

/** A word inside a sentence is taken for a name only when it is built like one. */
const COMPOUND = /^[^\s]*(?:[\p{L}\p{N}][_\-./:][\p{L}\p{N}]|\p{Ll}\p{Lu})[^\s]*$/u;

const MAX_QUERY_CHARS = 1_000;

export function createExactNames(collection: Collection): ExactNames {
  let version = -1;
  let byName = new Map<string, Entry[]>();

  function prepare(): void {
    if (version === collection.version()) return;
    version = collection.version();
    byName = new Map();
    for (const entry of collection.entries()) {
      const { key, server, name } = entry.document;
      for (const form of new Set([flat(key), flat(name), flat(`${server}${name}`)])) {
        if (form === '') continue;
        const known = byName.get(form);
        if (known === undefined) byName.set(form, [entry]);
        else known.push(entry);
      }
    }
  }

  return {
    find(query) {
      prepare();
      const text = query.slice(0, MAX_QUERY_CHARS);
      const whole = byName.get(flat(text));
      if (whole !== undefined) return whole;
      return text
        .split(/[\s,;"'`()[\]]+/)
        .filter((word) => COMPOUND.test(word))
        .flatMap((word) => byName.get(flat(word)) ?? []);
    },
  };
}
