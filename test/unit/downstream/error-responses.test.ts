import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { GatewayError, type GatewayErrorCode } from '../../../src/domain/index.ts';
import { ERROR_MAPPINGS, errorAnswer } from '../../../src/downstream/error-responses.ts';
import { verifies } from '../../requirements/downstream.ts';

const table = Object.entries(ERROR_MAPPINGS).map(
  ([code, { rpcCode, status }]) => [code, rpcCode, status] as const,
);

describe('the errors of the gateway', () => {
  it('have these numbers for good', () => {
    expect(table.toSorted(([a], [b]) => (a < b ? -1 : 1))).toEqual([
      ['CALL_CANCELLED', -32603, 200],
      ['ENVELOPE_INVALID', -32602, 400],
      ['HEADER_MISMATCH', -32020, 400],
      ['INTERNAL', -32603, 200],
      ['METHOD_UNKNOWN', -32601, 404],
      ['NAME_UNKNOWN', -32602, 200],
      ['PARSE_ERROR', -32700, 400],
      ['REQUEST_INVALID', -32600, 400],
      ['REQUEST_PARAMS', -32602, 200],
      ['SHUTTING_DOWN', -32603, 503],
      ['UPSTREAM_AUTH', -32603, 200],
      ['UPSTREAM_CLOSED', -32603, 200],
      ['UPSTREAM_MALFORMED', -32603, 200],
      ['UPSTREAM_OVERLOADED', -32603, 200],
      ['UPSTREAM_REFUSED', -32603, 200],
      ['UPSTREAM_SESSION_LOST', -32603, 200],
      ['UPSTREAM_TIMEOUT', -32603, 200],
      ['UPSTREAM_TOO_LARGE', -32603, 200],
      ['UPSTREAM_UNREACHABLE', -32603, 200],
      ['UPSTREAM_UNSUPPORTED', -32603, 200],
      ['VERSION_UNSUPPORTED', -32022, 400],
    ]);
  });

  it(verifies('downstream:errors:documented'), async () => {
    const page = await readFile('docs/reference/errors.md', 'utf8');
    const rows = page.matchAll(/^\| `([A-Z_]+)` +\| (-\d+) +\| (\d+) +\| (.+?) +\|$/gm);
    const documented = [...rows].map(([, code = '', rpcCode, status]) => [
      code,
      Number(rpcCode),
      Number(status),
    ]);
    const byCode = (a: readonly unknown[], b: readonly unknown[]): number =>
      String(a[0]) < String(b[0]) ? -1 : 1;
    expect(documented.toSorted(byCode)).toEqual(table.toSorted(byCode));
  });

  it('never use a number that the specification reserves for others', () => {
    for (const [, rpcCode] of table)
      expect([-32700, -32600, -32601, -32602, -32603, -32020, -32022]).toContain(rpcCode);
  });
});

describe('an error as an answer', () => {
  const answer = (
    code: GatewayErrorCode,
    idText: string | undefined,
    era: 'legacy' | 'modern',
    data?: Record<string, unknown>,
  ): [number, unknown] => {
    const error = new GatewayError(code, 'what was wrong', data === undefined ? {} : { data });
    const { status, body } = errorAnswer(error, idText, era);
    return [status, JSON.parse(body)];
  };

  it('carries the id, the number, the message and the data', () => {
    expect(answer('NAME_UNKNOWN', '"a"', 'modern', { uri: 'x://y' })).toEqual([
      200,
      { jsonrpc: '2.0', id: 'a', error: { code: -32602, message: 'what was wrong', data: { uri: 'x://y' } } },
    ]);
  });

  it('has a null id and no data where there are none', () => {
    expect(answer('PARSE_ERROR', undefined, 'modern')).toEqual([
      400,
      { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'what was wrong' } },
    ]);
  });

  it('is in band for a request of a session, but for one that the gateway does not take', () => {
    expect(answer('METHOD_UNKNOWN', '1', 'legacy')[0]).toBe(200);
    expect(answer('METHOD_UNKNOWN', '1', 'modern')[0]).toBe(404);
    expect(answer('PARSE_ERROR', undefined, 'legacy')[0]).toBe(400);
    expect(answer('SHUTTING_DOWN', '1', 'legacy')[0]).toBe(503);
  });

  it('lists the versions that are spoken, when another was asked for', () => {
    expect(answer('VERSION_UNSUPPORTED', '1', 'modern', { requested: '2099-01-01' })[1]).toMatchObject({
      error: { data: { supported: ['2026-07-28'], requested: '2099-01-01' } },
    });
  });

  it('says nothing of the cause', () => {
    const error = new GatewayError('INTERNAL', 'The request could not be served', {
      cause: new Error('secret of the inside'),
    });
    expect(errorAnswer(error, '1', 'modern').body).not.toContain('secret');
  });
});
