/**
 * English stemming after M. F. Porter, "An algorithm for suffix stripping" (1980): `creates`, `created` and
 * `creating` become one term. Words are taken in lower case; words that are not plain English letters pass
 * through unchanged.
 */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  let text = word.replace(/^y/, 'Y');
  for (const step of [plurals, pastAndGerund, finalY, doubleSuffixes, fullSuffixes, longSuffixes, finalE])
    text = step(text);
  return text.toLowerCase();
}

const C = '[^aeiou]';
const V = '[aeiouy]';
const CONSONANTS = `${C}[^aeiouy]*`;
const VOWELS = `${V}[aeiou]*`;
/** At least one, exactly one, and more than one vowel-consonant pair before the suffix. */
const SOME = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}`);
const ONE = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}(${VOWELS})?$`);
const MANY = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}${VOWELS}${CONSONANTS}`);
const HAS_VOWEL = new RegExp(`^(${CONSONANTS})?${V}`);
const SHORT_END = new RegExp(`^${CONSONANTS}${V}[^aeiouwxy]$`);

function plurals(word: string): string {
  if (/(ss|i)es$/.test(word)) return word.slice(0, -2);
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

function pastAndGerund(word: string): string {
  if (word.endsWith('eed')) return SOME.test(word.slice(0, -3)) ? word.slice(0, -1) : word;
  const match = /^(.+?)(?:ed|ing)$/.exec(word);
  const base = match?.[1];
  if (base === undefined || !HAS_VOWEL.test(base)) return word;
  if (/(at|bl|iz)$/.test(base)) return `${base}e`;
  if (/([^aeiouylsz])\1$/.test(base)) return base.slice(0, -1);
  return SHORT_END.test(base) ? `${base}e` : base;
}

function finalY(word: string): string {
  return word.endsWith('y') && HAS_VOWEL.test(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word;
}

const DOUBLE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ational: 'ate',
    tional: 'tion',
    enci: 'ence',
    anci: 'ance',
    izer: 'ize',
    bli: 'ble',
    alli: 'al',
    entli: 'ent',
    eli: 'e',
    ousli: 'ous',
    ization: 'ize',
    ation: 'ate',
    ator: 'ate',
    alism: 'al',
    iveness: 'ive',
    fulness: 'ful',
    ousness: 'ous',
    aliti: 'al',
    iviti: 'ive',
    biliti: 'ble',
    logi: 'log',
  }),
);
const DOUBLE_END = new RegExp(`^(.+?)(${[...DOUBLE.keys()].join('|')})$`);

const FULL: ReadonlyMap<string, string> = new Map(
  Object.entries({ icate: 'ic', ative: '', alize: 'al', iciti: 'ic', ical: 'ic', ful: '', ness: '' }),
);
const FULL_END = new RegExp(`^(.+?)(${[...FULL.keys()].join('|')})$`);

function replaceEnd(word: string, pattern: RegExp, ends: ReadonlyMap<string, string>): string {
  const match = pattern.exec(word);
  const base = match?.[1];
  if (base === undefined || !SOME.test(base)) return word;
  return base + (ends.get(match?.[2] ?? '') ?? '');
}

const doubleSuffixes = (word: string): string => replaceEnd(word, DOUBLE_END, DOUBLE);
const fullSuffixes = (word: string): string => replaceEnd(word, FULL_END, FULL);

const LONG_END =
  /^(.+?)(al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize|(?<=[st])ion)$/;

function longSuffixes(word: string): string {
  const base = LONG_END.exec(word)?.[1];
  return base !== undefined && MANY.test(base) ? base : word;
}

function finalE(word: string): string {
  let text = word;
  if (text.endsWith('e')) {
    const base = text.slice(0, -1);
    if (MANY.test(base) || (ONE.test(base) && !SHORT_END.test(base))) text = base;
  }
  return text.endsWith('ll') && MANY.test(text) ? text.slice(0, -1) : text;
}
