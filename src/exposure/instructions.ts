import type { ServerView, Snapshot } from '../catalog/index.ts';
import type { Principal } from '../domain/index.ts';
import type { Policy } from '../policy/index.ts';

export interface InstructionsDeps {
  readonly policy: Policy;
  /** Bytes of UTF-8 that the merged text may take. */
  readonly maxBytes: number;
}

const MARK = '…';

/**
 * One text for a host: a heading for each server that the caller may use, in configuration order, with
 * the prefix that the names in the text lack. Undefined when no server has instructions. Over the cap,
 * every server keeps an equal share, so that one long text does not silence the others.
 */
export function mergeInstructions(
  deps: InstructionsDeps,
  principal: Principal,
  snapshot: Snapshot,
): string | undefined {
  const speaking = snapshot.servers.filter(
    (server) => (server.instructions ?? '').trim() !== '' && deps.policy.mayUse(principal, server.id),
  );
  if (speaking.length === 0) return undefined;
  const headings = speaking.map(headingOf);
  const separators = (speaking.length - 1) * 2;
  const headingBytes = headings.reduce((sum, heading) => sum + Buffer.byteLength(heading), separators);
  const texts = shares(
    speaking.map((server) => (server.instructions ?? '').trim()),
    deps.maxBytes - headingBytes,
  );
  return headings.map((heading, index) => heading + (texts[index] ?? '')).join('\n\n');
}

function headingOf(server: ServerView): string {
  const hint = server.namespace === '' ? '' : ` (its names begin with ${server.namespace}__)`;
  return `## ${server.id}${hint}\n\n`;
}

/** Cuts the longest texts first: what the short ones leave over goes to the others. */
function shares(texts: readonly string[], totalBytes: number): string[] {
  const result: string[] = [...texts];
  const byLength = texts
    .map((text, index) => ({ index, bytes: Buffer.byteLength(text) }))
    .sort((a, b) => a.bytes - b.bytes);
  let left = Math.max(0, totalBytes);
  for (const [done, { index, bytes }] of byLength.entries()) {
    const share = Math.floor(left / (byLength.length - done));
    if (bytes > share) result[index] = cut(texts[index] ?? '', share);
    left -= Math.min(bytes, share);
  }
  return result;
}

function cut(text: string, maxBytes: number): string {
  const room = maxBytes - Buffer.byteLength(MARK);
  if (room <= 0) return '';
  const bytes = Buffer.from(text, 'utf8').subarray(0, room);
  // A character that was cut in two decodes to a replacement character, which is dropped.
  return bytes.toString('utf8').replace(/\uFFFD+$/, '') + MARK;
}
