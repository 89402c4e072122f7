/** The variables that references may name; an absent one is `undefined`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** One variable whose value went into a text. */
export interface UsedVariable {
  readonly name: string;
  readonly value: string;
}

export interface ReferenceFault {
  readonly message: string;
  readonly fix?: string;
}

export interface Expansion {
  readonly text: string;
  readonly used: readonly UsedVariable[];
  readonly missing: readonly string[];
  readonly faults: readonly ReferenceFault[];
}

const REFERENCE = /^(env:|input:)?([A-Za-z_][\w.-]*)(?::-([\s\S]*))?$/;

/** The index of the brace that closes the one opened before `start`, or -1. */
function closingBrace(text: string, start: number): number {
  let depth = 1;
  for (let index = start; index < text.length; index++) {
    if (text[index] === '$' && text[index + 1] === '$') index++;
    else if (text[index] === '$' && text[index + 1] === '{') depth++;
    else if (text[index] === '}' && --depth === 0) return index;
  }
  return -1;
}

/** VS Code prompts for `${input:github-token}`; here the variable GITHUB_TOKEN answers. */
function variableName(prefix: string | undefined, name: string): string {
  return prefix === 'input:' ? name.replace(/[^A-Za-z0-9_]/g, '_').toUpperCase() : name;
}

interface Parts {
  text: string;
  readonly used: UsedVariable[];
  readonly missing: string[];
  readonly faults: ReferenceFault[];
}

function resolveReference(body: string, lookUp: (name: string) => string | undefined, parts: Parts): void {
  const [, prefix, written, fallback] = REFERENCE.exec(body) ?? [];
  const name = variableName(prefix, written ?? body);
  const value = lookUp(name);
  // As in a shell, `:-` also replaces a variable that is set to nothing.
  if (fallback !== undefined && (value === undefined || value === ''))
    return expandInto(fallback, lookUp, parts);
  if (value !== undefined) {
    parts.text += value;
    parts.used.push({ name, value });
  } else if (written === undefined || /[^\w]/.test(name)) {
    const fix = 'write ${NAME} or ${NAME:-default}, and $${ for a literal one';
    parts.faults.push({ message: '"${" does not begin an environment reference', fix });
  } else {
    parts.missing.push(name);
  }
}

function expandInto(text: string, lookUp: (name: string) => string | undefined, parts: Parts): void {
  let index = 0;
  while (index < text.length) {
    const dollar = text.indexOf('$', index);
    if (dollar < 0) break;
    parts.text += text.slice(index, dollar);
    const next = text[dollar + 1];
    if (next !== '{') {
      parts.text += '$';
      index = dollar + (next === '$' ? 2 : 1);
      continue;
    }
    const close = closingBrace(text, dollar + 2);
    if (close < 0) {
      parts.faults.push({ message: '"${" is never closed', fix: 'write $${ for a literal one' });
      return;
    }
    resolveReference(text.slice(dollar + 2, close), lookUp, parts);
    index = close + 1;
  }
  parts.text += text.slice(index);
}

/**
 * Replaces `${NAME}` and `${NAME:-default}` (the default applies to an unset or empty variable and may
 * hold references itself); `$$` is one dollar, and a dollar before anything else is itself.
 * `lookUp` answers for one name. Faults never contain a value.
 */
export function expandReferences(text: string, lookUp: (name: string) => string | undefined): Expansion {
  const parts: Parts = { text: '', used: [], missing: [], faults: [] };
  expandInto(text, lookUp, parts);
  return parts;
}
