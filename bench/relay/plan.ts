import { type ResultSize } from './messages.ts';

/** A kind of load. */
export interface Shape {
  readonly size: ResultSize;
  readonly connections: number;
}

export interface Slice extends Shape {
  readonly rampMs: number;
  readonly measureMs: number;
}

export interface Plan {
  readonly rounds: number;
  /** How long each target is warmed before the first round. */
  readonly warmUpMs: number;
  /** What one round holds for each target. */
  readonly slices: readonly Slice[];
}

/** Shares of the measuring time. The first shape is the one whose ratios are the result, and gets the most. */
const shares: readonly (Shape & { readonly share: number })[] = [
  { size: 'small', connections: 16, share: 0.4 },
  { size: 'small', connections: 1, share: 0.12 },
  { size: 'small', connections: 64, share: 0.12 },
  { size: 'large', connections: 16, share: 0.16 },
  { size: 'large', connections: 1, share: 0.1 },
  { size: 'large', connections: 64, share: 0.1 },
];

/** Ratios are taken inside a round, so that what the machine does meanwhile meets all targets alike. */
const rounds = 5;
const warmUpShare = 0.2;
/** Compilers and sockets settle within the first part of a sample; it is not counted. */
const rampShare = 0.25;

/** Divides the seconds of a run among targets, rounds and shapes. */
export function planFor(seconds: number, targets: number): Plan {
  const warmUpMs = (seconds * 1000 * warmUpShare) / targets;
  const roundMs = (seconds * 1000 * (1 - warmUpShare)) / (rounds * targets);
  const slices = shares.map(({ size, connections, share }) => ({
    size,
    connections,
    rampMs: roundMs * share * rampShare,
    measureMs: roundMs * share * (1 - rampShare),
  }));
  return { rounds, warmUpMs, slices };
}
