import type { Collection } from './collection.ts';
import type { Member, ParsedQuery, QueryTerm } from './parse-query.ts';
import type { Postings } from './postings.ts';

/** Shorter words are near too many others. */
const MIN_CHARS = 4;
const MAX_CHARS = 40;
const MAX_WORDS = 8;
const MAX_NEAR = 5;

/**
 * What a query may have meant when the index knows none of its words: terms that begin with one, and terms a
 * slip or two away that share its first letter.
 */
export function nearTerms(query: string, collection: Collection): ParsedQuery {
  const { analyser, postings } = collection;
  const ideas: QueryTerm[] = [];
  for (const word of new Set(analyser.termsOf(query).terms.slice(0, MAX_WORDS))) {
    if (word.length < MIN_CHARS || word.length > MAX_CHARS) continue;
    const members = nearOnes(word, postings);
    const weight = Math.max(0, ...members.map(({ term }) => collection.rarity(term)));
    if (members.length > 0) ideas.push({ term: word, weight, serverWeight: 0, members });
  }
  return { ideas, pairs: new Map() };
}

function nearOnes(word: string, postings: Postings): Member[] {
  const allowed = word.length < 8 ? 1 : 2;
  const near: Member[] = [];
  for (const term of postings.terms()) {
    if (term[0] !== word[0] || term.length < MIN_CHARS - 1) continue;
    if (term.startsWith(word)) near.push({ term, share: word.length / term.length });
    else {
      const slips = distance(word, term, allowed);
      if (slips <= allowed) near.push({ term, share: 1 - slips / word.length });
    }
  }
  return near
    .toSorted((one, other) => other.share - one.share || (one.term < other.term ? -1 : 1))
    .slice(0, MAX_NEAR);
}

/** Edits between two words, an exchange of neighbours counting as one; no more than `limit` + 1 is told. */
function distance(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) > limit) return limit + 1;
  let beforeLast = new Uint8Array(to.length + 1);
  let last = Uint8Array.from(beforeLast, (_, column) => column);
  let current = new Uint8Array(to.length + 1);
  for (let row = 1; row <= from.length; row++) {
    current[0] = row;
    let least = row;
    for (let column = 1; column <= to.length; column++) {
      const same = from.charCodeAt(row - 1) === to.charCodeAt(column - 1);
      let edits = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (isExchange(from, to, row, column)) edits = Math.min(edits, (beforeLast[column - 2] ?? 0) + 1);
      current[column] = edits;
      least = Math.min(least, edits);
    }
    if (least > limit) return limit + 1;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return last[to.length] ?? limit + 1;
}

function isExchange(from: string, to: string, row: number, column: number): boolean {
  return (
    row > 1 &&
    column > 1 &&
    from.charCodeAt(row - 1) === to.charCodeAt(column - 2) &&
    from.charCodeAt(row - 2) === to.charCodeAt(column - 1)
  );
}
