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

/** Strings up to this long are stepped through here: the native search costs more than it saves on them. */
const SHORT_STRING_BYTES = 64;

/** `at` is the opening quote; returns the index after the closing one. */
function skipString(bytes: Buffer, at: number): number {
  const limit = Math.min(bytes.length, at + SHORT_STRING_BYTES);
  let i = at + 1;
  while (i < limit) {
    const byte = bytes[i];
    if (byte === QUOTE) return i + 1;
    i += byte === BACKSLASH ? 2 : 1;
  }
  return skipLongString(bytes, at, i);
}

function skipLongString(bytes: Buffer, at: number, start: number): number {
  for (let from = start; ;) {
    const quote = bytes.indexOf(QUOTE, from);
    if (quote < 0) throw new JsonScanError('unterminated string', at);
    let slashes = 0;
    while (quote - 1 - slashes >= start && bytes[quote - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return quote + 1;
    from = quote + 1;
  }
}

const ORDINARY = 0;
const QUOTES = 1;
const OPENS = 2;

/** What a byte means between strings; one look-up instead of five comparisons for each byte of a message. */
const MEANINGS: Uint8Array = meanings();

function meanings(): Uint8Array {
  const table = new Uint8Array(256);
  table[QUOTE] = QUOTES;
  table[OPEN_OBJECT] = table[OPEN_ARRAY] = OPENS;
  table[CLOSE_OBJECT] = table[CLOSE_ARRAY] = 3;
  return table;
}

/** Skips an object or array by depth alone; strings are stepped over, so brackets inside them do not count. */
function skipNested(bytes: Buffer, at: number): number {
  const { length } = bytes;
  let depth = 0;
  let i = at;
  while (i < length) {
    const meaning = MEANINGS[bytes[i] as number];
    if (meaning === ORDINARY) i++;
    else if (meaning === QUOTES) i = skipString(bytes, i);
    else {
      i++;
      if (meaning === OPENS) depth++;
      else if (--depth === 0) return i;
    }
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
 * Steps through the members of the object that starts at `start`; returns the index after it.
 * Names are given decoded: two spellings of one name are one name.
 */
export function scanMembers(
  bytes: Buffer,
  start: number,
  take: (name: string, member: Member) => void,
): number {
  if (bytes[start] !== OPEN_OBJECT) throw new JsonScanError('expected an object', start);
  let at = skipSpace(bytes, start + 1);
  if (bytes[at] === CLOSE_OBJECT) return at + 1;
  for (;;) {
    if (bytes[at] !== QUOTE) throw new JsonScanError('expected a member name', at);
    const nameEnd = skipString(bytes, at);
    const colon = skipSpace(bytes, nameEnd);
    if (bytes[colon] !== COLON) throw new JsonScanError('expected a colon', colon);
    const valueStart = skipSpace(bytes, colon + 1);
    const valueEnd = skipValue(bytes, valueStart);
    take(decodeName(bytes, at, nameEnd), { keyStart: at, start: valueStart, end: valueEnd });
    at = skipSpace(bytes, valueEnd);
    if (bytes[at] === CLOSE_OBJECT) return at + 1;
    if (bytes[at] !== COMMA) throw new JsonScanError('expected a comma', at);
    at = skipSpace(bytes, at + 1);
  }
}

/** The same for the one object that the bytes hold; anything else beside it is an error. Returns its span. */
export function scanRoot(bytes: Buffer, take: (name: string, member: Member) => void): Span {
  const start = skipSpace(bytes, 0);
  if (bytes[start] !== OPEN_OBJECT) throw new JsonScanError('a message must be an object', start);
  const end = scanMembers(bytes, start, take);
  const rest = skipSpace(bytes, end);
  if (rest !== bytes.length) throw new JsonScanError('unexpected bytes after the value', rest);
  return { start, end };
}

export const twice = (name: string, at: number): JsonScanError =>
  new JsonScanError(`the member ${JSON.stringify(name)} stands twice`, at);

/**
 * The members of the object at `span`. A key that stands twice is an error: readers disagree on which
 * one counts, so a decision made on one could be carried out on the other.
 */
export function memberSpans(bytes: Buffer, span: Span): Map<string, Member> {
  const members = new Map<string, Member>();
  scanMembers(bytes, span.start, (name, member) => {
    if (members.has(name)) throw twice(name, member.keyStart);
    members.set(name, member);
  });
  return members;
}

/** Texts that stand in nearly every message: comparing a few bytes is cheaper than making a string of them. */
const COMMON_TEXTS: ReadonlyMap<number, readonly string[]> = byLength([
  'jsonrpc',
  'id',
  'method',
  'params',
  'result',
  'error',
  'name',
  'arguments',
  '_meta',
  'io.modelcontextprotocol/protocolVersion',
  'io.modelcontextprotocol/clientInfo',
  'io.modelcontextprotocol/clientCapabilities',
  'tools/call',
  'tools/list',
  'resources/read',
  'prompts/get',
]);

function byLength(texts: readonly string[]): Map<number, string[]> {
  const groups = new Map<number, string[]>();
  for (const text of texts) groups.set(text.length, [...(groups.get(text.length) ?? []), text]);
  return groups;
}

function commonTextAt(bytes: Buffer, start: number, end: number): string | undefined {
  const candidates = COMMON_TEXTS.get(end - start);
  if (candidates === undefined) return undefined;
  for (const text of candidates) if (isAsciiAt(bytes, start, text)) return text;
  return undefined;
}

function isAsciiAt(bytes: Buffer, start: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text.charCodeAt(i)) return false;
  return true;
}

function decodeName(bytes: Buffer, start: number, end: number): string {
  const common = commonTextAt(bytes, start + 1, end - 1);
  if (common !== undefined) return common;
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

/** True when the value is written exactly so; `text` is ASCII. */
export const isTextAt = (bytes: Buffer, span: Span, text: string): boolean =>
  span.end - span.start === text.length && isAsciiAt(bytes, span.start, text);

/** The text of a value. */
export const textAt = (bytes: Buffer, span: Span): string => bytes.toString('utf8', span.start, span.end);

/**
 * The decoded value of a string; undefined when it is not one.
 * @throws JsonScanError when the string has a bad escape or a raw control character.
 */
export function stringAt(bytes: Buffer, span: Span | undefined): string | undefined {
  if (span === undefined || bytes[span.start] !== QUOTE) return undefined;
  const common = commonTextAt(bytes, span.start + 1, span.end - 1);
  if (common !== undefined) return common;
  const inner = bytes.toString('utf8', span.start + 1, span.end - 1);
  return NEEDS_DECODING.test(inner) ? decodeString(`"${inner}"`, span.start) : inner;
}

/** An escape, or a control character, which a JSON string must not hold as it is. */
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const NEEDS_DECODING = /[\\\u0000-\u001f]/;
