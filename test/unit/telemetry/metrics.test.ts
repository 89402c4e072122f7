import { describe, expect, it } from 'vitest';

import { createMetrics } from '../../../src/telemetry/index.ts';
import { verifies } from '../../requirements/telemetry.ts';

const linesOf = (text: string, name: string): readonly string[] =>
  text.split('\n').filter((line) => line.startsWith(`${name}{`));

describe('createMetrics', () => {
  it(verifies('telemetry:metrics:text-format'), () => {
    const metrics = createMetrics();
    const call = metrics.series('site', 'tools/call', 'ok');
    metrics.record(call, 1, 100, 1000);
    metrics.record(call, 3, 50, 500);
    metrics.record(call, 10_000_000, 0, 0);
    metrics.record(metrics.series('a"b\\c\nd', 'tools/list', 'error'), 0.25, 1, 2);
    const text = metrics.render();
    expect(linesOf(text, 'tollgate_requests_total')).toEqual([
      'tollgate_requests_total{upstream="site",method="tools/call",outcome="ok"} 3',
      'tollgate_requests_total{upstream="a\\"b\\\\c\\nd",method="tools/list",outcome="error"} 1',
    ]);
    const buckets = linesOf(text, 'tollgate_request_duration_seconds_bucket').filter((line) =>
      line.includes('"site"'),
    );
    const counts = buckets.map((line) => [/le="([^"]+)"/.exec(line)?.[1], Number(line.split(' ').at(-1))]);
    expect(counts.slice(0, 4)).toEqual([
      ['0.001', 1],
      ['0.0025', 1],
      ['0.005', 2],
      ['0.01', 2],
    ]);
    expect(counts.slice(-2)).toEqual([
      ['600', 2],
      ['+Inf', 3],
    ]);
    expect(linesOf(text, 'tollgate_request_duration_seconds_sum')[0]).toMatch(/ 10000\.004$/);
    expect(linesOf(text, 'tollgate_request_duration_seconds_count')[0]).toMatch(/ 3$/);
    expect(linesOf(text, 'tollgate_request_bytes_total')[0]).toMatch(/ 150$/);
    expect(linesOf(text, 'tollgate_response_bytes_total')[0]).toMatch(/ 1500$/);
    expect(text.match(/^# TYPE .*$/gm)).toEqual([
      '# TYPE tollgate_requests_total counter',
      '# TYPE tollgate_request_duration_seconds histogram',
      '# TYPE tollgate_request_bytes_total counter',
      '# TYPE tollgate_response_bytes_total counter',
    ]);
    expect(text.endsWith('\n')).toBe(true);
  });

  it('gives the same labels the same series, and other labels another', () => {
    const metrics = createMetrics();
    const one = metrics.series('a', 'b', 'c');
    expect(metrics.series('a', 'b', 'c')).toBe(one);
    expect(metrics.series('a,b', '', 'c')).not.toBe(metrics.series('a', ',b', 'c'));
  });

  it('keeps its counts while it grows, and folds what is too much into one series', () => {
    const metrics = createMetrics();
    metrics.record(metrics.series('first', 'm', 'ok'), 5, 1, 1);
    for (let index = 0; index < 10_000; index++)
      metrics.record(metrics.series(`u${index}`, 'm', 'ok'), 5, 1, 1);
    const totals = linesOf(metrics.render(), 'tollgate_requests_total');
    expect(totals).toHaveLength(4096);
    expect(totals).toContain('tollgate_requests_total{upstream="first",method="m",outcome="ok"} 1');
    const sum = totals.reduce((total, line) => total + Number(line.split(' ').at(-1)), 0);
    expect(sum).toBe(10_001);
  });

  it('shows nothing that was never counted', () => {
    const metrics = createMetrics();
    metrics.series('a', 'b', 'c');
    expect(linesOf(metrics.render(), 'tollgate_requests_total')).toEqual([]);
  });
});
