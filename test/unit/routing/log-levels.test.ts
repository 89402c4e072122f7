import { describe, expect, it } from 'vitest';
import { GatewayError } from '../../../src/domain/index.ts';
import { createLogLevels, isLogLevel, isLogWanted } from '../../../src/routing/log-levels.ts';
import { verifies } from '../../requirements/routing.ts';
import { FakeConnection, hostOf } from './harness.ts';

const logging = (era: 'modern' | 'legacy' = 'legacy'): FakeConnection =>
  new FakeConnection(era, { capabilities: { logging: {} } });
const wants = (logLevel: string | undefined): ReturnType<typeof hostOf> => hostOf('legacy', { logLevel });
const levelsSent = (connection: FakeConnection): unknown[] =>
  connection.received.map(({ params }) => params['level']);

describe('the log level of a handshake connection', () => {
  it(verifies('routing:messages:level-sent'), async () => {
    const levels = createLogLevels();
    const connection = logging();
    connection.onCall = (received) => received.respond('{}');
    expect(levels.isSettled(connection, wants(undefined))).toBe(true);
    expect(levels.isSettled(connection, wants('warning'))).toBe(false);
    await levels.settle(connection, wants('warning'));
    expect(connection.received[0]?.call.method).toBe('logging/setLevel');
    // Less, or the same, is sent already; more is asked for.
    expect(levels.isSettled(connection, wants('warning'))).toBe(true);
    expect(levels.isSettled(connection, wants('emergency'))).toBe(true);
    await levels.settle(connection, wants('error'));
    await levels.settle(connection, wants('debug'));
    expect(levelsSent(connection)).toEqual(['warning', 'debug']);
    // A connection that opened anew knows nothing.
    expect(levels.isSettled(logging(), wants('debug'))).toBe(false);
  });

  it('is asked for once, however many calls wait, and whatever the server makes of it', async () => {
    for (const answer of [
      (received: FakeConnection['received'][number]) => received.refuse('{"code":-32601,"message":"no"}'),
      (received: FakeConnection['received'][number]) =>
        received.sink.failure(new GatewayError('UPSTREAM_TIMEOUT', 'silent')),
      (received: FakeConnection['received'][number]) => received.sink.responseStart(undefined),
    ]) {
      const levels = createLogLevels();
      const connection = logging();
      connection.onCall = answer;
      await Promise.all([levels.settle(connection, wants('info')), levels.settle(connection, wants('info'))]);
      expect(levels.isSettled(connection, wants('info'))).toBe(true);
      expect(connection.received).toHaveLength(1);
    }
  });

  it('is nothing to servers without logging, to stateless ones, and for stateless hosts', () => {
    const levels = createLogLevels();
    expect(levels.isSettled(new FakeConnection('legacy'), wants('debug'))).toBe(true);
    expect(levels.isSettled(logging('modern'), wants('debug'))).toBe(true);
    expect(levels.isSettled(logging(), hostOf('modern', { logLevel: 'debug' }))).toBe(true);
  });
});

describe('log levels', () => {
  it('are the eight of the specification', () => {
    expect(['debug', 'emergency', 'warn', '', 7, undefined, null].map(isLogLevel)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  it('let through what is at least as severe', () => {
    expect(isLogWanted(hostOf('modern', { logLevel: 'error' }), 'critical')).toBe(true);
    expect(isLogWanted(hostOf('modern', { logLevel: 'error' }), 'warning')).toBe(false);
    expect(isLogWanted(hostOf('modern', { logLevel: 'error' }), undefined)).toBe(false);
    expect(isLogWanted(hostOf('modern'), 'emergency')).toBe(false);
    expect(isLogWanted(hostOf('legacy'), undefined)).toBe(true);
  });
});
