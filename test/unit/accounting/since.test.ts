import { describe, expect, it } from 'vitest';
import { parseSince } from '../../../src/accounting/index.ts';

const NOW = Date.UTC(2026, 10, 30, 12);

describe('a point in time as people give it', () => {
  it.each([
    ['30m', NOW - 1_800_000],
    ['24h', NOW - 86_400_000],
    ['7d', NOW - 604_800_000],
    ['2w', NOW - 1_209_600_000],
    ['2026-11-01', Date.UTC(2026, 10, 1)],
    ['2026-11-01T10:30', Date.UTC(2026, 10, 1, 10, 30)],
    ['2026-11-01T10:30:15Z', Date.UTC(2026, 10, 1, 10, 30, 15)],
    ['2026-11-01T10:30:15.5+02:00', Date.UTC(2026, 10, 1, 8, 30, 15, 500)],
  ])('%s is understood', (text, expected) => {
    expect(parseSince(text, NOW)).toBe(expected);
  });

  it.each([
    '',
    'yesterday',
    '7',
    'd',
    '7 d',
    '-1d',
    '1.5h',
    '2026-13-01',
    '2026-1-1',
    '30.11.2026',
    '99999999d',
  ])('"%s" is not', (text) => {
    expect(parseSince(text, NOW)).toBeUndefined();
  });
});
