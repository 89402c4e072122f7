/** Half-open byte range of one JSON value. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One member of an object: where its key (quotes included) and its value stand. */
export interface Member extends Span {
  readonly keyStart: number;
}

/** The bytes are not the JSON that the scanner was promised. */
export class JsonScanError extends Error {
  readonly offset: number;
  constructor(what: string, offset: number) {
    super(`${what} at byte ${offset}`);
    this.name = 'JsonScanError';
    this.offset = offset;
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

function skipSpace(bytes: Buffer, at: number): number {
  while (isSpace(bytes[at])) at++;
  return at;
}

/** `at` is the opening quote; returns the index after the closing one. */
function skipString(bytes: Buffer, at: number): number {
  for (let from = at + 1; ;) {
    const quote = bytes.indexOf(QUOTE, from);
    if (quote < 0) throw new JsonScanError('unterminated string', at);
    let slashes = 0;
    while (bytes[quote - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return quote + 1;
    from = quote + 1;
  }
}

/** Skips an object or array by depth alone; strings are stepped over, so brackets inside them do not count. */
function skipNested(bytes: Buffer, at: number): number {
  let depth = 0;
  for (let i = at; i < bytes.length;) {
    const byte = bytes[i];
    if (byte === QUOTE) {
      i = skipString(bytes, i);
      continue;
    }
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      depth--;
      if (depth === 0) return i + 1;
    }
    i++;
  }
  throw new JsonScanError('unterminated value', at);
}

function skipScalar(bytes: Buffer, at: number): number {
  let i = at;
  for (; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY || isSpace(byte)) break;
  }
  if (i === at) throw new JsonScanError('a value is missing', at);
  return i;
}

function skipValue(bytes: Buffer, at: number): number {
  const byte = bytes[at];
  if (byte === QUOTE) return skipString(bytes, at);
  if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) return skipNested(bytes, at);
  return skipScalar(bytes, at);
}

/** The span of the one value in the bytes, without the white space around it; anything after it is an error. */
export function rootSpan(bytes: Buffer): Span {
  const start = skipSpace(bytes, 0);
  const end = skipValue(bytes, start);
  const rest = skipSpace(bytes, end);
  if (rest !== bytes.length) throw new JsonScanError('unexpected bytes after the value', rest);
  return { start, end };
}

/**
 * The members of the object at `span`. A key that stands twice is an error: readers disagree on which
 * one counts, so a decision made on one could be carried out on the other.
 */
export function memberSpans(bytes: Buffer, span: Span): Map<string, Member> {
  const members = new Map<string, Member>();
  if (bytes[span.start] !== OPEN_OBJECT) throw new JsonScanError('expected an object', span.start);
  let at = skipSpace(bytes, span.start + 1);
  if (bytes[at] === CLOSE_OBJECT) return members;
  for (;;) {
    if (bytes[at] !== QUOTE) throw new JsonScanError('expected a member name', at);
    const keyEnd = skipString(bytes, at);
    const key = decodeKey(bytes, at, keyEnd);
    if (members.has(key)) throw new JsonScanError(`the member ${JSON.stringify(key)} stands twice`, at);
    const colon = skipSpace(bytes, keyEnd);
    if (bytes[colon] !== COLON) throw new JsonScanError('expected a colon', colon);
    const start = skipSpace(bytes, colon + 1);
    const end = skipValue(bytes, start);
    members.set(key, { keyStart: at, start, end });
    at = skipSpace(bytes, end);
    if (bytes[at] === CLOSE_OBJECT) return members;
    if (bytes[at] !== COMMA) throw new JsonScanError('expected a comma', at);
    at = skipSpace(bytes, at + 1);
  }
}

function decodeKey(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start + 1, end - 1);
  return text.includes('\\') ? decodeString(`"${text}"`, start) : text;
}

function decodeString(text: string, at: number): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    throw new JsonScanError('malformed string', at);
  }
}

/** The elements of the array at `span`, in order. */
export function elementSpans(bytes: Buffer, span: Span): Span[] {
  if (bytes[span.start] !== OPEN_ARRAY) throw new JsonScanError('expected an array', span.start);
  const elements: Span[] = [];
  let at = skipSpace(bytes, span.start + 1);
  if (bytes[at] === CLOSE_ARRAY) return elements;
  for (;;) {
    const end = skipValue(bytes, at);
    elements.push({ start: at, end });
    at = skipSpace(bytes, end);
    if (bytes[at] === CLOSE_ARRAY) return elements;
    if (bytes[at] !== COMMA) throw new JsonScanError('expected a comma', at);
    at = skipSpace(bytes, at + 1);
  }
}

/** True when the value at `span` is an object. */
export const isObjectAt = (bytes: Buffer, span: Span): boolean => bytes[span.start] === OPEN_OBJECT;

/** True when the value at `span` is a string. */
export const isStringAt = (bytes: Buffer, span: Span): boolean => bytes[span.start] === QUOTE;

/** The text of a value. */
export const textAt = (bytes: Buffer, span: Span): string => bytes.toString('utf8', span.start, span.end);

/**
 * The decoded value of a string; undefined when it is not one.
 * @throws JsonScanError when the string has a bad escape or a raw control character.
 */
export function stringAt(bytes: Buffer, span: Span | undefined): string | undefined {
  if (span === undefined || bytes[span.start] !== QUOTE) return undefined;
  return decodeString(textAt(bytes, span), span.start);
}
