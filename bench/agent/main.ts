import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { createLocalHost } from '../../src/cli/local-host.ts';
import { parseConfig } from '../../src/config/index.ts';
import { DEFAULT_PROFILE, systemClock } from '../../src/domain/index.ts';
import { createGateway, type Gateway } from '../../src/gateway.ts';
import { createLogger } from '../../src/telemetry/index.ts';
import type { ToolServer } from '../budget/catalog-of.ts';
import { readCorpora } from '../search/corpora.ts';
import { readQuestions } from '../search/questions.ts';
import { quantile } from '../search/measures.ts';
import { type AgentHost, runTask, type TaskOutcome } from './loop.ts';
import { startWorld } from './world.ts';

const usage = `npm run bench:agent -- --corpus FILE [--corpus FILE…] --queries FILE [--budget N] [--tasks N]

  Does the first tasks of a set of queries through a gateway, with a stand-in for a model that searches, calls and
  corrects itself, and says what that cost beside direct exposure.
`;

const { values } = parseArgs({
  options: {
    corpus: { type: 'string', multiple: true, default: [] },
    queries: { type: 'string' },
    budget: { type: 'string', default: '1500' },
    tasks: { type: 'string', default: '20' },
  },
});
if (values.corpus.length === 0 || values.queries === undefined) {
  process.stderr.write(usage);
  process.exit(2);
}

const servers = new Map<string, object[]>();
const corpora = readCorpora(values.corpus);
for (const { documents } of corpora)
  for (const { server, name, description, inputSchema } of documents) {
    const tools = servers.get(server) ?? [];
    servers.set(server, tools);
    tools.push({ name, description, inputSchema: inputSchema ?? { type: 'object' } });
  }
const toolServers: ToolServer[] = [...servers].map(([server, tools]) => ({ server, tools }));
const world = await startWorld(toolServers);
const folder = await mkdtemp(join(tmpdir(), 'bench-agent-'));
const logger = createLogger({ level: 'error', format: 'pretty', secrets: () => [] });
const config = parseConfig(
  JSON.stringify({ servers: world.servers, exposure: { budget: Number(values.budget) } }),
  { path: join(folder, 'gateway.config.json'), env: {} },
);
const gateway: Gateway = createGateway({
  config,
  env: {},
  logger,
  clock: systemClock,
  version: '0.0.0',
  redact: (text) => text,
});
try {
  await gateway.settled();
  const principal = { id: 'bench', profile: DEFAULT_PROFILE };
  await gateway.offerings.settled(principal, 120_000);
  const local = createLocalHost(gateway, DEFAULT_PROFILE, '0.0.0');
  const host: AgentHost = {
    list: () => local.list('tool'),
    call: async (name, args) => {
      const answer = await local.request('tools/call', { name, arguments: args });
      if (!answer.ok) throw new Error(answer.message);
      return answer.result;
    },
  };
  const exposedAs = new Map(
    gateway.catalog
      .current()
      .entries('tool')
      .map(({ server, native, exposed }) => [`${server}/${native}`, exposed]),
  );
  const tasks = readQuestions(values.queries, corpora)
    .slice(0, Number(values.tasks))
    .map(({ query, gold }) => ({
      query,
      gold: gold.flatMap((group) => [...group]).flatMap((key) => exposedAs.get(key) ?? []),
    }));
  const outcomes: TaskOutcome[] = [];
  for (const [at, task] of tasks.entries())
    outcomes.push(await runTask(task, { host, count: countTokens, isHasty: at % 2 === 1 }));
  const visible = gateway.offerings.view(principal).tokens?.modern.visible ?? Number.NaN;
  const spent = outcomes.reduce((sum, { tokens }) => sum + tokens, 0);
  const done = outcomes.filter(({ isDone }) => isDone);
  process.stdout.write(
    `${JSON.stringify({
      tasks: tasks.length,
      done: done.length,
      failed: outcomes.filter(({ isDone }) => !isDone).map(({ task }) => task.query),
      corrections: outcomes.reduce((sum, { corrections }) => sum + corrections, 0),
      tokens: spent,
      medianTokens: quantile(
        outcomes.map(({ tokens }) => tokens),
        0.5,
      ),
      directTokens: visible * tasks.length,
      share: spent / (visible * tasks.length),
    })}\n`,
  );
  if (done.length < tasks.length) process.exitCode = 1;
} finally {
  await gateway.close();
  await world[Symbol.asyncDispose]();
  await logger.close();
  await rm(folder, { recursive: true, force: true });
}
