import { describe, expect, it } from 'vitest';

import { prettyLine } from '../../../src/telemetry/pretty.ts';
import { verifies } from '../../requirements/telemetry.ts';

const pretty = (fields: Record<string, unknown>, withColour = false): string =>
  prettyLine(JSON.stringify({ level: 'info', time: '2026-11-30T12:34:56.789Z', ...fields }), { withColour });

/** Without the clock, which is local time. */
const body = (fields: Record<string, unknown>): string => pretty(fields).slice('00:00:00.000 '.length);

describe('prettyLine', () => {
  it('puts level, message and fields on one line', () => {
    expect(pretty({ msg: 'connected', server: 'site', attempt: 2, list: ['a'], text: 'a b' })).toMatch(
      /^\d\d:\d\d:56\.789 info {2}connected {2}server=site attempt=2 list=\["a"\] text="a b"\n$/,
    );
    expect(body({ level: 'error', msg: 'failed' })).toBe('error failed\n');
  });

  it('shows an error by message, code and causes', () => {
    const err = {
      type: 'Error',
      message: 'outer',
      stack: 'Error: outer\n at x',
      cause: { message: 'inner', code: 'EPIPE' },
    };
    expect(body({ level: 'warn', msg: 'failed', err })).toBe('warn  failed  err=outer: inner (EPIPE)\n');
    expect(body({ msg: 'failed', err: 'text' })).toBe('info  failed  err=text\n');
  });

  it('aligns requests', () => {
    const request = {
      msg: 'request',
      principal: 'anonymous',
      era: 'modern',
      method: 'tools/call',
      name: 'site__search_site',
      upstream: 'site',
      outcome: 'ok',
      durationMs: 12.34,
      requestBytes: 310,
      responseBytes: 21_000,
    };
    const failed = {
      ...request,
      name: undefined,
      outcome: 'error',
      code: -32_602,
      durationMs: 1.25,
      responseBytes: 4_200_000,
    };
    const [one, other] = [body(request), body(failed)];
    expect(one).toBe(
      'info  tools/call        site__search_site             ok             12 ms  310 B → 21.0 kB     site  anonymous  modern  -\n',
    );
    expect(other).toContain('error -32602');
    expect(other).toContain('310 B → 4.2 MB');
  });

  it(verifies('telemetry:lines:unforgeable'), () => {
    const evil = 'x\n12:00:00.000 info  forged\r\u001b[2J\u009b\u2028\u202e\u0000';
    for (const fields of [
      { msg: evil },
      { msg: 'x', text: evil },
      { msg: 'x', nested: { [evil]: evil } },
      { msg: 'x', [evil]: 1 },
      { msg: 'x', err: { message: evil, code: evil } },
      { msg: 'request', method: evil, name: evil, outcome: evil, client: evil, principal: evil, code: evil },
    ]) {
      const line = pretty(fields);
      expect(line.slice(0, -1)).not.toMatch(/[\p{Control}\u2028\u202e]/u);
      expect(line.endsWith('\n')).toBe(true);
    }
  });

  it('colours the level on a terminal', () => {
    expect(pretty({ level: 'error', msg: 'x' }, true)).toContain('\u001b[31merror\u001b[0m x');
  });
});
