import { describe, expect, it } from 'vitest';

import { createLogger, createRequestLog, type RequestRecord } from '../../../src/telemetry/index.ts';
import { verifies } from '../../requirements/telemetry.ts';
import { createRecordingSink } from './recording-sink.ts';

const REQUEST: RequestRecord = {
  principal: 'anonymous',
  client: 'host/1.0',
  era: 'modern',
  method: 'tools/call',
  name: 'site__search_site',
  upstream: 'site',
  status: 200,
  outcome: 'ok',
  durationMs: 12.3456,
  requestBytes: 310,
  responseBytes: 2100,
};

describe('createRequestLog', () => {
  it(verifies('telemetry:requests:one-line'), () => {
    const sink = createRecordingSink();
    const requests = createRequestLog(createLogger({ level: 'info', format: 'json', destination: sink }));
    requests.record(REQUEST);
    requests.record({
      principal: 'key:ci',
      era: 'legacy',
      method: 'tools/list',
      outcome: 'error',
      code: -32_602,
      durationMs: 0.5,
      requestBytes: 1,
      responseBytes: 2,
    });
    const { time, ...first } = sink.entries()[0] ?? {};
    expect(time).toEqual(expect.any(String));
    expect(first).toEqual({ level: 'info', ...REQUEST, durationMs: 12.35, msg: 'request' });
    expect(Object.keys(sink.entries()[1] ?? {})).toEqual([
      'level',
      'time',
      'principal',
      'era',
      'method',
      'outcome',
      'code',
      'durationMs',
      'requestBytes',
      'responseBytes',
      'msg',
    ]);
  });

  it('cuts what callers choose the length of, and hides what looks like a credential in it', () => {
    const sink = createRecordingSink();
    const requests = createRequestLog(createLogger({ level: 'info', format: 'json', destination: sink }));
    requests.record({
      ...REQUEST,
      client: 'c'.repeat(1000),
      name: `x://y?token=hidden&z=${'n'.repeat(1000)}`,
    });
    const { client, name } = sink.entries()[0] as { client: string; name: string };
    expect([client.length, name.length < 300]).toEqual([65, true]);
    expect(name).toContain('token=[redacted]&z=');
  });

  it('writes what callers choose so that it stays one JSON line, with the fields of a child logger', () => {
    const sink = createRecordingSink();
    const log = createLogger({
      level: 'info',
      format: 'json',
      destination: sink,
      secrets: () => ['hunter22'],
    });
    const odd = 'a"b\\c\nd\u0000e\u2028';
    createRequestLog(log.child({ listener: odd })).record({
      ...REQUEST,
      principal: odd,
      client: 'Bearer abcdefgh',
      name: odd,
    });
    createRequestLog(log).record({
      ...REQUEST,
      name: 'x://user:pw-value@host/',
      upstream: 'hunter22',
      code: odd,
    });
    const [one, other] = sink.entries();
    expect(sink.lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
    expect(one).toMatchObject({ listener: odd, principal: odd, client: 'Bearer [redacted]', name: odd });
    expect(other).toMatchObject({ name: 'x://[redacted]@host/', upstream: '[redacted]', code: odd });
  });

  it('makes nothing where requests are not logged', () => {
    const sink = createRecordingSink();
    createRequestLog(createLogger({ level: 'warn', format: 'json', destination: sink })).record(REQUEST);
    expect(sink.lines).toEqual([]);
  });
});
