/**
 * The load generator: a process of its own that keeps a number of connections busy, one request at a time on each,
 * and looks into every answer. One message orders a sample, one message is its outcome.
 */
import { connect } from 'node:net';
import { callTemplate, idDigits, resultText, type ResultSize } from './messages.ts';
import { createResponseReader } from './response-reader.ts';

export interface LoadOrder {
  readonly port: number;
  readonly path: string;
  /** The name of the tool as the target knows it. */
  readonly tool: string;
  readonly size: ResultSize;
  readonly connections: number;
  /** Answers of this long after the start are checked but not counted. */
  readonly rampMs: number;
  readonly measureMs: number;
}

export interface LoadOutcome {
  /** Calls that were counted, and the time in which they were answered. */
  readonly calls: number;
  readonly seconds: number;
  /** Every call of the sample, counted or not. */
  readonly answered: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Set when an answer was wrong or a connection broke: the sample is worth nothing. */
  readonly error?: string;
}

const firstId = 10 ** (idDigits - 1);
let nextId = firstId;

/** Throws unless the body answers the request `id` with the right text, to the last byte. */
function verify(status: number, body: Buffer, id: number, text: Buffer): void {
  const at = body.indexOf(text.subarray(0, 64));
  const end = at + text.length;
  if (status === 200 && at >= 0 && body.compare(text, 0, text.length, at, end) === 0) {
    // The id stands before the result or after it, and never inside the text.
    const idMember = `"id":${id}`;
    if (body.subarray(0, at).includes(idMember) || body.subarray(end).includes(idMember)) return;
  }
  throw new Error(`a wrong answer to request ${id}: ${status} ${body.toString('utf8', 0, 400)}`);
}

function quantile(ordered: Float64Array, share: number): number {
  return ordered[Math.min(ordered.length - 1, Math.floor(ordered.length * share))] ?? Number.NaN;
}

function summarise(latenciesMs: readonly number[], elapsedMs: number, answered: number): LoadOutcome {
  const ordered = Float64Array.from(latenciesMs).toSorted();
  return {
    calls: ordered.length,
    answered,
    seconds: elapsedMs / 1000,
    p50Ms: quantile(ordered, 0.5),
    p99Ms: quantile(ordered, 0.99),
  };
}

/** Counts the answers of a sample and says when there are enough of them. */
interface Tally {
  /** False when nothing more is to be sent. */
  record(sentMs: number, nowMs: number): boolean;
  outcome(): LoadOutcome;
}

function createTally({ rampMs, measureMs, connections }: LoadOrder): Tally {
  const latenciesMs: number[] = [];
  const measureFromMs = performance.now() + rampMs;
  let countedFromMs = 0;
  let elapsedMs = 0;
  let isDone = false;
  let answered = 0;
  return {
    record(sentMs, nowMs) {
      answered++;
      if (isDone) return false;
      if (countedFromMs === 0) {
        if (nowMs >= measureFromMs) countedFromMs = nowMs;
        return true;
      }
      latenciesMs.push(nowMs - sentMs);
      elapsedMs = nowMs - countedFromMs;
      // A slow target must at least have answered every connection once, or nothing was measured.
      isDone = elapsedMs >= measureMs && latenciesMs.length >= connections;
      return !isDone;
    },
    outcome: () => summarise(latenciesMs, elapsedMs, answered),
  };
}

/** One connection: sends, waits for the whole answer, sends again; ends when `tally` has enough. */
function drive(order: LoadOrder, tally: Tally): Promise<void> {
  const text = Buffer.from(resultText(order.size));
  const { bytes, idAt } = callTemplate(order, order.tool);
  const socket = connect({ port: order.port, host: '127.0.0.1', noDelay: true });
  let id = 0;
  let sentMs = 0;
  const send = (): void => {
    id = nextId++;
    bytes.write(String(id), idAt, 'latin1');
    sentMs = performance.now();
    socket.write(bytes);
  };
  return new Promise<void>((resolve, reject) => {
    const reader = createResponseReader((status, body) => {
      const nowMs = performance.now();
      verify(status, body, id, text);
      if (tally.record(sentMs, nowMs)) send();
      else resolve();
    });
    socket.on('connect', send);
    socket.on('data', (chunk: Buffer) => {
      try {
        reader.push(chunk);
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
    socket.on('error', reject);
    socket.on('end', () => reject(new Error('the target closed a connection')));
  }).finally(() => socket.destroy());
}

async function run(order: LoadOrder): Promise<LoadOutcome> {
  const tally = createTally(order);
  try {
    await Promise.all(Array.from({ length: order.connections }, () => drive(order, tally)));
    return tally.outcome();
  } catch (error) {
    return { calls: 0, answered: 0, seconds: 0, p50Ms: 0, p99Ms: 0, error: String(error) };
  }
}

process.on('message', (order: LoadOrder) => {
  void run(order).then((outcome) => process.send?.(outcome));
});
process.once('disconnect', () => process.exit());
