import { listCeiling, type TokenCounter } from '../accounting/index.ts';
import type { CatalogEntry, Snapshot } from '../catalog/index.ts';
import type { ExposureConfig, MetaToolNames } from '../config/index.ts';
import type { Era } from '../domain/index.ts';
import { type Choice, choose, pinnedThatFit } from './choose.ts';
import { type MetaDefinitions, metaDefinitions } from './meta-tools.ts';
import { costOf, type Form, type PricedTool, type Pricer } from './prices.ts';
import { serverIndexes } from './server-index.ts';

/** What a list of tools costs by the gateway's tokenizer. */
export interface ListTokens {
  readonly definitions: number;
  /** Of those, the definitions of meta-tools. */
  readonly metaTools: number;
  /** What the full definitions of everything visible would cost. */
  readonly visible: number;
}

/** The tools that hosts of one profile are listed, made of one snapshot and of the prices of its tools. */
export interface ToolView {
  readonly snapshot: Snapshot;
  readonly exposure: ExposureConfig;
  readonly choice: Choice;
  readonly visible: readonly CatalogEntry[];
  /** What is listed, in order: meta-tools first, then the order of the catalog. */
  readonly listed: readonly Form[];
  /** How many of those are meta-tools. */
  readonly metaTools: number;
  /** The tools among what is listed. */
  readonly exposed: ReadonlySet<CatalogEntry>;
  /** Undefined where nothing was counted. */
  readonly tokens: Readonly<Record<Era, ListTokens>> | undefined;
  /** The prices of the visible tools; empty where nothing was counted. */
  readonly prices: readonly PricedTool[];
  /** Names of servers' own tools that a meta-tool is listed under. */
  readonly shadowed: readonly string[];
}

/** What of the budget the index of servers may take: it tells a model when to search, and the rest is for tools. */
const INDEX_SHARE = 0.2;
const MAX_INDEX_TOKENS = 500;

export interface ViewDeps {
  readonly counter: Pick<TokenCounter, 'costsOf'>;
  readonly price: Pricer;
  /** The name under which a search answers for a tool's server. */
  readonly serverName: (entry: CatalogEntry) => string;
}

export interface ViewInput {
  readonly snapshot: Snapshot;
  readonly exposure: ExposureConfig;
  /** In catalog order. */
  readonly visible: readonly CatalogEntry[];
}

/** A view for which everything is counted. */
export async function countedView(deps: ViewDeps, input: ViewInput): Promise<ToolView> {
  const { exposure, visible } = input;
  const prices = await deps.price(visible);
  const choice = choose(prices, exposure);
  if (choice.shownAs === 'search') return searchView(deps, input, prices, choice);
  const shownAs = choice.shownAs === 'direct' ? 'full' : 'compact';
  const listed = prices.map((tool) => tool[shownAs]);
  const exposed = new Set(visible);
  const common = { choice, visible, listed, metaTools: 0, exposed, prices, shadowed: [] };
  return { ...input, ...common, tokens: tokensOf(listed, 0, prices) };
}

async function searchView(
  deps: ViewDeps,
  input: ViewInput,
  prices: readonly PricedTool[],
  choice: Choice,
): Promise<ToolView> {
  const { exposure, visible } = input;
  const metaTools = await indexedMetaTools(deps, exposure, visible);
  const names = new Set(Object.values(exposure.metaTools));
  const wanted = new Set(exposure.pin);
  const pinned = prices.filter(({ entry }) => wanted.has(entry.exposed) && !names.has(entry.exposed));
  const fitting = pinnedThatFit(pinned, metaTools.map(costOf), exposure.budgetTokens);
  const listed = [...metaTools, ...fitting.map(({ form }) => form)];
  const missing = pinned.length - fitting.length;
  const reason = missing === 0 ? choice.reason : `${choice.reason}; ${missing} pinned tools do not fit`;
  return {
    ...input,
    choice: { ...choice, reason },
    listed,
    metaTools: metaTools.length,
    exposed: new Set(fitting.map(({ tool }) => tool.entry)),
    tokens: tokensOf(listed, metaTools.length, prices),
    prices,
    shadowed: visible.filter(({ exposed }) => names.has(exposed)).map(({ exposed }) => exposed),
  };
}

