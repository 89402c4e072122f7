/**
 * Splits text into parts of at most `limitChars`, each ending where a line, a sentence or a word ends, in
 * that order of preference. Only a single word longer than the limit is cut inside, between characters.
 */
export function splitText(text: string, limitChars: number): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > limitChars) {
    const end = findEnd(rest, limitChars);
    const part = rest.slice(0, end).trimEnd();
    if (part !== '') parts.push(part);
    rest = rest.slice(end).replace(/^\s*\n|^[ \t]+(?=\S)/, '');
  }
  if (rest.trim() !== '') parts.push(rest.trimEnd());
  return parts;
}

function findEnd(text: string, limitChars: number): number {
  // One character more than fits: a space there means that the word before it fits exactly.
  const window = text.slice(0, limitChars + 1);
  // A cut in the first half would leave a stub, so a weaker boundary further on is better.
  const half = Math.floor(limitChars / 2);
  const line = window.lastIndexOf('\n');
  if (line > half) return line;
  const sentence = lastMatchEnd(window, /[.!?](?=\s)|[。！？]/gu, limitChars);
  if (sentence > half) return sentence;
  const space = lastMatchEnd(window, /\S(?=\s)/gu, limitChars);
  if (space > 0) return space;
  return lastWordEnd(text, limitChars);
}

function lastMatchEnd(text: string, pattern: RegExp, limitChars: number): number {
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const matchEnd = match.index + match[0].length;
    if (matchEnd <= limitChars) end = matchEnd;
  }
  return end;
}

/** For scripts that put no spaces between words, and for strings without any, such as encoded data. */
function lastWordEnd(text: string, limitChars: number): number {
  let end = 0;
  // One window is enough: nothing after the limit can be a boundary before it.
  const segmenter = new Intl.Segmenter('und', { granularity: 'word' });
  for (const segment of segmenter.segment(text.slice(0, limitChars * 2))) {
    const segmentEnd = segment.index + segment.segment.length;
    if (segmentEnd > limitChars) break;
    end = segmentEnd;
  }
  if (end > 0) return end;
  const last = text.charCodeAt(limitChars - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff && limitChars > 1;
  return splitsPair ? limitChars - 1 : limitChars;
}
