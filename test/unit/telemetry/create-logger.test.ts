import { describe, expect, it } from 'vitest';

import {
  createLogger,
  createTextMask,
  type LoggerOptions,
  type RootLogger,
} from '../../../src/telemetry/index.ts';
import { verifies } from '../../requirements/telemetry.ts';
import { createRecordingSink, type RecordingSink } from './recording-sink.ts';

function setUp(options: Partial<LoggerOptions> = {}): {
  readonly log: RootLogger;
  readonly sink: RecordingSink;
} {
  const sink = createRecordingSink();
  return { sink, log: createLogger({ level: 'debug', format: 'json', destination: sink, ...options }) };
}

/** A clock that stands still until it is moved. */
function createStoppedClock() {
  let nowMs = 0;
  return {
    now: () => nowMs,
    after: () => () => undefined,
    advance(byMs: number) {
      nowMs += byMs;
    },
  };
}

describe('createLogger', () => {
  it('writes one JSON line a message, with level, time, fields and text', () => {
    const { log, sink } = setUp();
    log.info({ server: 'site', attempt: 2 }, 'connected');
    expect(sink.lines[0]).toMatch(/^\{.*\}\n$/);
    expect(sink.entries()).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
        server: 'site',
        attempt: 2,
        msg: 'connected',
      },
    ]);
  });

  it('writes nothing below its level, and nothing at all when silent', () => {
    const warnings = setUp({ level: 'warn' });
    warnings.log.info({}, 'not this');
    warnings.log.warn({}, 'this');
    expect(warnings.sink.entries().map(({ msg }) => msg)).toEqual(['this']);
    expect([warnings.log.isEnabled('info'), warnings.log.isEnabled('error')]).toEqual([false, true]);
    const silent = setUp({ level: 'silent' });
    silent.log.error({}, 'not this');
    expect(silent.sink.lines).toEqual([]);
  });

  it('adds the fields of a child to each of its lines', () => {
    const { log, sink } = setUp();
    log.child({ server: 'site', token: 'abc' }).child({ pid: 7 }).debug({ step: 1 }, 'x');
    expect(sink.entries()[0]).toMatchObject({ server: 'site', token: '[redacted]', pid: 7, step: 1 });
  });

  it(verifies('telemetry:secrets:by-name'), () => {
    const { log, sink } = setUp();
    log.info(
      {
        headers: {
          Authorization: 'Bearer v1-value',
          'X-Api-Key': 'v2-value',
          Accept: 'text/plain',
          cookie: 'v3-value',
        },
        env: { ANY: 'v4-value' },
        nested: [{ deep: new Map([['clientSecret', 'v5-value']]) }],
        password: ['v6-value'],
        tokens: 1234,
        tokenizer: 'o200k',
        sessionId: 'v7-value',
        big: 12n,
        bytes: Buffer.from('v8-value'),
      },
      'x',
    );
    expect(sink.lines[0]).not.toMatch(/v\d-value/);
    expect(sink.entries()[0]).toMatchObject({
      headers: { Accept: 'text/plain', Authorization: '[redacted]' },
      env: { ANY: '[redacted]' },
      tokens: 1234,
      tokenizer: 'o200k',
      big: '12',
      bytes: '[8 bytes]',
    });
  });

  it(verifies('telemetry:secrets:by-value'), () => {
    const secrets = ['pass"w\\rd', '12345', 'long-secret-tail', 'long-secret', 'a b&c'];
    const { log, sink } = setUp({ secrets: () => secrets });
    const error = new Error('refused: pass"w\\rd', { cause: new Error('because of long-secret-tail') });
    log.error(
      { err: error, url: 'https://e.com/long-secret?x=a%20b%26c', port: 12_345, list: ['>12345<'] },
      'with 12345',
    );
    const [entry] = sink.entries();
    for (const hidden of ['pass', 'long-secret', 'tail', 'a%20b', '>12345<', 'with 12345']) {
      expect(sink.lines[0]).not.toContain(hidden);
    }
    // A number keeps its place: masking inside it would break the line.
    expect(entry).toMatchObject({ port: 12_345, list: ['>[redacted]<'], msg: 'with [redacted]' });
  });

  it('reads the secrets anew when there is another set of them', () => {
    let secrets = ['first-secret'];
    const { log, sink } = setUp({ secrets: () => secrets });
    log.info({}, 'first-secret second-secret');
    secrets = ['second-secret'];
    log.info({}, 'first-secret second-secret');
    expect(sink.entries().map(({ msg }) => msg)).toEqual([
      '[redacted] second-secret',
      'first-secret [redacted]',
    ]);
  });

  it(verifies('telemetry:secrets:by-form'), () => {
    const { log, sink } = setUp();
    log.warn(
      {
        line: 'sent authorization: Bearer abc.def-1 and Basic dXNlcjpwYXNz',
        proxy: 'http://user:p-value@proxy.example.com:3128',
        url: 'https://example.com/mcp?api_key=k-value&page=2#x',
        err: new Error('401 for https://example.com/?access_token=t-value'),
      },
      'from bearer xyz12345',
    );
    expect(sink.lines[0]).not.toMatch(/abc\.def|dXNlc|p-value|k-value|t-value|xyz12345/);
    expect(sink.entries()[0]).toMatchObject({
      proxy: 'http://[redacted]@proxy.example.com:3128',
      url: 'https://example.com/mcp?api_key=[redacted]&page=2#x',
      msg: 'from bearer [redacted]',
    });
  });

  it('reduces an error to what helps, causes included', () => {
    const { log, sink } = setUp();
    const cause = Object.assign(new TypeError('inner'), {
      code: 'ECONNREFUSED',
      request: { headers: { a: 'b' } },
    });
    log.error({ err: new Error('outer', { cause }) }, 'failed');
    const { err } = sink.entries()[0] as { err: Record<string, unknown> };
    expect(err).toMatchObject({
      type: 'Error',
      message: 'outer',
      cause: { type: 'TypeError', code: 'ECONNREFUSED' },
    });
    expect(err['cause']).not.toHaveProperty('request');
    expect(err['stack']).toContain('create-logger.test.ts');
  });

  it('survives values that no JSON has', () => {
    const { log, sink } = setUp();
    const loop: Record<string, unknown> = { name: 'loop' };
    loop['self'] = loop;
    log.info(
      { loop, run: () => 1, none: undefined, set: new Set([1]), ['__proto__']: 'x', nan: Number.NaN },
      'odd',
    );
    expect(sink.entries()[0]).toMatchObject({ set: [1], msg: 'odd' });
    expect(sink.lines[0]).toContain('[deeper]');
  });

  it(verifies('telemetry:warnings:limited'), async () => {
    const clock = createStoppedClock();
    const { log, sink } = setUp({ clock });
    const child = log.child({ server: 'files' });
    for (let index = 0; index < 100; index++)
      child.warnLimited('junk:files', { index }, 'junk on standard output');
    log.warnLimited('junk:other', {}, 'junk on standard output');
    clock.advance(60_000);
    child.warnLimited('junk:files', { index: 100 }, 'junk on standard output');
    child.warnLimited('junk:files', { index: 101 }, 'junk on standard output');
    await log.close();
    expect(sink.entries().map(({ index, suppressed, key }) => [index, suppressed, key])).toEqual([
      [0, undefined, undefined],
      [undefined, undefined, undefined],
      [100, 99, undefined],
      [undefined, 1, 'junk:files'],
    ]);
  });

  it('is for people on a terminal and for machines elsewhere, unless told', () => {
    const first = (options: Partial<LoggerOptions>): string | undefined => {
      const { log, sink } = setUp(options);
      log.info({}, 'x');
      return sink.lines[0];
    };
    expect(first({ format: 'auto', isTerminal: false })).toMatch(/^\{/);
    expect(first({ format: 'auto', isTerminal: true })?.startsWith('\u001b[90m')).toBe(true);
    expect(first({ format: 'pretty', isTerminal: false })).toMatch(/^\d\d:\d\d:\d\d\.\d{3} info {2}x\n$/);
    expect(first({ format: 'json', isTerminal: true })).toMatch(/^\{/);
  });
});

describe('createTextMask', () => {
  it('masks a fixed set of secrets in plain text', () => {
    const mask = createTextMask(['', 'secret', 'secret-tail', 'a b']);
    expect(mask('a secret, a secret-tail and a%20b')).toBe('a [redacted], a [redacted] and [redacted]');
    expect(createTextMask([])('a secret')).toBe('a secret');
  });
});
