import type { SearchDocument } from './document.ts';

/** Finds tools by the very name that a query gives, bare or qualified, in any case. */
export interface ExactNames {
  add(slot: number, document: SearchDocument): void;
  remove(slot: number, document: SearchDocument): void;
  /** Slots of the tools that a query names, as a whole or by a word that is built like a name. */
  find(query: string): readonly number[];
}

/** Letters and digits alone: `create-issue`, `createIssue` and "Create issue" are one name. */
const flat = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

/** A word inside a sentence is taken for a name only when it is built like one. */
const COMPOUND = /[\p{L}\p{N}][_\-./:]+[\p{L}\p{N}]|\p{Ll}\p{Lu}/u;

const MAX_QUERY_CHARS = 1_000;

export function createExactNames(): ExactNames {
  const byName = new Map<string, Set<number>>();

  return {
    add(slot, document) {
      for (const form of formsOf(document)) {
        const known = byName.get(form);
        if (known === undefined) byName.set(form, new Set([slot]));
        else known.add(slot);
      }
    },
    remove(slot, document) {
      for (const form of formsOf(document)) {
        const known = byName.get(form);
        known?.delete(slot);
        if (known?.size === 0) byName.delete(form);
      }
    },
    find(query) {
      const text = query.slice(0, MAX_QUERY_CHARS);
      const whole = byName.get(flat(text));
      if (whole !== undefined) return [...whole];
      const words = text.split(/[\s,;"'`()[\]]+/).filter((word) => COMPOUND.test(word));
      return [...new Set(words.flatMap((word) => [...(byName.get(flat(word)) ?? [])]))];
    },
  };
}

function formsOf({ key, server, name }: SearchDocument): Set<string> {
  const forms = new Set([flat(key), flat(name), flat(`${server}${name}`)]);
  // A name without letters or digits would be found by every query without them.
  forms.delete('');
  return forms;
}
