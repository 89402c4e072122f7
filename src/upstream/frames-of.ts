import { isUtf8 } from 'node:buffer';
import { elementSpans, type Frame, JsonScanError, rootSpan, scanFrame } from '../wire/index.ts';

const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;

/**
 * The message in the bytes, or the messages of a batch, which servers of one old revision send.
 * @throws JsonScanError when they hold neither.
 */
export function framesOf(bytes: Buffer): Frame[] {
  if (!isUtf8(bytes)) throw new JsonScanError('invalid UTF-8', 0);
  if (bytes[0] === OPEN_OBJECT) return [scanFrame(bytes)];
  const root = rootSpan(bytes);
  if (bytes[root.start] !== OPEN_ARRAY) return [scanFrame(bytes)];
  const elements = elementSpans(bytes, root);
  if (elements.length === 0) throw new JsonScanError('an empty batch', root.start);
  return elements.map(({ start, end }) => scanFrame(bytes.subarray(start, end)));
}

/** The same, with what is no message reported instead of thrown. */
export function framesOrJunk(bytes: Buffer, junk: (what: string) => void): Frame[] {
  try {
    return framesOf(bytes);
  } catch (error) {
    if (!(error instanceof JsonScanError)) throw error;
    junk(
      `something that is no message (${error.message}): ${JSON.stringify(bytes.toString('utf8', 0, 120))}`,
    );
    return [];
  }
}
