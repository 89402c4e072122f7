import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TokenCounter } from '../accounting/index.ts';
import type { CatalogEntry } from '../catalog/index.ts';
import type { Era } from '../domain/index.ts';
import { compactForm } from './compact.ts';

/** A finished definition and what it costs; undefined where it could not be counted. */
export interface Costed {
  readonly json: string;
  readonly tokens: number | undefined;
}

/** One definition as the hosts of each era are sent it; mostly the same. */
export type Form = Readonly<Record<Era, Costed>>;

/** A tool with its price, as it is and in its compact form. */
export interface PricedTool {
  readonly entry: CatalogEntry;
  readonly full: Form;
  readonly compact: Form;
}

export type Pricer = (entries: readonly CatalogEntry[]) => Promise<readonly PricedTool[]>;

export interface PricerDeps {
  readonly counter: Pick<TokenCounter, 'costsOf'>;
  /** Told once for each server of which nothing could be counted. */
  readonly onFault: (server: string, error: unknown) => void;
}

/** How long the making of compact forms holds other work up. */
const MAX_TURN_MS = 4;

/** What the dearer of both eras' forms costs; more than any budget where it is not known. */
export const costOf = ({ modern, legacy }: Form): number =>
  Math.max(modern.tokens ?? Infinity, legacy.tokens ?? Infinity);

/** Prices tools, each once: a tool that did not change keeps its price, whatever happens around it. */
export function createPricer({ counter, onFault }: PricerDeps): Pricer {
  const known = new WeakMap<CatalogEntry, PricedTool>();
  /** The latest attempt at what could not be counted; it is made again with the next snapshot. */
  const unpriced = new WeakMap<CatalogEntry, PricedTool>();

  const priceAll = async (server: string, entries: readonly CatalogEntry[]): Promise<void> => {
    const drafts = await compactForms(entries);
    const texts = drafts.flatMap(({ entry, modern, legacy }) => [
      entry.json,
      entry.legacyJson,
      modern,
      legacy,
    ]);
    // Of one server at a time: a definition that cannot be counted leaves the prices of the others alone.
    const costs = await counter.costsOf(texts, 'definition').catch((error: unknown) => {
      onFault(server, error);
      return undefined;
    });
    for (const [index, { entry, modern, legacy }] of drafts.entries()) {
      const costed = (json: string, at: number): Costed => ({ json, tokens: costs?.[4 * index + at] });
      const full = { modern: costed(entry.json, 0), legacy: costed(entry.legacyJson, 1) };
      const compact = { modern: costed(modern, 2), legacy: costed(legacy, 3) };
      const priced = { entry, full, compact };
      unpriced.set(entry, priced);
      if (costs !== undefined) known.set(entry, priced);
    }
  };
  return async (entries) => {
    const missing = new Map<string, CatalogEntry[]>();
    for (const entry of entries) {
      if (known.has(entry)) continue;
      const others = missing.get(entry.server);
      if (others === undefined) missing.set(entry.server, [entry]);
      else others.push(entry);
    }
    await Promise.all([...missing].map(([server, group]) => priceAll(server, group)));
    return entries.flatMap((entry) => known.get(entry) ?? unpriced.get(entry) ?? []);
  };
}

interface Draft {
  readonly entry: CatalogEntry;
  readonly modern: string;
  readonly legacy: string;
}

async function compactForms(entries: readonly CatalogEntry[]): Promise<readonly Draft[]> {
  const drafts: Draft[] = [];
  let turnStart = performance.now();
  for (const entry of entries) {
    const modern = compactForm(entry.json);
    const legacy = entry.legacyJson === entry.json ? modern : compactForm(entry.legacyJson);
    drafts.push({ entry, modern, legacy });
    if (performance.now() - turnStart < MAX_TURN_MS) continue;
    await nextTurn();
    turnStart = performance.now();
  }
  return drafts;
}
