import type { z } from 'zod';

import { didYouMean } from './near-name.ts';
import type { Report } from './report.ts';
import { kindOf, type Path, toPlain, type Tree } from './tree.ts';

export interface ValidateOptions {
  readonly report: Report;
  /** Where the value stands in the file. */
  readonly path: Path;
  /** For values that were rearranged: the place in the file of a path inside the value. */
  readonly origin?: (inner: Path) => Path;
  /** True for a text that came out of an environment reference, which may stand for a number or a boolean. */
  readonly isExpanded: (path: Path) => boolean;
  /** Further keys to suggest for an unknown one at the top of the value. */
  readonly suggestions?: readonly string[];
}

type Issue = z.core.$ZodIssue;

/** The checked value, or `undefined` after reporting every fault in it. */
export function validate<T>(schema: z.ZodType<T>, tree: Tree, options: ValidateOptions): T | undefined {
  const origin = options.origin ?? ((inner: Path) => [...options.path, ...inner]);
  const value = toPlain(tree);
  let result = schema.safeParse(value);
  if (result.success) return result.data;
  if (adoptScalars(value, result.error.issues, (inner) => options.isExpanded(origin(inner)))) {
    result = schema.safeParse(value);
    if (result.success) return result.data;
  }
  for (const issue of result.error.issues) reportIssue(issue, value, schema, { ...options, origin });
  return undefined;
}

/** Turns `"8808"` from `port: ${PORT}` into a number where the schema asks for one; true if it did. */
function adoptScalars(root: unknown, issues: readonly Issue[], isExpanded: (path: Path) => boolean): boolean {
  let adopted = false;
  for (const issue of issues) {
    if (issue.code !== 'invalid_type') continue;
    const path = issue.path as Path;
    const parent = valueAt(root, path.slice(0, -1)) as Record<string | number, unknown> | undefined;
    const last = path.at(-1);
    const text = last === undefined ? undefined : parent?.[last];
    if (typeof text !== 'string' || parent === undefined || last === undefined || !isExpanded(path)) continue;
    const scalar = scalarOf(text, issue.expected);
    if (scalar === undefined) continue;
    parent[last] = scalar;
    adopted = true;
  }
  return adopted;
}

function scalarOf(text: string, expected: string): number | boolean | undefined {
  if (expected === 'boolean' && /^(?:true|false)$/.test(text)) return text === 'true';
  const isNumber = expected === 'number' || expected === 'int';
  return isNumber && /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
}

const valueAt = (root: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (value, part) => (value as Record<string | number, unknown> | undefined)?.[part],
    root,
  );

const EXPECTED = new Map([
  ['string', 'text'],
  ['number', 'a number'],
  ['int', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'a mapping'],
  ['record', 'a mapping'],
]);

const expectedText = (expected: string): string => EXPECTED.get(expected) ?? expected;

function reportIssue<T>(
  issue: Issue,
  root: unknown,
  schema: z.ZodType<T>,
  { report, origin, suggestions }: ValidateOptions & { readonly origin: (inner: Path) => Path },
): void {
  const inner = issue.path as Path;
  if (issue.code === 'unrecognized_keys') {
    const known = [...knownKeys(schema, inner), ...(inner.length === 0 ? (suggestions ?? []) : [])];
    for (const key of issue.keys) {
      report.problem(origin([...inner, key]), 'unknown key', { at: 'key', fix: didYouMean(key, known) });
    }
    return;
  }
  const { message, fix, at } = issueText(issue, valueAt(root, inner));
  const isAbsence = (valueAt(root, inner) ?? null) === null;
  report.problem(origin(inner), message, { fix, isAbsence, ...(at && { at }) });
}

interface IssueText {
  readonly message: string;
  readonly fix?: string | undefined;
  readonly at?: 'key';
}

function issueText(issue: Issue, value: unknown): IssueText {
  switch (issue.code) {
    case 'invalid_type':
      return {
        message: `expected ${expectedText(issue.expected)}, got ${kindOf(value)}`,
        fix: typeFix(value),
      };
    case 'invalid_union':
      return { message: `expected text, a number or true/false, got ${kindOf(value)}`, fix: typeFix(value) };
    case 'invalid_value': {
      const allowed = issue.values.map(String);
      const fix = typeof value === 'string' ? didYouMean(value, allowed) : undefined;
      return { message: `must be one of ${allowed.join(', ')}`, fix };
    }
    case 'too_small':
      if (issue.origin === 'string' || issue.origin === 'array') return { message: 'must not be empty' };
      return { message: `must be at least ${issue.minimum}` };
    case 'too_big':
      return { message: `must be at most ${issue.maximum}` };
    case 'invalid_key':
      return { message: 'this name cannot be used here', at: 'key' };
    case 'custom':
      return { message: issue.message, fix: (issue.params as { fix?: string } | undefined)?.fix };
    default:
      return { message: issue.message };
  }
}

function typeFix(value: unknown): string | undefined {
  return value === null ? 'give it a value, "" for an empty text, or remove the key' : undefined;
}

/** The keys that the object at a path inside a schema knows. */
function knownKeys(schema: unknown, path: Path): readonly string[] {
  let current = unwrap(schema);
  for (const part of path) {
    const { shape, element, valueType } = current;
    current = unwrap(shape?.[part] ?? element ?? valueType);
  }
  return Object.keys(current.shape ?? {});
}

interface SchemaParts {
  readonly shape?: Readonly<Record<string | number, unknown>>;
  readonly element?: unknown;
  readonly valueType?: unknown;
}

/** Looks through defaults and optionals to the object, list or record within. */
function unwrap(schema: unknown): SchemaParts {
  let current = schema as { readonly def?: SchemaParts & { readonly innerType?: unknown } } | undefined;
  while (current?.def?.innerType !== undefined) current = current.def.innerType as typeof current;
  return current?.def ?? {};
}
