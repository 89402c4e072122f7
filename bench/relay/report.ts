import { type ResultSize } from './messages.ts';
import { type Shape } from './plan.ts';
import { median } from './statistics.ts';

/** One sample: one target under one shape in one round. */
export interface Sample extends Shape {
  readonly target: string;
  readonly round: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly calls: number;
  readonly cpuMicrosPerCall: number | undefined;
}

/** The median sample of one target under one shape. */
export interface Row extends Shape {
  readonly target: string;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuMicrosPerCall: number | null;
  /** Calls that were measured, over all rounds; none of them failed. */
  readonly calls: number;
}

export interface Ratios {
  readonly vsBareNodeProxy: number | null;
  readonly vsSdkGateway: number | null;
}

export interface Report extends Ratios {
  /** The same for results of 512 KB. */
  readonly large: Ratios;
  readonly rows: readonly Row[];
}

/** The connections of the load whose ratios are the result. */
const resultConnections = 16;

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

function row(samples: readonly Sample[], target: string, { size, connections }: Shape): Row {
  const own = samples.filter((sample) => sample.target === target);
  const cpu = own.flatMap(({ cpuMicrosPerCall }) => cpuMicrosPerCall ?? []);
  return {
    target,
    size,
    connections,
    requestsPerSecond: rounded(median(own.map((sample) => sample.requestsPerSecond)), 1),
    p50Ms: rounded(median(own.map((sample) => sample.p50Ms)), 3),
    p99Ms: rounded(median(own.map((sample) => sample.p99Ms)), 3),
    cpuMicrosPerCall: cpu.length === 0 ? null : rounded(median(cpu), 1),
    calls: own.reduce((sum, sample) => sum + sample.calls, 0),
  };
}

/** The median over the rounds of one target's throughput as a share of another's in the same round. */
function ratio(samples: readonly Sample[], target: string, reference: string): number | null {
  const perRound = samples
    .filter((sample) => sample.target === target)
    .flatMap(({ round, requestsPerSecond }) => {
      const other = samples.find((sample) => sample.target === reference && sample.round === round);
      return other === undefined ? [] : requestsPerSecond / other.requestsPerSecond;
    });
  return perRound.length === 0 ? null : rounded(median(perRound), 3);
}

function ratios(samples: readonly Sample[], size: ResultSize): Ratios {
  const counted = samples.filter(
    (sample) => sample.size === size && sample.connections === resultConnections,
  );
  return {
    vsBareNodeProxy: ratio(counted, 'tollgate', 'bare'),
    vsSdkGateway: ratio(counted, 'tollgate', 'sdk'),
  };
}

export function reportOf(
  samples: readonly Sample[],
  targets: readonly string[],
  shapes: readonly Shape[],
): Report {
  const rows = shapes.flatMap((shape) => {
    const own = samples.filter(
      ({ size, connections }) => size === shape.size && connections === shape.connections,
    );
    return targets.map((target) => row(own, target, shape));
  });
  return { ...ratios(samples, 'small'), large: ratios(samples, 'large'), rows };
}

const columns = ['target', 'result', 'conns', 'req/s', 'p50 ms', 'p99 ms', 'CPU µs', '÷ bare'] as const;

function cells(each: Row, bare: Row | undefined): string[] {
  return [
    each.target,
    each.size,
    String(each.connections),
    each.requestsPerSecond.toFixed(0),
    each.p50Ms.toFixed(2),
    each.p99Ms.toFixed(2),
    each.cpuMicrosPerCall?.toFixed(0) ?? '-',
    bare === undefined ? '-' : (each.requestsPerSecond / bare.requestsPerSecond).toFixed(2),
  ];
}

/** The report as a table for people. */
export function tableOf(report: Report): string {
  const lines = report.rows.map((each) =>
    cells(
      each,
      report.rows.find(
        ({ target, size, connections }) =>
          target === 'bare' && size === each.size && connections === each.connections,
      ),
    ),
  );
  const all = [[...columns], ...lines];
  const widths = columns.map((_, at) => Math.max(...all.map((line) => line[at]?.length ?? 0)));
  const table = all.map((line) =>
    line
      .map((cell, at) => (at < 2 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  '),
  );
  const say = (value: number | null): string => value?.toFixed(2) ?? '-';
  return [
    ...table,
    '',
    `small results, 16 connections: ${say(report.vsBareNodeProxy)} of the bare proxy, ${say(report.vsSdkGateway)} times the SDK gateway`,
    `512 KB results, 16 connections: ${say(report.large.vsBareNodeProxy)} of the bare proxy, ${say(report.large.vsSdkGateway)} times the SDK gateway`,
  ].join('\n');
}
