export const MASKED = '[redacted]';

/** Masks known secret values in one finished JSON line. */
export type Mask = (line: string) => string;

interface Patterns {
  /** Finds a secret in the line as it is written, that is, with the escapes of JSON. */
  readonly written: RegExp;
  /** Finds a secret in a decoded text. */
  readonly decoded: RegExp;
}

const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

function anyOf(texts: readonly string[]): RegExp {
  // Longest first: a secret that begins with another must go whole.
  const unique = [...new Set(texts)].toSorted((one, other) => other.length - one.length);
  return new RegExp(unique.map(escapeRegExp).join('|'), 'g');
}

function patternsOf(secrets: readonly string[]): Patterns | undefined {
  if (secrets.length === 0) return undefined;
  // In a URL or a form the same secret looks different.
  const texts = secrets.flatMap((secret) => [secret, encodeURIComponent(Buffer.from(secret).toString())]);
  return { written: anyOf(texts.map((text) => JSON.stringify(text).slice(1, -1))), decoded: anyOf(texts) };
}

/**
 * The mask of a changing set of secrets. Nearly every line is told to be clean by one search; only a
 * line that holds a secret is taken apart, so that a secret of digits cannot break a number.
 */
export function createMask(secrets: () => Iterable<string>): Mask {
  let current: Iterable<string> | undefined;
  let patterns: Patterns | undefined;
  return (line) => {
    const latest = secrets();
    if (latest !== current) {
      current = latest;
      patterns = patternsOf([...latest].filter((secret) => secret !== ''));
    }
    if (patterns === undefined || line.search(patterns.written) < 0) return line;
    return `${JSON.stringify(maskValue(JSON.parse(line), patterns.decoded))}\n`;
  };
}

function maskValue(value: unknown, pattern: RegExp): unknown {
  if (typeof value === 'string') return value.replace(pattern, MASKED);
  if (Array.isArray(value)) return value.map((item) => maskValue(item, pattern));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key.replace(pattern, MASKED), maskValue(inner, pattern)]),
  );
}

/** Masks a fixed set of secrets in plain text, for what is quoted in errors. */
export function createTextMask(secrets: readonly string[]): (text: string) => string {
  const patterns = patternsOf(secrets.filter((secret) => secret !== ''));
  return (text) => (patterns === undefined ? text : text.replace(patterns.decoded, MASKED));
}
