import type { Frame } from './frames.ts';
import type { Member } from './json-spans.ts';
import { insertMember, splice } from './splice.ts';

/** The same message with another id, given as JSON text; everything else keeps its bytes. */
export function withId(frame: Frame, idText: string): Frame {
  if (frame.idText === idText) return frame;
  const id = frame.members.get('id');
  const edit =
    id === undefined
      ? insertMember(frame.root, frame.members.size === 0, 'id', idText)
      : { start: id.start, end: id.end, text: idText };
  const bytes = splice(frame.bytes, [edit]);
  const delta = bytes.length - frame.bytes.length;
  // Re-reading a large result for the sake of a few moved offsets would cost more than the splice itself.
  const members = new Map<string, Member>();
  const at = edit.start;
  const moved = (offset: number): number => (offset > at ? offset + delta : offset);
  for (const [key, member] of frame.members) {
    if (key === 'id')
      members.set(key, { keyStart: member.keyStart, start: at, end: at + Buffer.byteLength(idText) });
    else {
      // An inserted member stands in front of the first one, which starts at the very offset of the edit.
      const keyStart = id === undefined ? member.keyStart + delta : moved(member.keyStart);
      members.set(key, { keyStart, start: moved(member.start), end: moved(member.end) });
    }
  }
  if (id === undefined) addInserted(members, edit.start, idText);
  return {
    bytes,
    kind: frame.kind,
    root: { start: frame.root.start, end: frame.root.end + delta },
    members,
    method: frame.method,
    idText,
  };
}

function addInserted(members: Map<string, Member>, at: number, idText: string): void {
  const start = at + '"id":'.length;
  members.set('id', { keyStart: at, start, end: start + Buffer.byteLength(idText) });
}
