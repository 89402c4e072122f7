import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSnapshotBuilder, type ServerInput } from '../../../src/catalog/build-snapshot.ts';
import type { Snapshot } from '../../../src/catalog/index.ts';
import type { Principal } from '../../../src/domain/index.ts';
import { mergeInstructions } from '../../../src/exposure/index.ts';
import { createPolicy } from '../../../src/policy/index.ts';
import { verifies } from '../../requirements/exposure.ts';
import { prompt, tool } from '../catalog/fake-server.ts';
import { type Described, inputOf, MAX_NAME } from '../catalog/snapshots.ts';
import { type ProfileRule, policyConfig, type ServerRule } from '../policy/config.ts';

interface Speaking extends Described {
  readonly says?: string;
}

const build = (...servers: readonly Speaking[]): Snapshot =>
  createSnapshotBuilder({ nameMaxLength: MAX_NAME }).build(
    1,
    servers.map((server): ServerInput => {
      const input = inputOf(server);
      return { ...input, view: { ...input.view, instructions: server.says } };
    }),
  );

const as = (profile: string): Principal => ({ id: 'someone', profile });

function merged(
  snapshot: Snapshot,
  maxBytes: number,
  rules: { servers?: readonly ServerRule[]; profiles?: readonly ProfileRule[]; profile?: string } = {},
): string | undefined {
  const servers = rules.servers ?? snapshot.servers.map(({ id }) => ({ id }));
  const policy = createPolicy(policyConfig(servers, rules.profiles));
  return mergeInstructions({ policy, maxBytes }, as(rules.profile ?? 'default'), snapshot);
}

describe('merged instructions', () => {
  it(verifies('exposure:instructions:merged'), () => {
    const snapshot = build(
      { id: 'site', says: '  Use search first. \n' },
      { id: 'silent' },
      { id: 'blank', says: ' \n ' },
      { id: 'My Files', namespace: '', says: 'Paths are absolute.' },
      { id: 'long', namespace: 'n'.repeat(40), says: 'Hello.' },
    );
    expect(merged(snapshot, 8_192)).toBe(
      [
        '## site (its names begin with site__)\n\nUse search first.',
        '## My Files\n\nPaths are absolute.',
        `## long (its names begin with ${'n'.repeat(21)}-527ccc3e__)\n\nHello.`,
      ].join('\n\n'),
    );
    expect(merged(snapshot, 8_192)).toBe(merged(snapshot, 8_192));
    expect(merged(build({ id: 'silent' }), 8_192)).toBeUndefined();
  });

  it(verifies('exposure:instructions:capped'), () => {
    // The character that stands for a damaged one may not be there to begin with.
    const text = fc
      .string({ unit: 'grapheme', maxLength: 400 })
      .map((whole) => whole.replaceAll('\ufffd', ''));
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 0, max: 1_500 }),
        (texts, maxBytes) => {
          const snapshot = build(...texts.map((says, index) => ({ id: `s${index}`, says })));
          const whole = merged(snapshot, 1_000_000) ?? '';
          const capped = merged(snapshot, maxBytes) ?? '';
          expect(Buffer.byteLength(capped)).toBeLessThanOrEqual(maxBytes);
          expect(capped).not.toContain('\uFFFD');
          expect(capped === whole || Buffer.byteLength(whole) > maxBytes).toBe(true);
          for (const section of capped.split('…'))
            expect(whole).toContain(section.replace(/^\n\n## s\d[\s\S]*/, ''));
        },
      ),
    );
  });

  it('keep the short ones whole and cut the longest, each to the same length', () => {
    const long = 'é'.repeat(25_000);
    const snapshot = build({ id: 'a', says: long }, { id: 'b', says: 'Short.' }, { id: 'c', says: long });
    const text = merged(snapshot, 2_000) ?? '';
    expect(Buffer.byteLength(text)).toBeGreaterThan(1_990);
    expect(text).toContain('## b (its names begin with b__)\n\nShort.\n\n');
    const runs = text.match(/é+…/g) ?? [];
    expect(runs).toHaveLength(2);
    expect(Math.abs((runs[0]?.length ?? 0) - (runs[1]?.length ?? 0))).toBeLessThanOrEqual(1);
  });

  it('leave out the last servers where not even a little of each would fit', () => {
    const snapshot = build(
      ...Array.from({ length: 50 }, (_, index) => ({ id: `server${index}`, says: 'x'.repeat(500) })),
    );
    const text = merged(snapshot, 1_024) ?? '';
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_024);
    expect(text.startsWith('## server0 (its names begin with server0__)\n\nxxx')).toBe(true);
    const headings = text.match(/^## /gm) ?? [];
    expect(headings.length).toBeGreaterThan(5);
    expect(text.match(/x{20,}…/g)).toHaveLength(headings.length);
    expect(merged(snapshot, 0)).toBeUndefined();
    expect(merged(snapshot, 40)).toBeUndefined();
  });

  it(verifies('exposure:instructions:only-usable'), () => {
    const lists = { tool: [tool('t')], prompt: [prompt('p')] };
    const snapshot = build(
      { id: 'open', says: 'open', lists },
      { id: 'hidden', says: 'hidden', lists },
      { id: 'half', says: 'half', lists },
      { id: 'empty', says: 'empty', lists: {} },
      { id: 'late', says: 'late' },
    );
    const servers: readonly ServerRule[] = [
      { id: 'open' },
      { id: 'hidden', tools: { deny: ['*'] }, prompts: { allow: [] } },
      { id: 'half', tools: { deny: ['*'] } },
      { id: 'empty' },
      { id: 'late' },
      { id: 'off', enabled: false },
    ];
    const profiles = [{ name: 'p', servers: ['hidden', 'open'] }];
    const speaking = (profile: string): string[] =>
      [...(merged(snapshot, 8_192, { servers, profiles, profile }) ?? '').matchAll(/^## (\w+)/gm)].map(
        ([, id]) => id ?? '',
      );
    expect(speaking('default')).toEqual(['open', 'half', 'empty', 'late']);
    expect(speaking('p')).toEqual(['open']);
    expect(speaking('nobody')).toEqual([]);
  });
});
