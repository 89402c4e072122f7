import { describe, expect, it } from 'vitest';
import { asGatewayError, GatewayError } from '../../../src/domain/index.ts';

describe('a fault of the gateway', () => {
  it('has a code to match on, data for the host and a cause for the log', () => {
    const cause = new Error('ECONNREFUSED');
    const error = new GatewayError('UPSTREAM_UNREACHABLE', 'down', { data: { server: 's' }, cause });
    expect(error).toBeInstanceOf(Error);
    expect([error.name, error.code, error.message, error.data, error.cause]).toEqual([
      'GatewayError',
      'UPSTREAM_UNREACHABLE',
      'down',
      { server: 's' },
      cause,
    ]);
    expect(Object.hasOwn(new GatewayError('INTERNAL', 'x'), 'cause')).toBe(false);
  });

  it('is kept when it is thrown, and made of anything else that is, which stays its cause', () => {
    const known = new GatewayError('CALL_CANCELLED', 'x');
    expect(asGatewayError(known, 'ignored')).toBe(known);
    for (const thrown of [new TypeError('secret detail'), 'text', undefined, null, 7]) {
      const error = asGatewayError(thrown, 'it could not be done');
      expect([error.code, error.message]).toEqual(['INTERNAL', 'it could not be done']);
      expect(error.cause).toBe(thrown);
    }
  });
});