/** The meta-tools with the fullest index that its share of the budget holds. */
async function indexedMetaTools(
  { counter, serverName }: ViewDeps,
  { metaTools, budgetTokens }: ExposureConfig,
  visible: readonly CatalogEntry[],
): Promise<readonly Form[]> {
  const bare = await costed(counter, metaDefinitions(metaTools, ''));
  const least = listCeiling(bare.map(costOf));
  // The configuration is checked for this; nothing is sent that costs more than it may.
  if (least > budgetTokens) return [];
  const share = Math.min(MAX_INDEX_TOKENS, Math.floor(budgetTokens * INDEX_SHARE));
  for (const index of serverIndexes(visible, serverName)) {
    // A token has a byte at least, and rarely more than eight: what cannot fit is not counted.
    if (index.length > share * 8) continue;
    const forms = await costed(counter, metaDefinitions(metaTools, index));
    const cost = listCeiling(forms.map(costOf));
    if (cost <= Math.min(budgetTokens, least + share)) return forms;
  }
  return bare;
}

/** What the meta-tools cost at least: no budget can be smaller. @throws TokenCountError */
export async function smallestBudget(
  counter: Pick<TokenCounter, 'costsOf'>,
  names: MetaToolNames,
): Promise<number> {
  return listCeiling((await costed(counter, metaDefinitions(names, ''))).map(costOf));
}

async function costed(
  counter: Pick<TokenCounter, 'costsOf'>,
  { search, call }: MetaDefinitions,
): Promise<readonly Form[]> {
  const texts = [search, call];
  const costs = await counter.costsOf(texts, 'definition');
  return texts.map((json, index) => sameForBoth(json, costs[index]));
}

const sameForBoth = (json: string, tokens: number | undefined): Form => ({
  modern: { json, tokens },
  legacy: { json, tokens },
});

function tokensOf(
  listed: readonly Form[],
  metaTools: number,
  prices: readonly PricedTool[],
): Readonly<Record<Era, ListTokens>> | undefined {
  const ofEra = (era: Era): ListTokens => ({
    definitions: sum(listed, era),
    metaTools: sum(listed.slice(0, metaTools), era),
    visible: sum(
      prices.map(({ full }) => full),
      era,
    ),
  });
  const tokens = { modern: ofEra('modern'), legacy: ofEra('legacy') };
  return Number.isNaN(tokens.modern.visible + tokens.legacy.visible + tokens.modern.definitions)
    ? undefined
    : tokens;
}

const sum = (forms: readonly Form[], era: Era): number =>
  forms.reduce((total, form) => total + (form[era].tokens ?? Number.NaN), 0);

/** Every visible tool as it is, with nothing counted. */
export function directView(input: ViewInput): ToolView {
  const { exposure, visible } = input;
  const choice = choose([], { ...exposure, mode: 'direct' });
  const listed = visible.map(({ json, legacyJson }): Form => ({
    modern: { json, tokens: undefined },
    legacy: { json: legacyJson, tokens: undefined },
  }));
  const exposed = new Set(visible);
  return { ...input, choice, listed, metaTools: 0, exposed, tokens: undefined, prices: [], shadowed: [] };
}

/** The meta-tools alone: all that may be shown while it is not known what anything costs. */
export function uncountedView(input: ViewInput, reason: string): ToolView {
  const { search, call } = metaDefinitions(input.exposure.metaTools, '');
  const listed = [search, call].map((json) => sameForBoth(json, undefined));
  const choice: Choice = { shownAs: 'search', reason };
  const exposed: ReadonlySet<CatalogEntry> = new Set();
  return { ...input, choice, listed, metaTools: 2, exposed, tokens: undefined, prices: [], shadowed: [] };
}
