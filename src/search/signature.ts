import type { SearchDocument } from './document.ts';

/** A signature is one line: more parameters and longer texts are for the full definition to show. */
const MAX_PARAMETERS = 10;
const MAX_NAME_CHARS = 64;
const MAX_TEXT_CHARS = 120;
const MAX_VALUES = 5;
const MAX_VALUE_CHARS = 16;
const MAX_ALTERNATIVES = 3;

type Fields = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `key(title: string, labels?: string[]) - first words of the description`. */
export function signatureOf(document: SearchDocument, textChars: number = MAX_TEXT_CHARS): string {
  const text = firstWords(document.description, textChars);
  return `${document.key}(${parametersOf(document.inputSchema)})${text === '' ? '' : ` - ${text}`}`;
}

function parametersOf(schema: unknown): string {
  if (!isRecord(schema)) return '';
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : []);
  const names = Object.keys(properties);
  // Required parameters first: a call needs them, and a cut must not hide one.
  const ordered = [
    ...names.filter((name) => required.has(name)),
    ...names.filter((name) => !required.has(name)),
  ];
  const shown = ordered
    .slice(0, MAX_PARAMETERS)
    .map(
      (name) =>
        `${oneLine(name, MAX_NAME_CHARS)}${required.has(name) ? '' : '?'}: ${typeOf(properties[name])}`,
    );
  if (ordered.length > MAX_PARAMETERS) shown.push(`+${ordered.length - MAX_PARAMETERS}`);
  return shown.join(', ');
}

/** A short word for what a parameter takes. */
function typeOf(schema: unknown, depth = 0): string {
  if (!isRecord(schema) || depth > 2) return 'any';
  const values = schema['const'] === undefined ? schema['enum'] : [schema['const']];
  if (Array.isArray(values)) return valuesOf(values);
  const alternatives = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(alternatives)) return union(alternatives.map((one) => typeOf(one, depth + 1)));
  const type = schema['type'];
  if (Array.isArray(type))
    return union((type as readonly unknown[]).map((one) => typeOf({ ...schema, type: one }, depth + 1)));
  if (type === 'array') return `${typeOf(schema['items'], depth + 1)}[]`;
  if (typeof type === 'string') return oneLine(type, MAX_VALUE_CHARS);
  return isRecord(schema['properties']) ? 'object' : 'any';
}

function valuesOf(values: readonly unknown[]): string {
  const words = values
    .slice(0, MAX_VALUES)
    .map((value) => oneLine(JSON.stringify(value) ?? 'any', MAX_VALUE_CHARS));
  return values.length > MAX_VALUES ? `${words.join('|')}|…` : words.join('|');
}

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)].filter((type) => type !== 'null');
  return distinct.length === 0 ? 'null' : distinct.slice(0, MAX_ALTERNATIVES).join('|');
}

/** The beginning of a text up to the end of a sentence or word within the allowance. */
export function firstWords(text: string, chars: number): string {
  const line = oneLine(text, chars + 1);
  if (line.length <= chars) return line;
  const sentence = /^.{20,}?[.。!?！？](?=\s|$)/u.exec(line)?.[0];
  if (sentence !== undefined && sentence.length <= chars) return sentence;
  const cut = line.slice(0, chars).replace(/[\uD800-\uDBFF]$/, '');
  return `${cut.replace(/\s+\S*$/u, '')}…`;
}

/** Text from outside must not break out of its line. */
function oneLine(text: string, chars: number): string {
  return text
    .slice(0, chars * 4)
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, chars);
}
