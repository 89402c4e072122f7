import { DEFAULT_PROFILE, ANONYMOUS } from '../domain/index.ts';
import { readSearch } from '../exposure/index.ts';
import { CommandError, EXIT } from './exit.ts';
import { type OneShotOptions, withHost } from './one-shot.ts';
import { printJson, printText, table } from './print.ts';

export interface SearchOptions extends OneShotOptions {
  readonly server?: string | undefined;
  readonly limit?: number | undefined;
}

/** `tollgate search`: what the search meta-tool would answer, with the scores behind it. */
export async function search(words: readonly string[], options: SearchOptions): Promise<void> {
  const { server, limit, profile = DEFAULT_PROFILE } = options;
  const query = words.join(' ');
  const asked = readSearch({ query, server, limit });
  if (typeof asked === 'string') throw new CommandError(asked, EXIT.usage);
  await withHost(options, async (_host, { gateway, config }) => {
    await gateway.settled();
    const found = await gateway.metaTools.search({ id: ANONYMOUS, profile }, asked);
    const hits = found.hits.map(({ document, score, by, twins }) => ({
      name: document.key,
      server: document.server,
      score: Number(score.toFixed(3)),
      by,
      ...(twins.length === 0 ? {} : { also: twins.map(({ key }) => key) }),
    }));
    const { tokenizer } = config.accounting;
    if (options.json === true)
      return printJson({
        query,
        profile,
        hits,
        answer: { text: found.text, tokenizer, tokens: found.tokens },
      });
    if (hits.length > 0)
      printText(table(hits.map(({ score, by, name }) => [score.toFixed(3), by, name])) + '\n');
    printText(found.text);
    printText(`\n${found.tokens} tokens by ${tokenizer}`);
  });
}
