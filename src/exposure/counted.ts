import type { TokenCounter } from '../accounting/index.ts';

class Uncounted extends Error {
  readonly text: string;
  constructor(text: string) {
    super('a text is not counted yet');
    this.text = text;
  }
}

/**
 * Runs a function that counts texts while it works, though counting happens elsewhere: it is run again until every
 * text it asks about is counted, so it must do the same each time. Where nothing can be counted, a text is taken
 * to have as many tokens as bytes: it never has more.
 */
export async function withCounts<T>(
  counter: Pick<TokenCounter, 'count'>,
  make: (count: (text: string) => number) => T,
): Promise<T> {
  const known = new Map<string, number>();
  const count = (text: string): number => {
    const tokens = known.get(text);
    if (tokens === undefined) throw new Uncounted(text);
    return tokens;
  };
  for (;;) {
    try {
      return make(count);
    } catch (thrown) {
      if (!(thrown instanceof Uncounted)) throw thrown;
      const { text } = thrown;
      const [tokens] = await counter.count([text]).catch(() => []);
      known.set(text, tokens ?? Buffer.byteLength(text));
    }
  }
}
