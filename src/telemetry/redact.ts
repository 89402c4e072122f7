import type { LogFields } from './logger.ts';
import { MASKED } from './mask.ts';

const SENSITIVE_NAME =
  /authorization|cookie|credential|passw(?:or)?d|passphrase|secret|token(?!iz)|api[-_]?key|private[-_]?key|session[-_]?id$/i;

// Names are few and repeat on each line; the bound is for those that come from outside.
const MAX_REMEMBERED_NAMES = 2000;

const MAX_DEPTH = 6;

/** `Bearer abc`, `Basic abc`; `user:password@` of a URL; `token=abc` of a query. */
const SCHEME = /\b(bearer|basic)\s+[\w.~+/=-]{4,}/gi;
const USER_INFO = /(:\/\/)[^\s/?#@"]+:[^\s/?#@"]*@/g;
const QUERY = /([?&][\w.-]*(?:token|key|secret|password|signature|code)=)[^&\s"#]+/gi;
// Every form above is longer than this.
const MIN_CREDENTIAL_LENGTH = 8;
const SUSPICIOUS = /bearer|basic|:\/\/|[?&]/i;

/** A text without credentials that are recognised by their form. */
export function cleanText(text: string): string {
  if (text.length < MIN_CREDENTIAL_LENGTH || !SUSPICIOUS.test(text)) return text;
  return text
    .replace(SCHEME, `$1 ${MASKED}`)
    .replace(USER_INFO, `$1${MASKED}@`)
    .replace(QUERY, `$1${MASKED}`);
}

export type Redact = (fields: LogFields) => Record<string, unknown>;

/** Makes copies of fields in which no value stands under a name that tells of a secret. */
export function createRedactor(): Redact {
  // The same few names stand on every line.
  const remembered = new Map<string, boolean>();
  const isSensitive = (name: string): boolean => {
    const known = remembered.get(name);
    if (known !== undefined) return known;
    const answer = SENSITIVE_NAME.test(name);
    if (remembered.size < MAX_REMEMBERED_NAMES) remembered.set(name, answer);
    return answer;
  };
  return (fields) => {
    const copy: Record<string, unknown> = {};
    // The fields of a line are mostly numbers and short texts; this path is taken once a request.
    for (const name of Object.keys(fields)) {
      const value = fields[name];
      if (typeof value === 'number' || value === undefined) copy[name] = value;
      else setOwn(copy, name, redactEntry(name, value, isSensitive, 0));
    }
    return copy;
  };
}

type IsSensitive = (name: string) => boolean;

function redactRecord(
  entries: Iterable<readonly [string, unknown]>,
  isSensitive: IsSensitive,
  depth: number,
): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [name, value] of entries) {
    const clean = redactEntry(name, value, isSensitive, depth);
    setOwn(copy, name, clean);
  }
  return copy;
}

/** Assigning to `__proto__` would change the copy instead of adding to it. */
function setOwn(copy: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(copy, name, { value, enumerable: true });
  else copy[name] = value;
}

function redactEntry(name: string, value: unknown, isSensitive: IsSensitive, depth: number): unknown {
  if (isSensitive(name)) return hide(value);
  return name === 'env' ? hideValues(value) : redactValue(value, isSensitive, depth + 1);
}

/** Numbers stay: a count of tokens is no token. */
function hide(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' || value === null || value === undefined
    ? value
    : MASKED;
}

/** The names of an environment say what was set; its values are for the child alone. */
function hideValues(env: unknown): unknown {
  if (typeof env !== 'object' || env === null) return hide(env);
  return Object.fromEntries(Object.keys(env).map((name) => [name, MASKED]));
}

function redactValue(value: unknown, isSensitive: IsSensitive, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'function') return undefined;
  return typeof value === 'object' && value !== null ? redactObject(value, isSensitive, depth) : value;
}

function redactObject(value: object, isSensitive: IsSensitive, depth: number): unknown {
  const inner = (item: unknown): unknown => redactValue(item, isSensitive, depth + 1);
  if (value instanceof Error) return errorFields(value, isSensitive, depth);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (depth >= MAX_DEPTH) return '[deeper]';
  if (Array.isArray(value) || value instanceof Set) return [...value].map(inner);
  const entries =
    value instanceof Map ? [...value].map(([key, item]) => [String(key), item] as const) : undefined;
  return redactRecord(entries ?? Object.entries(value), isSensitive, depth);
}

/** What helps to find a fault; errors of other packages may carry whole requests besides. */
function errorFields(error: Error, isSensitive: IsSensitive, depth: number): Record<string, unknown> {
  const { name, message, stack, cause } = error;
  const code: unknown = Reflect.get(error, 'code');
  return {
    type: name,
    message: cleanText(message),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(stack === undefined ? {} : { stack: cleanText(stack) }),
    ...(cause === undefined || depth >= MAX_DEPTH
      ? {}
      : { cause: redactValue(cause, isSensitive, depth + 1) }),
  };
}
