/** The beginning of a text on one line: up to the end of a sentence where one ends in time, else of a word. */
export function shortened(text: string, maxChars: number): string {
  // White space alone could be longer than the text; what is looked at stays bounded.
  const line = text
    .slice(0, maxChars * 8)
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  if (line.length <= maxChars && text.length <= maxChars * 8) return line;
  const sentence = /^(?:.{16,}?[.!?](?=\s|$)|.{6,}?[。！？])/u.exec(line)?.[0];
  if (sentence !== undefined && sentence.length <= maxChars) return sentence;
  const cut = line.slice(0, maxChars - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${cut.replace(/\s+\S*$/u, '')}…`;
}
