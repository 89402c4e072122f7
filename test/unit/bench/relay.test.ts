import { describe, expect, it } from 'vitest';
import { callTemplate, idDigits } from '../../../bench/relay/messages.ts';
import { planFor } from '../../../bench/relay/plan.ts';
import { reportOf, type Sample } from '../../../bench/relay/report.ts';
import { createResponseReader } from '../../../bench/relay/response-reader.ts';
import { median } from '../../../bench/relay/statistics.ts';

function responsesOf(chunks: readonly Buffer[]): string[] {
  const seen: string[] = [];
  const reader = createResponseReader((status, body) => seen.push(`${status} ${body.toString()}`));
  for (const chunk of chunks) reader.push(chunk);
  return seen;
}

const withLength = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';
const inChunks =
  'HTTP/1.1 404 Not Found\r\ntransfer-encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n';

describe('the reader of responses', () => {
  it('reads bodies by length and in chunks, one after the other', () => {
    expect(responsesOf([Buffer.from(withLength + inChunks + withLength)])).toEqual([
      '200 hello',
      '404 hello',
      '200 hello',
    ]);
  });

  it('reads the same from single bytes', () => {
    const bytes = Buffer.from(withLength + inChunks + withLength);
    expect(responsesOf([...bytes].map((byte) => Buffer.from([byte])))).toEqual([
      '200 hello',
      '404 hello',
      '200 hello',
    ]);
  });

  it('does not hand over a body that is not whole', () => {
    expect(
      responsesOf([Buffer.from(withLength.slice(0, -1)), Buffer.from(inChunks.slice(0, 4))]),
    ).toHaveLength(1);
    expect(responsesOf([Buffer.from(inChunks.slice(0, -1))])).toEqual([]);
  });

  it('refuses a response that does not say how long it is', () => {
    expect(() => responsesOf([Buffer.from('HTTP/1.1 200 OK\r\n\r\n')])).toThrow('neither length nor chunks');
  });
});

describe('the request of the benchmark', () => {
  it('is as long as its header says, and stays so with an id written into it', () => {
    const { bytes, idAt } = callTemplate({ port: 1234, path: '/mcp' }, 'bench__small');
    bytes.write('9'.repeat(idDigits), idAt, 'latin1');
    const [head = '', body = ''] = bytes.toString().split('\r\n\r\n');
    expect(head).toContain(`Content-Length: ${Buffer.byteLength(body)}`);
    expect(head).toContain('Mcp-Name: bench__small');
    expect(JSON.parse(body)).toMatchObject({
      id: Number('9'.repeat(idDigits)),
      method: 'tools/call',
      params: { name: 'bench__small' },
    });
  });
});

describe('the plan of a run', () => {
  it('spends the seconds that it is given', () => {
    const plan = planFor(60, 4);
    const perRoundMs = plan.slices.reduce((sum, slice) => sum + slice.rampMs + slice.measureMs, 0);
    expect(4 * (plan.warmUpMs + plan.rounds * perRoundMs)).toBeCloseTo(60_000);
  });
});

describe('the report', () => {
  const sample = (target: string, round: number, requestsPerSecond: number): Sample => ({
    target,
    round,
    requestsPerSecond,
    size: 'small',
    connections: 16,
    p50Ms: 1,
    p99Ms: 2,
    calls: 100,
    cpuMicrosPerCall: undefined,
  });
  const shapes = [{ size: 'small', connections: 16 }] as const;

  it('takes ratios inside a round and reports their median', () => {
    // A machine that is slow in the second round is slow for both, and moves no ratio.
    const samples = [
      ...[1000, 100, 1000].map((rate, round) => sample('bare', round, rate)),
      ...[900, 80, 500].map((rate, round) => sample('tollgate', round, rate)),
    ];
    const report = reportOf(samples, ['bare', 'tollgate'], shapes);
    expect(report.vsBareNodeProxy).toBe(0.8);
    expect(report.vsSdkGateway).toBeNull();
    expect(
      report.rows.map(({ target, requestsPerSecond, calls }) => [target, requestsPerSecond, calls]),
    ).toEqual([
      ['bare', 1000, 300],
      ['tollgate', 500, 300],
    ]);
  });

  it('finds the middle of an even and of an odd number of values', () => {
    expect([median([3, 1, 2]), median([4, 1, 3, 2])]).toEqual([2, 2.5]);
  });
});
