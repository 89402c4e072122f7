const PREFIX = '=?base64?';
const SUFFIX = '?=';
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const STRICT_BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/;

/** `1*tchar` of RFC 9110, section 5.1. */
export const isToken = (text: string): boolean => TOKEN.test(text);

/**
 * Encodes a mirrored value for a header.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#value-encoding
 */
export function encodeHeaderValue(value: string): string {
  const isPlain =
    value === '' || (PLAIN.test(value) && !(value.startsWith(PREFIX) && value.endsWith(SUFFIX)));
  return isPlain ? value : PREFIX + Buffer.from(value, 'utf8').toString('base64') + SUFFIX;
}

/**
 * Decodes a mirrored value; undefined when it is malformed. A value with only one of the two markers
 * is literal. Node's own base64 reader skips what it does not know, so the alphabet and padding are checked here.
 */
export function decodeHeaderValue(raw: string): string | undefined {
  const value = raw.trim();
  if (!(
    value.startsWith(PREFIX) &&
    value.endsWith(SUFFIX) &&
    value.length >= PREFIX.length + SUFFIX.length
  )) {
    return value;
  }
  const encoded = value.slice(PREFIX.length, -SUFFIX.length);
  if (!STRICT_BASE64.test(encoded)) return undefined;
  const bytes = Buffer.from(encoded, 'base64');
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : undefined;
}
