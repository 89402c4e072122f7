import { Envelope, ENVELOPE_NAMES } from './envelope.ts';
import type { Frame } from './frames.ts';
import type { Member } from './json-spans.ts';
import { type Edit, insertMember, splice } from './splice.ts';

/**
 * A frame with edits made inside its params, result or error: what the envelope says stays, so nothing is
 * read again. Members that no protocol knows are not carried over in `members`; their bytes are.
 */
export function spliceFrame(frame: Frame, edits: readonly Edit[]): Frame {
  if (edits.length === 0) return frame;
  const members = new Envelope();
  for (const name of ENVELOPE_NAMES) {
    const member = frame.members.get(name);
    if (member !== undefined) members[name] = shifted(member, edits);
  }
  const { start, end } = frame.root;
  const root = { start, end: end + shiftAt(end, edits) };
  const { kind, method, idText } = frame;
  return { bytes: splice(frame.bytes, edits), kind, root, members, method, idText };
}

/** By how much the edits in front of an offset move it. */
function shiftAt(offset: number, edits: readonly Edit[]): number {
  let shift = 0;
  for (const edit of edits) {
    if (edit.end <= offset) shift += Buffer.byteLength(edit.text) - (edit.end - edit.start);
  }
  return shift;
}

const shifted = (member: Member, edits: readonly Edit[]): Member => ({
  keyStart: member.keyStart + shiftAt(member.keyStart, edits),
  start: member.start + shiftAt(member.start, edits),
  end: member.end + shiftAt(member.end, edits),
});

/** The same message with another id, given as JSON text; everything else keeps its bytes. */
export function withId(frame: Frame, idText: string): Frame {
  if (frame.idText === idText) return frame;
  const id = frame.members.get('id');
  if (id !== undefined) return { ...spliceFrame(frame, [{ ...spanOf(id), text: idText }]), idText };
  const edit = insertMember(frame.root, false, 'id', idText);
  const spliced = spliceFrame(frame, [edit]);
  const start = edit.start + '"id":'.length;
  (spliced.members as Envelope).id = { keyStart: edit.start, start, end: start + Buffer.byteLength(idText) };
  return { ...spliced, idText };
}

const spanOf = ({ start, end }: Member): { start: number; end: number } => ({ start, end });
