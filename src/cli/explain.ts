import { ANONYMOUS, DEFAULT_PROFILE } from '../domain/index.ts';
import type { Explanation } from '../exposure/index.ts';
import { type OneShotOptions, withHost } from './one-shot.ts';
import { printError, printJson, printText, table } from './print.ts';

/** `tollgate explain`: what hosts of a profile are listed, what that costs, and what else it could cost. */
export async function explain(options: OneShotOptions): Promise<void> {
  const profile = options.profile ?? DEFAULT_PROFILE;
  await withHost(options, async (_host, { gateway, config }) => {
    await gateway.settled();
    const explanation = await gateway.offerings.explain({ id: ANONYMOUS, profile });
    const { tokenizer } = config.accounting;
    const told = { profile, tokenizer, ...explanation };
    if (options.json === true) printJson(told);
    else printText(textOf(told));
    for (const { id, trouble } of gateway.catalog.current().servers)
      if (trouble !== undefined) printError(`server ${id}: ${trouble}`);
  });
}

interface Told extends Explanation {
  readonly profile: string;
  readonly tokenizer: string;
}

function textOf(told: Told): string {
  const { alternatives } = told;
  const budget = told.budget === undefined ? '' : ` of ${told.budget}`;
  const lines = [
    `profile ${told.profile}: ${told.mode}, because ${told.reason}`,
    `${told.tokens ?? 'unknown'}${budget} tokens by ${told.tokenizer} for ${told.listed} of ${told.visible} visible tools` +
      (told.metaTools === 0
        ? ''
        : ` and ${told.metaTools} meta-tools (${told.metaToolTokens ?? 'unknown'} tokens)`),
    `alternatives: direct ${alternatives.direct ?? 'unknown'}, compact ${alternatives.compact ?? 'unknown'}, search ${alternatives.search ?? 'unknown'}`,
    ...told.shadowed.map(
      (name) => `a server's own tool ${name} is reached through the meta-tool that calls tools`,
    ),
    '',
  ];
  const rows = told.tools.map(({ name, tokens, compactTokens, exposedAs }) => [
    name,
    String(tokens ?? 'unknown'),
    String(compactTokens ?? 'unknown'),
    exposedAs ?? 'by search',
  ]);
  return `${lines.join('\n')}\n` + table([['tool', 'full', 'compact', 'listed'], ...rows]);
}
