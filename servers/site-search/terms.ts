import { stem } from './stem.ts';

/**
 * Words that carry no subject. Without them a question in plain words is ranked by what it is about.
 * `c`, `go` and other short names of languages are not here on purpose.
 */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about an and are as at be been but by can could did do does for from had has have how i if in into is it ' +
    'its me my no not of on or our should so than that the their them then there these they this to us was we ' +
    'were what when where which who why will with would you your'
  ).split(' '),
);

/** Scripts that are written without spaces: each pair of neighbours is a term, since words cannot be told apart. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Splits text into the raw terms that are indexed and searched; both sides must use the same function. */
export function tokenize(text: string): string[] {
  return (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).flatMap((word) =>
    UNSPACED.test(word) ? pairsOf(word) : [word],
  );
}

/** Brings a term to its indexed form, or answers `null` for one that is left out. */
export function normalizeTerm(term: string): string | null {
  const folded = term.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return folded === '' || STOP_WORDS.has(folded) ? null : stem(folded);
}

function pairsOf(word: string): string[] {
  const characters = [...word];
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, at) => `${characters[at] ?? ''}${character}`);
}
