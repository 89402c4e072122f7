import type { SearchDocument } from './document.ts';
import type { SearchHit } from './search-index.ts';
import { signatureOf } from './signature.ts';

/** A rendered answer: what it shows, and what it costs by the counter that was given. */
export interface RenderedAnswer {
  readonly text: string;
  readonly tokens: number;
  /** Hits in the text, from the first. */
  readonly shown: number;
  /** Of those, the ones with description and schema in full. */
  readonly full: number;
}

/** Full definitions an answer holds at most: the best hit is nearly always among the first two. */
const MAX_FULL = 2;

/** Shares of a line's usual text that are tried, longest first, when the list would not fit. */
const TEXT_CHARS = [120, 60, 0];

/**
 * Writes hits as a ranked list within a token allowance. Every hit gets a one-line signature before any gets
 * its full schema, so that a large definition never costs another tool its place; then the best are shown in
 * full as far as the allowance goes, `maxFull` of them at most. Counting is by `countTokens`, over the whole text.
 */
export function renderAnswer(
  hits: readonly SearchHit[],
  allowanceTokens: number,
  countTokens: (text: string) => number,
  maxFull: number = MAX_FULL,
): RenderedAnswer {
  const lines = fittingLines(hits, allowanceTokens, countTokens);
  let best = measured(lines, 0, countTokens);
  for (let full = 1; full <= Math.min(maxFull, lines.length); full++) {
    const hit = hits[full - 1];
    if (hit === undefined) break;
    const fuller = lines.map((line, at) => (at < full ? fullEntry(hits[at] ?? hit, at) : line));
    const answer = measured(fuller, full, countTokens);
    if (answer.tokens > allowanceTokens) break;
    best = answer;
  }
  return best;
}

function measured(lines: readonly string[], full: number, count: (text: string) => number): RenderedAnswer {
  const text = lines.join('\n');
  return { text, tokens: text === '' ? 0 : count(text), shown: lines.length, full };
}

/** Lines for all hits where they fit with some text, else as many as fit with the shortest. */
function fittingLines(
  hits: readonly SearchHit[],
  allowance: number,
  count: (text: string) => number,
): string[] {
  let lines: string[] = [];
  for (const chars of TEXT_CHARS) {
    lines = hits.map((hit, at) => `${at + 1}. ${signatureOf(hit.document, chars)}${sameAs(hit.twins)}`);
    if (lines.length === 0 || count(lines.join('\n')) <= allowance) return lines;
  }
  while (lines.length > 0 && count(lines.join('\n')) > allowance) lines.pop();
  return lines;
}

function fullEntry(hit: SearchHit, at: number): string {
  const { key, description, inputSchema } = hit.document;
  const schema = JSON.stringify(inputSchema ?? { type: 'object' });
  return `${at + 1}. ${key}${sameAs(hit.twins)}: ${description.trim()}\n   inputSchema: ${schema}`;
}

const MAX_TWINS = 3;

function sameAs(twins: readonly SearchDocument[]): string {
  if (twins.length === 0) return '';
  const named = twins.slice(0, MAX_TWINS).map(({ key }) => key);
  const others = twins.length > MAX_TWINS ? `, +${twins.length - MAX_TWINS}` : '';
  return ` (also: ${named.join(', ')}${others})`;
}
