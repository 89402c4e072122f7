import type { ServerView, Snapshot } from '../catalog/index.ts';
import type { Principal } from '../domain/index.ts';
import type { Policy } from '../policy/index.ts';

export interface InstructionsDeps {
  readonly policy: Policy;
  /** Bytes of UTF-8 that the merged text may take; it never takes more. */
  readonly maxBytes: number;
}

interface Section {
  readonly heading: string;
  readonly text: string;
}

const MARK = '…';
const MARK_BYTES = Buffer.byteLength(MARK);
const SEPARATOR = '\n\n';
/** A heading with less text than this under it would only cost. */
const MIN_TEXT_BYTES = 64;

/**
 * One text for a host: a heading for each server that the caller may use, in configuration order, with
 * the prefix that the names in the text lack. Undefined when no server has instructions. Over the cap,
 * every server keeps an equal share, so that one long text does not silence the others; where even the
 * headings are too many, the last servers are left out.
 */
export function mergeInstructions(
  deps: InstructionsDeps,
  principal: Principal,
  snapshot: Snapshot,
): string | undefined {
  let sections = deps.policy.reachable(principal, snapshot).flatMap(sectionOf);
  while (sections.length > 0 && leastBytes(sections) > deps.maxBytes) sections = sections.slice(0, -1);
  if (sections.length === 0) return undefined;
  const texts = shares(
    sections.map(({ text }) => text),
    deps.maxBytes - frameBytes(sections),
  );
  return sections.map(({ heading }, index) => heading + (texts[index] ?? '')).join(SEPARATOR);
}

function sectionOf(server: ServerView): Section[] {
  const text = (server.instructions ?? '').trim();
  if (text === '') return [];
  const hint = server.namePrefix === '' ? '' : ` (its names begin with ${server.namePrefix})`;
  return [{ heading: `## ${server.id}${hint}${SEPARATOR}`, text }];
}

/** What headings and separators take. */
const frameBytes = (sections: readonly Section[]): number =>
  sections.reduce(
    (sum, { heading }) => sum + Buffer.byteLength(heading),
    (sections.length - 1) * SEPARATOR.length,
  );

const leastBytes = (sections: readonly Section[]): number =>
  frameBytes(sections) +
  sections.reduce((sum, { text }) => sum + Math.min(MIN_TEXT_BYTES, Buffer.byteLength(text)), 0);

/** Cuts the longest texts first: what the short ones leave over goes to the others. */
function shares(texts: readonly string[], totalBytes: number): string[] {
  const result: string[] = [...texts];
  const byLength = texts
    .map((text, index) => ({ index, bytes: Buffer.byteLength(text) }))
    .toSorted((a, b) => a.bytes - b.bytes);
  let left = totalBytes;
  for (const [done, { index, bytes }] of byLength.entries()) {
    const share = Math.floor(left / (byLength.length - done));
    if (bytes > share) result[index] = cut(texts[index] ?? '', share);
    left -= Math.min(bytes, share);
  }
  return result;
}

/** At most `maxBytes` of UTF-8, the mark of the cut included, and no character in two. */
function cut(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text, 'utf8');
  let end = Math.max(0, maxBytes - MARK_BYTES);
  while (end > 0 && isContinuation(bytes[end])) end--;
  return bytes.toString('utf8', 0, end) + MARK;
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;
