/**
 * Reads the responses of one HTTP/1.1 connection. It knows as much of the protocol as the benchmark meets, bodies by
 * length and in chunks, because a full client would cost more than some of the programs it measures.
 */
export interface ResponseReader {
  /** Takes what arrived; `onResponse` is called for each response that is whole. */
  push(chunk: Buffer): void;
}

export type OnResponse = (status: number, body: Buffer) => void;

const headEnd = Buffer.from('\r\n\r\n');

interface Head {
  readonly status: number;
  /** Undefined when the body comes in chunks. */
  readonly length: number | undefined;
  readonly bodyAt: number;
}

function readHead(bytes: Buffer): Head | undefined {
  const end = bytes.indexOf(headEnd);
  if (end < 0) return undefined;
  const text = bytes.toString('latin1', 0, end);
  const length = /^content-length: *(\d+)/im.exec(text)?.[1];
  if (length === undefined && !/^transfer-encoding: *chunked/im.test(text)) {
    throw new Error(`a response with neither length nor chunks:\n${text}`);
  }
  return {
    status: Number(text.slice(9, 12)),
    length: length === undefined ? undefined : Number(length),
    bodyAt: end + headEnd.length,
  };
}

interface ChunkedBody {
  readonly body: Buffer;
  readonly end: number;
}

/** The body in chunks that starts at `at`, or undefined while it is not whole. */
function readChunks(bytes: Buffer, start: number): ChunkedBody | undefined {
  const parts: Buffer[] = [];
  let at = start;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    if (Number.isNaN(size)) throw new Error('a chunk without a size');
    const dataAt = lineEnd + 2;
    if (bytes.length < dataAt + size + 2) return undefined;
    at = dataAt + size + 2;
    if (size === 0) return { body: Buffer.concat(parts), end: at };
    parts.push(bytes.subarray(dataAt, dataAt + size));
  }
}

export function createResponseReader(onResponse: OnResponse): ResponseReader {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let head: Head | undefined;

  /** Hands over one response if it is whole, and returns the bytes that follow it. */
  function take(bytes: Buffer): Buffer | undefined {
    head ??= readHead(bytes);
    if (head === undefined) return undefined;
    const { status, length, bodyAt } = head;
    if (length !== undefined && bytes.length < bodyAt + length) return undefined;
    const read =
      length === undefined
        ? readChunks(bytes, bodyAt)
        : { body: bytes.subarray(bodyAt, bodyAt + length), end: bodyAt + length };
    if (read === undefined) return undefined;
    head = undefined;
    onResponse(status, read.body);
    return bytes.subarray(read.end);
  }

  return {
    push(chunk) {
      waiting.push(chunk);
      waitingBytes += chunk.length;
      // A large body arrives in many pieces; joining them only once it is whole keeps this linear.
      if (head?.length !== undefined && waitingBytes < head.bodyAt + head.length) return;
      let bytes = waiting.length === 1 ? chunk : Buffer.concat(waiting);
      for (;;) {
        const rest = bytes.length === 0 ? undefined : take(bytes);
        if (rest === undefined) break;
        bytes = rest;
      }
      waiting = bytes.length === 0 ? [] : [bytes];
      waitingBytes = bytes.length;
    },
  };
}
