import fc from 'fast-check';

/** White space as JSON allows it between tokens. */
const space = fc.stringMatching(/^[ \t\r\n]{0,3}$/);

/** JSON text of any value, with white space anywhere and every kind of escape. */
export const jsonText: fc.Arbitrary<string> = fc
  .tuple(fc.jsonValue({ maxDepth: 4 }), fc.array(space, { minLength: 1, maxLength: 8 }), fc.nat())
  .map(([value, spaces, seed]) => spaced(value, spaces, seed));

/** Objects with distinct keys, as text. */
export const objectText: fc.Arbitrary<string> = fc
  .tuple(
    fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 6 }),
    fc.array(space, { minLength: 1, maxLength: 8 }),
    fc.nat(),
  )
  .map(([value, spaces, seed]) => spaced(value, spaces, seed));

function spaced(value: unknown, spaces: readonly string[], seed: number): string {
  let at = seed;
  const gap = (): string => spaces[at++ % spaces.length] ?? '';
  const write = (node: unknown): string => {
    if (Array.isArray(node)) return `[${gap()}${node.map((item) => write(item) + gap()).join(`,${gap()}`)}]`;
    if (typeof node === 'object' && node !== null) {
      const members = Object.entries(node).map(
        ([key, member]) => `${text(key)}${gap()}:${gap()}${write(member)}${gap()}`,
      );
      return `{${gap()}${members.join(`,${gap()}`)}}`;
    }
    return typeof node === 'string' ? text(node) : JSON.stringify(node);
  };
  // Alternates between plain and escaped spelling, so that both are met.
  const text = (string: string): string =>
    at++ % 2 === 0
      ? JSON.stringify(string)
      : `"${[...JSON.stringify(string).slice(1, -1)].map((char) => (char > '~' ? escaped(char) : char)).join('')}"`;
  return gap() + write(value) + gap();
}

const escaped = (char: string): string =>
  char
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
