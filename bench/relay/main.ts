import { parseArgs } from 'node:util';
import { namespace, type ResultSize } from './messages.ts';
import { planFor, type Slice } from './plan.ts';
import {
  type LoadGenerator,
  type Program,
  startLoadGenerator,
  startProgram,
  startTollgate,
} from './processes.ts';
import { processorSeconds } from './processor-time.ts';
import { reportOf, type Sample, tableOf } from './report.ts';

const usage = `npm run bench:relay -- [--json] [--seconds N] [--targets LIST]

  --json          print one line of JSON instead of the table
  --seconds N     seconds of load in all, divided among targets, rounds and shapes (default 90, at least 10)
  --targets LIST  of direct, bare, sdk and tollgate (default: all four)
`;

interface Target {
  readonly name: string;
  readonly program: Program;
  /** What this target calls the upstream's tool. */
  toolName(size: ResultSize): string;
}

const bareName = (size: ResultSize): string => size;
const qualifiedName = (size: ResultSize): string => `${namespace}__${size}`;

/** How each target is put in front of the upstream. */
const starters = new Map<string, (upstream: Program) => Promise<Target>>([
  ['direct', (upstream) => Promise.resolve({ name: 'direct', program: upstream, toolName: bareName })],
  [
    'bare',
    async (upstream) => ({
      name: 'bare',
      program: await startProgram('./bare-proxy.ts', originOf(upstream)),
      toolName: bareName,
    }),
  ],
  [
    'sdk',
    async (upstream) => ({
      name: 'sdk',
      program: await startProgram('./sdk-gateway.ts', originOf(upstream)),
      toolName: qualifiedName,
    }),
  ],
  [
    'tollgate',
    async (upstream) => ({
      name: 'tollgate',
      program: await startTollgate(upstream.port),
      toolName: qualifiedName,
    }),
  ],
]);

function originOf(upstream: Program): Record<string, string> {
  return { UPSTREAM_ORIGIN: `http://127.0.0.1:${upstream.port}` };
}

interface Options {
  readonly json: boolean;
  readonly seconds: number;
  readonly targets: readonly string[];
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      seconds: { type: 'string', default: '90' },
      targets: { type: 'string', default: [...starters.keys()].join(',') },
    },
  });
  const seconds = Number(values.seconds);
  const targets = values.targets.split(',');
  if (!(seconds >= 10))
    throw new Error(`--seconds ${values.seconds}: a number from 10 on is needed\n\n${usage}`);
  const unknown = targets.find((name) => !starters.has(name));
  if (unknown !== undefined) throw new Error(`--targets: there is no "${unknown}"\n\n${usage}`);
  return { json: values.json, seconds, targets };
}

/** The targets in another order each round, so that none always follows the same neighbour. */
function orderOf<T>(items: readonly T[], round: number): readonly T[] {
  const from = round % items.length;
  const turned = [...items.slice(from), ...items.slice(0, from)];
  return round % 2 === 0 ? turned : turned.toReversed();
}

async function measure(load: LoadGenerator, target: Target, slice: Slice, round: number): Promise<Sample> {
  const { port, pid } = target.program;
  const { size, connections, rampMs, measureMs } = slice;
  const cpuBefore = processorSeconds(pid);
  const outcome = await load.sample({
    port,
    path: '/mcp',
    tool: target.toolName(size),
    size,
    connections,
    rampMs,
    measureMs,
  });
  const cpuAfter = processorSeconds(pid);
  if (outcome.error !== undefined) {
    throw new Error(`${target.name}, ${size} results, ${connections} connections: ${outcome.error}`);
  }
  const cpu = cpuBefore === undefined || cpuAfter === undefined ? undefined : cpuAfter - cpuBefore;
  return {
    target: target.name,
    size,
    connections,
    round,
    requestsPerSecond: outcome.calls / outcome.seconds,
    p50Ms: outcome.p50Ms,
    p99Ms: outcome.p99Ms,
    calls: outcome.calls,
    cpuMicrosPerCall: cpu === undefined ? undefined : (cpu * 1e6) / outcome.answered,
  };
}

async function collect(load: LoadGenerator, targets: readonly Target[], options: Options): Promise<Sample[]> {
  const plan = planFor(options.seconds, targets.length);
  for (const target of targets) {
    for (const size of ['small', 'large'] as const) {
      const measureMs = plan.warmUpMs * (size === 'small' ? 0.8 : 0.2);
      await measure(load, target, { size, connections: 16, rampMs: 0, measureMs }, -1);
    }
  }
  const samples: Sample[] = [];
  for (let round = 0; round < plan.rounds; round++) {
    for (const slice of plan.slices) {
      for (const target of orderOf(targets, round)) samples.push(await measure(load, target, slice, round));
    }
    console.error(`round ${round + 1} of ${plan.rounds}`);
  }
  return samples;
}

async function main(): Promise<void> {
  const options = readOptions();
  const started: { stop(): Promise<void> }[] = [];
  try {
    const upstream = await startProgram('./upstream.ts');
    started.push(upstream);
    const targets: Target[] = [];
    for (const name of options.targets) {
      const target = await starters.get(name)?.(upstream);
      if (target === undefined) continue;
      targets.push(target);
      if (target.program !== upstream) started.push(target.program);
    }
    const load = startLoadGenerator();
    started.push(load);
    const samples = await collect(load, targets, options);
    const report = reportOf(samples, options.targets, planFor(options.seconds, targets.length).slices);
    console.log(options.json ? JSON.stringify(report) : tableOf(report));
  } finally {
    for (const program of started.toReversed()) await program.stop();
  }
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
