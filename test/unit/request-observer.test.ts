import { describe, expect, it } from 'vitest';

import type { CountedTexts, LedgerRow } from '../../src/accounting/index.ts';
import { GatewayError, serverId } from '../../src/domain/index.ts';
import type { Outcome } from '../../src/downstream/index.ts';
import { requestObserver } from '../../src/request-observer.ts';
import { createMetrics, createTokenMetrics } from '../../src/telemetry/index.ts';
import { verifies } from '../requirements/accounting.ts';
import { recordingLogger } from './accounting/recording-logger.ts';

const NOW = Date.UTC(2026, 10, 30, 12);

const outcomeOf = (more: Partial<Outcome>): Outcome => ({
  host: {
    principal: { id: 'ada', profile: 'review' },
    era: 'modern',
    protocolVersion: '2026-07-28',
    capabilities: {},
    clientInfo: { name: 'agent', version: '1.2' },
    sessionKey: undefined,
    logLevel: undefined,
  },
  method: 'tools/call',
  notes: {},
  status: 'ok',
  durationMs: 250,
  requestBytes: 10,
  responseBytes: 20,
  error: undefined,
  ...more,
});

function observed(outcomes: readonly Outcome[]): {
  readonly rows: readonly LedgerRow[];
  readonly texts: readonly (CountedTexts | undefined)[];
  readonly metrics: string;
} {
  const rows: LedgerRow[] = [];
  const texts: (CountedTexts | undefined)[] = [];
  const tokenMetrics = createTokenMetrics({ tokenizer: 'o200k_base', countsSearchAnswers: true });
  const metrics = createMetrics();
  const observe = requestObserver({
    logger: recordingLogger(),
    metrics,
    tokenMetrics,
    ledger: {
      record: (row, text) => {
        rows.push(row);
        texts.push(text);
      },
      flush: () => Promise.resolve(),
      close: () => Promise.resolve(),
    },
    epochNow: () => NOW,
  });
  outcomes.forEach(observe);
  return { rows, texts, metrics: metrics.render() + tokenMetrics.render() };
}

describe('requestObserver', () => {
  it(verifies('accounting:rows:every-request'), () => {
    const result = Buffer.from('{"content":[]}');
    const notes = { upstream: serverId('site'), name: 'search', tool: 'site__search', result };
    const { rows, texts, metrics } = observed([
      outcomeOf({ notes }),
      outcomeOf({
        method: 'tools/list',
        notes: { definitionTokens: 900, metaToolTokens: 400, visibleTokens: 20_000 },
      }),
      outcomeOf({ notes: { tool: 'search_tools', searchAnswer: 'hits' }, status: 'cancelled' }),
    ]);
    expect(rows[0]).toEqual({
      timeMs: NOW - 250,
      principal: 'ada',
      profile: 'review',
      client: 'agent/1.2',
      era: 'modern',
      method: 'tools/call',
      tool: 'site__search',
      server: 'site',
      requestBytes: 10,
      responseBytes: 20,
      durationMs: 250,
      outcome: 'ok',
    });
    expect(rows[1]).toMatchObject({ definitionTokens: 900, metaToolTokens: 400, visibleTokens: 20_000 });
    expect(rows[2]).toMatchObject({ tool: 'search_tools', outcome: 'cancelled' });
    expect(texts).toEqual([{ result }, undefined, { searchAnswer: 'hits' }]);
    expect(metrics).toContain(
      'tollgate_definition_tokens_avoided_total{profile="review",tokenizer="o200k_base"} 19500',
    );
  });

  it('records a method that does not exist without the name that a host made up', () => {
    const error = new GatewayError('METHOD_UNKNOWN', 'Method not found: planted/text');
    const { rows, metrics } = observed([
      outcomeOf({ method: 'planted/text', status: 'METHOD_UNKNOWN', error }),
    ]);
    expect(rows[0]).toMatchObject({ method: 'unknown', outcome: 'METHOD_UNKNOWN' });
    expect(metrics).not.toContain('planted');
  });
});
