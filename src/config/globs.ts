import type { FilterConfig } from './gateway-config.ts';

/** True for a name that the filter lets through. */
export type NameFilter = (name: string) => boolean;

/**
 * Whether a whole name matches one pattern, by characters, not by code units. Names come from servers:
 * going back only to the last star keeps the time within the product of the lengths, which a regular
 * expression with several stars would not.
 */
function matches(pattern: readonly string[], name: readonly string[]): boolean {
  let [at, read] = [0, 0];
  let star: { readonly at: number; readonly read: number } | undefined;
  while (read < name.length) {
    if (pattern[at] === '*') star = { at: at++, read };
    else if (pattern[at] === '?' || pattern[at] === name[read]) [at, read] = [at + 1, read + 1];
    else if (star === undefined) return false;
    else {
      star = { at: star.at, read: star.read + 1 };
      [at, read] = [star.at + 1, star.read];
    }
  }
  return pattern.slice(at).every((character) => character === '*');
}

function matcher(globs: readonly string[]): NameFilter {
  const exact = new Set(globs.filter((glob) => !/[*?]/.test(glob)));
  const patterns = globs.filter((glob) => !exact.has(glob)).map((glob) => [...glob]);
  return (name) => {
    if (exact.has(name)) return true;
    const characters = patterns.length === 0 ? [] : [...name];
    return patterns.some((pattern) => matches(pattern, characters));
  };
}

/**
 * The decision of an allow and deny list: `*` stands for any characters, `?` for one, and the whole
 * name must match, case included. Deny is stronger; an absent allow list lets everything through, an
 * empty one nothing.
 */
export function compileGlobs({ allow, deny }: FilterConfig): NameFilter {
  const isAllowed = allow === undefined ? () => true : matcher(allow);
  const isDenied = matcher(deny ?? []);
  return (name) => !isDenied(name) && isAllowed(name);
}
