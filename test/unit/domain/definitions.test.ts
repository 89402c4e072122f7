import { describe, expect, it } from 'vitest';
import {
  BATCH_VERSION,
  DEFINITION_KINDS,
  HEADERLESS_VERSION,
  LEGACY_VERSIONS,
  LISTS,
  MODERN_VERSIONS,
} from '../../../src/domain/index.ts';

describe('the kinds of definitions', () => {
  it('each have a list method and the member that holds its entries', () => {
    expect(DEFINITION_KINDS.map((kind) => [kind, LISTS[kind].method, LISTS[kind].member])).toEqual([
      ['tool', 'tools/list', 'tools'],
      ['prompt', 'prompts/list', 'prompts'],
      ['resource', 'resources/list', 'resources'],
      ['template', 'resources/templates/list', 'resourceTemplates'],
    ]);
  });
});

describe('the revisions of the protocol', () => {
  it('are offered newest first, in two families that do not overlap', () => {
    const all = [...MODERN_VERSIONS, ...LEGACY_VERSIONS];
    expect(all).toEqual([...new Set(all)].toSorted().toReversed());
    expect(all).toEqual(['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07']);
    expect([HEADERLESS_VERSION, BATCH_VERSION]).toEqual(['2025-03-26', '2025-03-26']);
  });
});
