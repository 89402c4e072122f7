/**
 * Brings the common English endings of a lower-case word together, so that "deleting" finds "delete". It
 * works on spelling alone and its output is no word; all that counts is that related forms meet. Words of
 * other alphabets pass unchanged.
 */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  return dropFinalE(dropSuffix(dropPlural(word)));
}

/** "class", "bus" and "analysis" are no plurals. */
function dropPlural(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return /[^sui]s$/.test(word) ? word.slice(0, -1) : word;
}

/** A stem keeps three letters and a vowel: "string" and "red" have no ending to drop. */
function dropSuffix(word: string): string {
  const base = /^(.{3,})(?:ing|ed|ion)$/.exec(word)?.[1];
  if (base === undefined || word.endsWith('eed') || !/[aeiouy]/.test(base)) return word;
  return base.replace(/([bdgmnprt])\1$/, '$1');
}

function dropFinalE(word: string): string {
  return word.length > 3 && word.endsWith('e') ? word.slice(0, -1) : word;
}
