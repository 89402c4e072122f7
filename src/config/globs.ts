import type { FilterConfig } from './gateway-config.ts';

/** True for a name that the filter lets through. */
export type NameFilter = (name: string) => boolean;

// `.` of a regular expression would leave out line breaks, which a native name may hold.
function globPattern(glob: string): string {
  return [...glob]
    .map((character) => {
      if (character === '*') return '[^]*';
      if (character === '?') return '[^]';
      return character.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
    })
    .join('')
    .replaceAll(/(?:\[\^\]\*){2,}/g, '[^]*');
}

function matcher(globs: readonly string[]): NameFilter {
  const exact = new Set(globs.filter((glob) => !/[*?]/.test(glob)));
  const patterns = globs.filter((glob) => !exact.has(glob)).map(globPattern);
  if (patterns.length === 0) return (name) => exact.has(name);
  const pattern = new RegExp(`^(?:${patterns.join('|')})$`, 'u');
  return (name) => exact.has(name) || pattern.test(name);
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
