import { REQUEST_MESSAGE } from './request-log.ts';

export interface PrettyOptions {
  readonly withColour: boolean;
}

type Fields = ReadonlyMap<string, unknown>;

const COLOURS = new Map([
  ['debug', '90'],
  ['info', '32'],
  ['warn', '33'],
  ['error', '31'],
]);

// Characters that move the cursor, end the line or turn its direction: what a server says must not
// be able to forge or hide a line.
const CONTROLS = /[\p{Control}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

const visible = (text: string): string =>
  text.replace(CONTROLS, (found) =>
    found === '\n' ? ' ⏎ ' : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

interface LogLine {
  readonly time: string;
  readonly level: string;
  readonly msg?: string;
}

/** Turns one JSON line of the log into one line for people. */
export function prettyLine(line: string, { withColour }: PrettyOptions): string {
  const { time, level, msg = '', ...rest } = JSON.parse(line) as LogLine;
  const paint = (code: string, text: string): string =>
    withColour ? `\u001b[${code}m${text}\u001b[0m` : text;

  const fields: Fields = new Map(Object.entries(rest));
  const body = msg === REQUEST_MESSAGE ? requestText(fields) : messageText(visible(msg), fields, paint);
  const clock = paint('90', clockText(time));
  return `${clock} ${paint(COLOURS.get(level) ?? '0', level.padEnd(5))} ${body}\n`;
}

/** The local time of day: on a terminal the date is known. */
function clockText(time: string): string {
  const at = new Date(time);
  const two = (value: number): string => String(value).padStart(2, '0');
  const milliseconds = String(at.getMilliseconds()).padStart(3, '0');
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${milliseconds}`;
}

function messageText(message: string, fields: Fields, paint: (code: string, text: string) => string): string {
  const pairs = [...fields].map(
    ([name, value]) => `${visible(name)}=${name === 'err' ? errorText(value) : valueText(value)}`,
  );
  return pairs.length === 0 ? message : `${message}  ${paint('90', pairs.join(' '))}`;
}

function valueText(value: unknown): string {
  if (typeof value !== 'string') return visible(JSON.stringify(value));
  return /^[\w./:@+-]+$/.test(value) ? value : visible(JSON.stringify(value));
}

/** Message and code of an error and of what caused it; the stack is for the JSON log. */
function errorText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return valueText(value);
  const { message, code, cause } = value as { message?: unknown; code?: unknown; cause?: unknown };
  const own = typeof code === 'string' ? `${scalarText(message)} (${code})` : scalarText(message);
  const because = cause === undefined ? '' : `: ${errorText(cause)}`;
  return `${visible(own)}${because}`;
}

/** `tools/call  site__search_site  ok  12 ms  310 B → 2.1 kB  site  anonymous  modern  claude-code` */
function requestText(fields: Fields): string {
  const text = (name: string): string => scalarText(fields.get(name));
  const what = [text('method').padEnd(16), text('name').padEnd(28), outcomeText(fields).padEnd(10)];
  const size = `${bytesText(fields.get('requestBytes'))} → ${bytesText(fields.get('responseBytes'))}`;
  const who = [text('upstream'), text('principal'), text('era'), text('client')];
  return [...what, `${durationText(fields.get('durationMs')).padStart(8)}`, size.padEnd(18), ...who]
    .join('  ')
    .trimEnd();
}

function outcomeText(fields: Fields): string {
  const outcome = scalarText(fields.get('outcome'));
  return fields.has('code') ? `${outcome} ${scalarText(fields.get('code'))}` : outcome;
}

function scalarText(value: unknown): string {
  if (typeof value === 'string') return visible(value);
  return typeof value === 'number' ? String(value) : '-';
}

function durationText(value: unknown): string {
  const durationMs = Number(value);
  return durationMs < 10 ? `${durationMs.toFixed(1)} ms` : `${Math.round(durationMs)} ms`;
}

function bytesText(value: unknown): string {
  const bytes = Number(value);
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
