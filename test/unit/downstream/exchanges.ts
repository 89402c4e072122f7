import type { Outcome } from '../../../src/downstream/outcome.ts';
import type { Host } from '../../../src/routing/index.ts';

/** A host of an era, for exchanges that need to know whose they are. */
export const hostOf = (era: 'legacy' | 'modern', protocolVersion = '2025-06-18'): Host => ({
  principal: { id: 'p', profile: 'default' },
  era,
  protocolVersion: era === 'modern' ? '2026-07-28' : protocolVersion,
  capabilities: {},
  clientInfo: undefined,
  sessionKey: era === 'legacy' ? 'session' : undefined,
  logLevel: undefined,
});

/** What a log would be told of the ends of requests. */
export const summaries = (outcomes: readonly Outcome[]): unknown[] =>
  outcomes.map(({ status, requestBytes, responseBytes, durationMs }) => ({
    status,
    requestBytes,
    responseBytes,
    durationMs,
  }));
