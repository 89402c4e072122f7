import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { createTokenCounter } from '../../src/accounting/index.ts';
import { systemClock } from '../../src/domain/index.ts';
import { createLogger } from '../../src/telemetry/index.ts';
import { readCorpora } from '../search/corpora.ts';
import { snapshotOf, type ToolServer } from './catalog-of.ts';
import { sweep } from './sweep.ts';

const usage = `npm run bench:budget -- FILE [FILE…]

  Lists each catalogue (as for bench:search) under budgets from 300 to 50,000 tokens and counts what is sent
  with another tokenizer. Ends with 1 when a list costs more than its budget or than it says.
`;
const BUDGETS = [
  ...Array.from({ length: 40 }, (_item, at) => Math.round(300 * (50_000 / 300) ** (at / 39))),
  1_500,
  4_000,
].toSorted((one, other) => one - other);

const { positionals } = parseArgs({ allowPositionals: true });
if (positionals.length === 0) {
  process.stderr.write(usage);
  process.exit(2);
}

function serversOf(file: string): ToolServer[] {
  const servers = new Map<string, object[]>();
  for (const { server, name, description, inputSchema } of readCorpora([file])[0]?.documents ?? []) {
    const tools = servers.get(server) ?? [];
    servers.set(server, [...tools, { name, description, inputSchema: inputSchema ?? { type: 'object' } }]);
  }
  return [...servers].map(([server, tools]) => ({ server, tools }));
}

const logger = createLogger({ level: 'warn', format: 'pretty', secrets: () => [] });
const counter = createTokenCounter({ tokenizer: 'o200k_base', logger, clock: systemClock });
let faults = 0;
try {
  for (const file of positionals) {
    const servers = serversOf(file);
    const snapshot = snapshotOf(servers);
    const start = performance.now();
    const pin = snapshot
      .entries('tool')
      .slice(0, 5)
      .map(({ exposed }) => exposed);
    const metaTools = { search: 'search_tools', call: 'call_tool' };
    const exposure = { mode: 'auto' as const, pin, searchAnswerTokens: 1_200, metaTools };
    const swept = await sweep(snapshot, BUDGETS, exposure, { counter, logger });
    const bad = swept.filter(
      ({ budget, counted, told = NaN }) =>
        !(counted <= budget && Math.abs(told - counted) <= Math.max(2, counted / 1_000)),
    );
    faults += bad.length;
    const modes = [...new Set(swept.map(({ mode }) => mode))].join(', ');
    const seconds = ((performance.now() - start) / 1_000).toFixed(1);
    const size = `${snapshot.entries('tool').length} tools, ${servers.length} servers`;
    process.stdout.write(
      `${basename(file)}: ${size}; ${swept.length} budgets (${modes}), ${bad.length} faults, ${seconds} s\n`,
    );
    for (const one of bad) process.stdout.write(`  ${JSON.stringify(one)}\n`);
  }
} finally {
  await counter.close();
  await logger.close();
}
process.exitCode = faults > 0 ? 1 : 0;
