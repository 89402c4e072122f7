/** Long texts are cut: a description that needs more than this to say what a tool does says nothing. */
const MAX_TEXT_CHARS = 20_000;

/** Scripts written without spaces between words. */
const UNSPACED = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}ー';
const CHUNKS = new RegExp(`[${UNSPACED}]+|(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}])+`, 'gu');
const FIRST_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');

/** Where one capitalised word ends and the next begins, and between letters and digits. */
const BOUNDARY =
  /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=[\p{L}\p{M}])(?=\p{N})|(?<=\p{N})(?=\p{L})/u;

/** The words of one text. */
export interface Words {
  /** Single words, in order, in lower case. */
  readonly words: readonly string[];
  /** The same text's compounds in one piece: `GitHub` is two words and one compound, `github`. */
  readonly compounds: readonly string[];
}

/**
 * Splits a text into words. Compound names are split before the case is folded, so that `addPerson`,
 * `add_person` and "add person" agree. Scripts written without spaces become pairs of neighbouring
 * characters. The index and the queries go through this one function.
 */
export function wordsOf(text: string): Words {
  const words: string[] = [];
  const compounds: string[] = [];
  const normal = text
    .slice(0, MAX_TEXT_CHARS)
    .replace(/(?<=\p{L})['’](?=\p{L})/gu, ' ')
    .normalize('NFKC');
  for (const [chunk] of normal.matchAll(CHUNKS)) {
    if (FIRST_UNSPACED.test(chunk)) words.push(...pairsOf(chunk));
    else {
      const parts = chunk.split(BOUNDARY).map((part) => foldAccents(part.toLowerCase()));
      words.push(...parts);
      if (parts.length > 1) compounds.push(parts.join(''));
    }
  }
  return { words, compounds };
}

/** Accents are dropped from Latin letters only: elsewhere a mark can make another letter. */
function foldAccents(word: string): string {
  if (/^[\u0000-\u007f]*$/.test(word)) return word;
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
