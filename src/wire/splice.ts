import type { Member, Span } from './json-spans.ts';

/** Replace the bytes of a span; an empty span inserts. */
export interface Edit extends Span {
  readonly text: string;
}

/** The bytes with all edits made; edits may come in any order and must not overlap. */
export function splice(bytes: Buffer, edits: readonly Edit[]): Buffer {
  if (edits.length === 0) return bytes;
  const ordered = edits.length === 1 ? edits : edits.toSorted((a, b) => a.start - b.start);
  let lengthBytes = bytes.length;
  for (const edit of ordered) lengthBytes += Buffer.byteLength(edit.text) - (edit.end - edit.start);
  const out = Buffer.allocUnsafe(Math.max(0, lengthBytes));
  let from = 0;
  let at = 0;
  for (const edit of ordered) {
    if (edit.start < from) throw new RangeError('edits overlap');
    at += bytes.copy(out, at, from, edit.start);
    at += out.write(edit.text, at, 'utf8');
    from = edit.end;
  }
  bytes.copy(out, at, from);
  return out;
}

/** Inserts `"key":value` as the first member of the object at `object`. */
export function insertMember(object: Span, isEmpty: boolean, key: string, valueText: string): Edit {
  const at = object.start + 1;
  return { start: at, end: at, text: `${JSON.stringify(key)}:${valueText}${isEmpty ? '' : ','}` };
}

/**
 * Edits that remove the named members of one object and insert others in front: what is left keeps
 * its bytes and order.
 */
export function reshapeObject(
  object: Span,
  members: ReadonlyMap<string, Member>,
  remove: (key: string) => boolean,
  insert: ReadonlyMap<string, string>,
): Edit[] {
  const kept: Member[] = [];
  const edits: Edit[] = [];
  const all = [...members].map(([key, member]) => ({ key, member }));
  for (const [index, { key, member }] of all.entries()) {
    if (!remove(key)) {
      kept.push(member);
      continue;
    }
    // A member goes with the comma that separates it from a neighbour that stays in place.
    const next = all[index + 1]?.member;
    const previousKept = kept.at(-1);
    if (next !== undefined) edits.push({ start: member.keyStart, end: next.keyStart, text: '' });
    else edits.push({ start: previousKept?.end ?? member.keyStart, end: member.end, text: '' });
  }
  const merged = mergeAdjacent(edits);
  const inserted = [...insert].map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',');
  if (inserted !== '') {
    const at = object.start + 1;
    merged.unshift({ start: at, end: at, text: kept.length === 0 ? inserted : `${inserted},` });
  }
  return merged;
}

/** Removals at the tail reach back to the last kept member, over removals that were already noted. */
function mergeAdjacent(edits: readonly Edit[]): Edit[] {
  const out: Edit[] = [];
  for (const edit of edits) {
    const last = out.at(-1);
    if (last !== undefined && edit.start <= last.end) {
      out[out.length - 1] = {
        start: Math.min(last.start, edit.start),
        end: Math.max(last.end, edit.end),
        text: '',
      };
    } else out.push(edit);
  }
  return out;
}
