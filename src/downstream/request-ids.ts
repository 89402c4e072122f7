import { memberSpans, rootSpan, textAt } from '../wire/index.ts';
import { isRecord } from './message.ts';

const PLAIN = /^(?:\d{1,15}|"[^"\\]*")$/;

/**
 * One spelling for ids that are equal: `1` and `1.0`, `"a"` and `"\u0061"`. A number of which JavaScript would lose
 * digits keeps its own spelling, so that two different ids never meet.
 */
export function idKey(idText: string): string {
  if (PLAIN.test(idText)) return idText;
  if (idText.startsWith('"')) return JSON.stringify(JSON.parse(idText));
  const value = Number(idText);
  return Number.isSafeInteger(value) ? String(value) : idText;
}

/** The id of a message that cannot be served, for its error; undefined where it cannot be read in one way. */
export function readableId(bytes: Buffer, value: unknown): string | undefined {
  if (!isRecord(value)) return undefined;
  const { id } = value;
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  try {
    const span = memberSpans(bytes, rootSpan(bytes)).get('id');
    return span === undefined ? undefined : textAt(bytes, span);
  } catch {
    // A member stands twice: nobody can tell which of two ids the host means.
    return undefined;
  }
}
