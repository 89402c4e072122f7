/** Scripts written without spaces between words. */
const UNSPACED = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}ー';
const CHUNKS = new RegExp(`[${UNSPACED}]+|(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}])+`, 'gu');
const FIRST_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');
const PLAIN_CHUNKS = /[A-Za-z0-9]+/g;
const PLAIN_TEXT = /^\p{ASCII}*$/u;

/** Where one capitalised word ends and the next begins, and between letters and digits. */
const BOUNDARY =
  /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=[\p{L}\p{M}])(?=\p{N})|(?<=\p{N})(?=\p{L})/u;
const ONE_WORD = /^(?:[a-z]+|[A-Z][a-z]*|[A-Z]+|[0-9]+)$/;

/** Long texts are cut: a description that needs more than this to say what a tool does says nothing. */
const MAX_TEXT_CHARS = 20_000;

/**
 * The unbroken runs of letters and digits of a text, in normal form. The index and the queries go through this
 * one function and the two below.
 */
export function chunksOf(text: string): readonly string[] {
  const cut = text.slice(0, MAX_TEXT_CHARS);
  if (PLAIN_TEXT.test(cut)) return cut.match(PLAIN_CHUNKS) ?? [];
  return cut.normalize('NFKC').match(CHUNKS) ?? [];
}

export const isUnspaced = (chunk: string): boolean => FIRST_UNSPACED.test(chunk);

/**
 * The words of a chunk, in lower case. Compounds are split before the case is folded, so that `addPerson`,
 * `add_person` and "add person" agree; scripts written without spaces become pairs of neighbours.
 */
export function wordsOf(chunk: string): readonly string[] {
  if (ONE_WORD.test(chunk)) return [chunk.toLowerCase()];
  if (isUnspaced(chunk)) return pairsOf(chunk);
  return chunk.split(BOUNDARY).map((part) => foldAccents(part.toLowerCase()));
}

/** Accents are dropped from Latin letters only: elsewhere a mark can make another letter. */
function foldAccents(word: string): string {
  if (PLAIN_TEXT.test(word)) return word;
  return word
    .normalize('NFD')
    .replace(/(?<=\p{Script=Latin}\p{M}*)\p{M}/gu, '')
    .normalize('NFC');
}

function pairsOf(run: string): string[] {
  const letters = [...run];
  if (letters.length === 1) return letters;
  return letters.slice(1).map((letter, before) => `${letters[before] ?? ''}${letter}`);
}
