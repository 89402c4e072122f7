/** Edits between two words, an exchange of neighbours counting as one. */
function distance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      const exchanged = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (same ? 0 : 1),
          exchanged ? (beforeLast[column - 2] ?? Infinity) + 1 : Infinity,
        ),
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? Infinity;
}

const flat = (word: string): string => word.toLowerCase().replace(/[-_ .]/g, '');

/** The known name that a mistyped one most likely meant, if any is near enough to say so. */
export function nearName(word: string, known: Iterable<string>): string | undefined {
  const wanted = flat(word);
  // A long stray word would cost time for a suggestion that nobody could use.
  if (wanted === '' || wanted.length > 64) return undefined;
  let best: string | undefined;
  let bestDistance = wanted.length <= 4 ? 2 : 3;
  for (const name of known) {
    const candidate = flat(name);
    const near = distance(wanted, candidate);
    // `timeout` for `timeouts.callMaxMs` is far by letters; a shared beginning says enough.
    const edits = near === 0 ? 0 : candidate.startsWith(wanted) && wanted.length >= 4 ? 1 : near;
    if (edits < bestDistance) [best, bestDistance] = [name, edits];
  }
  return best;
}

/** `did you mean "command"?`, or nothing. */
export function didYouMean(word: string, known: Iterable<string>): string | undefined {
  const near = nearName(word, known);
  return near === undefined ? undefined : `did you mean "${near}"?`;
}
