export interface CostMemory {
  get(digest: string): number | undefined;
  set(digest: string, tokens: number): void;
}

const MAX_REMEMBERED = 100_000;

/** The costs of this run; those not asked for longest give way. */
export function createCostMemory(maxRemembered: number = MAX_REMEMBERED): CostMemory {
  const costs = new Map<string, number>();
  const set = (digest: string, tokens: number): void => {
    costs.delete(digest);
    costs.set(digest, tokens);
    const [oldest] = costs.keys();
    if (costs.size > maxRemembered && oldest !== undefined) costs.delete(oldest);
  };
  return {
    get: (digest) => {
      const tokens = costs.get(digest);
      if (tokens !== undefined) set(digest, tokens);
      return tokens;
    },
    set,
  };
}
