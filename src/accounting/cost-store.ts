import type { Database } from '../state/index.ts';

/** Costs that outlive the process, by the digest of what was counted. All methods reject with a `StateError`. */
export interface CostStore {
  load(tokenizer: string, digests: readonly string[]): Promise<ReadonlyMap<string, number>>;
  save(tokenizer: string, costs: ReadonlyMap<string, number>): Promise<void>;
  /** Notes that these were needed today; what nobody needs for long gives way. */
  touch(tokenizer: string, digests: readonly string[]): Promise<void>;
}

export interface CostStoreOptions {
  readonly database: Database;
  /** Milliseconds since the epoch. */
  readonly epochNow: () => number;
  readonly maxCosts?: number;
}

const DAY_MS = 86_400_000;
const UNUSED_DAYS = 180;
const MAX_COSTS = 100_000;

const LOAD = `
  SELECT lower(hex(digest)), tokens FROM token_costs
  WHERE tokenizer = ? AND digest IN (SELECT unhex(value) FROM json_each(?))`;
const SAVE = `INSERT OR REPLACE INTO token_costs (digest, tokenizer, tokens, used_day) VALUES (unhex(?), ?, ?, ?)`;
const TOUCH = `
  UPDATE token_costs SET used_day = ?
  WHERE tokenizer = ? AND used_day < ? AND digest IN (SELECT unhex(value) FROM json_each(?))`;
const DROP_UNUSED = `DELETE FROM token_costs WHERE used_day < ?`;
const DROP_MANY = `
  DELETE FROM token_costs WHERE (digest, tokenizer) IN (
    SELECT digest, tokenizer FROM token_costs ORDER BY used_day
    LIMIT max(0, (SELECT count(*) FROM token_costs) - ?))`;

export function createCostStore(options: CostStoreOptions): CostStore {
  const { database, epochNow, maxCosts = MAX_COSTS } = options;
  const today = (): number => Math.floor(epochNow() / DAY_MS);
  return {
    load: async (tokenizer, digests) => {
      const rows = await database.all(LOAD, [tokenizer, JSON.stringify(digests)]);
      return new Map(rows.map(([digest, tokens]) => [String(digest), Number(tokens)]));
    },
    save: async (tokenizer, costs) => {
      const day = today();
      await database.write([
        { sql: SAVE, rows: [...costs].map(([digest, tokens]) => [digest, tokenizer, tokens, day]) },
        { sql: DROP_UNUSED, rows: [[day - UNUSED_DAYS]] },
        { sql: DROP_MANY, rows: [[maxCosts]] },
      ]);
    },
    touch: async (tokenizer, digests) => {
      const day = today();
      await database.write([{ sql: TOUCH, rows: [[day, tokenizer, day, JSON.stringify(digests)]] }]);
    },
  };
}
