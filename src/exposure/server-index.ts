import type { CatalogEntry } from '../catalog/index.ts';

/** One server as the index names it. */
interface Shelf {
  readonly name: string;
  readonly tools: readonly CatalogEntry[];
}

/** How many words each server gets, richest first; where even bare names are too many, the last are left out. */
const WORDS = [6, 4, 2, 0];
/** Words that say what is done and not with what, so they tell no server from another. */
const COMMON = new Set(
  (
    'a add all and by check clear close create delete do edit execute fetch find for from get in info into is list ' +
    'make new of on one open or post put query read remove run search set show start stop tool tools to update upsert ' +
    'use using view with write'
  ).split(' '),
);
const MAX_READ_TOOLS = 500;
const MAX_WORD_CHARS = 24;

/**
 * Short texts that say which servers there are and what their tools are about, the fullest first; each is a function
 * of the visible tools alone. Words are those that their names have most in common, never free text of a server.
 */
export function serverIndexes(
  tools: readonly CatalogEntry[],
  serverName: (entry: CatalogEntry) => string,
): string[] {
  const shelves = shelvesOf(tools, serverName);
  if (shelves.length === 0) return ['No servers.'];
  const indexes = WORDS.map((words) => indexText(shelves, words, shelves.length));
  for (let shown = Math.floor(shelves.length / 2); shown >= 1; shown = Math.floor(shown / 2))
    indexes.push(indexText(shelves, 0, shown));
  return [...new Set(indexes)];
}

function shelvesOf(tools: readonly CatalogEntry[], serverName: (entry: CatalogEntry) => string): Shelf[] {
  const shelves = new Map<string, CatalogEntry[]>();
  for (const tool of tools) {
    const name = serverName(tool);
    const others = shelves.get(name);
    if (others === undefined) shelves.set(name, [tool]);
    else others.push(tool);
  }
  return [...shelves].map(([name, group]) => ({ name, tools: group }));
}

function indexText(shelves: readonly Shelf[], words: number, shown: number): string {
  const entries = shelves.slice(0, shown).map((shelf) => {
    const about = words === 0 ? [] : commonWords(shelf, words);
    return about.length === 0 ? shelf.name : `${shelf.name} (${about.join(', ')})`;
  });
  const others = shelves.length - entries.length;
  return `Servers: ${entries.join(', ')}${others > 0 ? `, ${others} more` : ''}.`;
}

/** The words that most of the names share; of equals, those that come first. */
function commonWords({ name, tools }: Shelf, count: number): string[] {
  const counts = new Map<string, number>();
  const own = new Set(wordsOf(name));
  for (const { native } of tools.slice(0, MAX_READ_TOOLS))
    for (const word of new Set(wordsOf(native)))
      if (!COMMON.has(word) && !own.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, count)
    .map(([word]) => word);
}

const wordsOf = (name: string): string[] =>
  name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1 && word.length <= MAX_WORD_CHARS && !/^\p{N}+$/u.test(word));
