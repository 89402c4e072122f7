import { type Environment, type Expansion, expandReferences } from './references.ts';
import type { Report } from './report.ts';
import { isMap, type Path, pathKey, type Tree } from './tree.ts';

/** An environment variable whose value went into the configuration, and where. */
export interface VariableUse {
  readonly path: Path;
  readonly name: string;
  readonly value: string;
}

export interface ExpandOptions {
  /** For what is switched off: an unset variable is then no problem. */
  readonly lenient?: boolean;
  /** For what a host wrote: hosts know no `$$`, so that one is worth a notice. */
  readonly fromHost?: boolean;
}

/** Replaces environment references in every text of a part of the file. */
export interface Expander {
  expand(tree: Tree, path: Path, options?: ExpandOptions): Tree;
  /** True where the text in the file was, in part or whole, a reference. */
  isExpanded(path: Path): boolean;
  readonly uses: readonly VariableUse[];
}

export interface ExpanderDeps {
  readonly env: Environment;
  /** Names with a value of their own, for which the environment is asked first. */
  readonly predefined: ReadonlyMap<string, string>;
  readonly report: Report;
}

export function createExpander({ env, predefined, report }: ExpanderDeps): Expander {
  const uses: VariableUse[] = [];
  const expanded = new Set<string>();
  const lookUp = (name: string): string | undefined =>
    (Object.hasOwn(env, name) ? env[name] : undefined) ?? predefined.get(name);

  function expandText(
    text: string,
    path: Path,
    { lenient = false, fromHost = false }: ExpandOptions,
  ): string {
    if (!text.includes('$')) return text;
    const expansion = expandReferences(text, lookUp);
    if (expansion.text !== text) expanded.add(pathKey(path));
    for (const { message, fix } of expansion.faults)
      report.problem(path, message, { fix, spoilsValue: true });
    for (const { name, value } of expansion.used) if (!predefined.has(name)) uses.push({ path, name, value });
    if (!lenient) reportVariables(expansion, path);
    if (fromHost && /\$\$(?!\{)/.test(text))
      report.notice(path, '"$$" was read as one dollar; write "$$$$" for two');
    return expansion.text;
  }

  function reportVariables({ missing, used }: Expansion, path: Path): void {
    for (const name of missing) {
      const fix = `set it, or write \${${name}:-default}`;
      report.problem(path, `environment variable ${name} is not set`, { fix, spoilsValue: true });
    }
    const empty = used.filter(({ value }) => value === '');
    for (const { name } of empty) report.notice(path, `environment variable ${name} is set but empty`);
  }

  function expand(tree: Tree, path: Path, options: ExpandOptions = {}): Tree {
    if (typeof tree === 'string') return expandText(tree, path, options);
    if (isMap(tree))
      return new Map([...tree].map(([key, value]) => [key, expand(value, [...path, key], options)]));
    if (Array.isArray(tree)) {
      return (tree as readonly Tree[]).map((item, index) => expand(item, [...path, index], options));
    }
    return tree;
  }

  return { expand, isExpanded: (path) => expanded.has(pathKey(path)), uses };
}
