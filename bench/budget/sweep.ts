import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { TokenCounter } from '../../src/accounting/index.ts';
import type { Snapshot } from '../../src/catalog/index.ts';
import type { ExposureConfig, GatewayConfig } from '../../src/config/index.ts';
import { systemClock } from '../../src/domain/index.ts';
import { createLists, createOfferings } from '../../src/exposure/index.ts';
import type { Logger } from '../../src/telemetry/index.ts';

/** What one budget made of a catalogue. */
export interface Swept {
  readonly budget: number;
  readonly mode: string;
  readonly listed: number;
  /** As the list itself says. */
  readonly told: number | undefined;
  /** The list as one array, counted by a tokenizer that is not the gateway's own. */
  readonly counted: number;
}

export interface SweepDeps {
  readonly counter: TokenCounter;
  readonly logger: Logger;
}

type Tool = Readonly<{ name: string; description?: string; inputSchema: unknown }>;

const SETTLE_MS = 600_000;

/** Lists a catalogue under each of the budgets, as a gateway would, and counts what is sent. */
export async function sweep(
  snapshot: Snapshot,
  budgets: readonly number[],
  exposure: Omit<ExposureConfig, 'budgetTokens'>,
  { counter, logger }: SweepDeps,
): Promise<readonly Swept[]> {
  const profiles = budgets.map((budgetTokens) => ({
    name: `p${budgetTokens}`,
    servers: snapshot.servers.map(({ id }) => id),
    tools: {},
    exposure: { ...exposure, budgetTokens },
  }));
  const config: Pick<GatewayConfig, 'exposure' | 'profiles'> = {
    exposure: { ...exposure, budgetTokens: 0 },
    profiles,
  };
  const visible = snapshot.entries('tool');
  const policy = { visible: () => visible, reachable: () => snapshot.servers };
  const offerings = createOfferings({
    catalog: { current: () => snapshot, onChange: () => undefined },
    policy,
    config,
    counter,
    serverName: ({ server }) => server,
    prepare: () => Promise.resolve(),
    clock: systemClock,
    logger,
  });
  const lists = createLists({ policy, serverInfoText: '{}', tokenizer: counter.tokenizer });
  const swept: Swept[] = [];
  for (const { name: profile, exposure: own } of profiles) {
    const principal = { id: 'bench', profile };
    await offerings.settled(principal, SETTLE_MS);
    const view = offerings.view(principal);
    const { resultText, tokens } = lists.tools(principal, view, 'modern');
    const { tools } = JSON.parse(resultText) as { readonly tools: readonly Tool[] };
    const handed = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    swept.push({
      budget: own.budgetTokens,
      mode: view.choice.shownAs,
      listed: tools.length,
      told: tokens?.definitions,
      counted: tools.length === 0 ? 0 : countTokens(JSON.stringify(handed)),
    });
  }
  return swept;
}
