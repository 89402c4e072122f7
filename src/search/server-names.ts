import type { Analyser } from './analyser.ts';
import { rarity } from './postings.ts';

/** The servers of the documents, and which of them hold a term in their name. */
export interface ServerNames {
  add(server: string): void;
  remove(server: string): void;
  /** How telling a term is among the names of servers; nothing when it is in none. */
  rarity(term: string): number;
}

export function createServerNames(analyser: Analyser): ServerNames {
  const tools = new Map<string, number>();
  const holders = new Map<string, number>();

  function tally(server: string, change: 1 | -1): void {
    const { terms, extra } = analyser.termsOf(server);
    for (const term of new Set([...terms, ...extra])) holders.set(term, (holders.get(term) ?? 0) + change);
  }

  return {
    add(server) {
      const before = tools.get(server) ?? 0;
      tools.set(server, before + 1);
      if (before === 0) tally(server, 1);
    },
    remove(server) {
      const after = (tools.get(server) ?? 0) - 1;
      if (after > 0) tools.set(server, after);
      else if (tools.delete(server)) tally(server, -1);
    },
    rarity: (term) => rarity(holders.get(term) ?? 0, tools.size),
  };
}
