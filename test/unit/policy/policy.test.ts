import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CatalogEntry, Snapshot } from '../../../src/catalog/index.ts';
import {
  DEFINITION_KINDS,
  type DefinitionKind,
  type Principal,
  serverId,
} from '../../../src/domain/index.ts';
import { createPolicy } from '../../../src/policy/index.ts';
import { verifies } from '../../requirements/policy.ts';
import { prompt, resource, template, tool } from '../catalog/fake-server.ts';
import { snapshotOf } from '../catalog/snapshots.ts';
import { policyConfig } from './config.ts';

const as = (profile: string): Principal => ({ id: 'someone', profile });

const LISTS = {
  tool: [tool('read_file'), tool('write_file'), tool('Write_file')],
  prompt: [prompt('review'), prompt('write_up')],
  resource: [resource('file:///a'), resource('file:///secret/b')],
  template: [template('file:///{path}'), template('file:///secret/{name}')],
};
const SNAPSHOT: Snapshot = snapshotOf({ id: 'fs', lists: LISTS }, { id: 'other', lists: LISTS });

const entryOf = (kind: DefinitionKind, native: string, server = 'fs'): CatalogEntry => {
  const entry = SNAPSHOT.entries(kind).find((item) => item.native === native && item.server === server);
  if (entry === undefined) throw new Error(`no ${kind} ${native}`);
  return entry;
};

const FILTERED = {
  id: 'fs',
  tools: { deny: ['write_*'] },
  prompts: { allow: ['review'] },
  resources: { deny: ['*secret*'] },
};

describe('the one decision', () => {
  const policy = createPolicy(
    policyConfig(
      [FILTERED, { id: 'other' }, { id: 'off', enabled: false }],
      [
        { name: 'narrow', servers: ['fs', 'off'], tools: { allow: ['fs__*'], deny: ['*__read_file'] } },
        { name: 'elsewhere', servers: ['other'] },
        { name: 'empty', servers: [] },
      ],
    ),
  );

  it(verifies('policy:decide:table'), () => {
    const table: readonly (readonly [string, DefinitionKind, string, string, string])[] = [
      ['default', 'tool', 'read_file', 'fs', 'allowed'],
      ['default', 'tool', 'write_file', 'fs', 'server:filter'],
      ['default', 'tool', 'Write_file', 'fs', 'allowed'],
      ['default', 'tool', 'write_file', 'other', 'allowed'],
      ['default', 'prompt', 'review', 'fs', 'allowed'],
      ['default', 'prompt', 'write_up', 'fs', 'server:filter'],
      ['default', 'resource', 'file:///a', 'fs', 'allowed'],
      ['default', 'resource', 'file:///secret/b', 'fs', 'server:filter'],
      ['default', 'template', 'file:///{path}', 'fs', 'allowed'],
      ['default', 'template', 'file:///secret/{name}', 'fs', 'server:filter'],
      ['narrow', 'tool', 'read_file', 'fs', 'profile:tools'],
      ['narrow', 'tool', 'Write_file', 'fs', 'allowed'],
      ['narrow', 'tool', 'write_file', 'fs', 'server:filter'],
      ['narrow', 'tool', 'read_file', 'other', 'profile:server'],
      ['narrow', 'prompt', 'review', 'fs', 'allowed'],
      ['narrow', 'resource', 'file:///a', 'other', 'profile:server'],
      ['elsewhere', 'tool', 'read_file', 'fs', 'profile:server'],
      ['elsewhere', 'tool', 'write_file', 'other', 'allowed'],
      ['empty', 'tool', 'read_file', 'fs', 'profile:server'],
      ['nobody', 'tool', 'read_file', 'fs', 'profile:unknown'],
    ];
    for (const row of table) {
      const [profile, kind, native, server] = row;
      const decision = policy.decide(as(profile), entryOf(kind, native, server));
      expect([profile, kind, native, server, decision.allowed ? 'allowed' : decision.reason]).toEqual(row);
    }
  });

  it(verifies('policy:decide:off-is-off'), () => {
    const off = snapshotOf({ id: 'off', lists: LISTS });
    const snapshotNames = DEFINITION_KINDS.flatMap((kind) => off.entries(kind));
    for (const profile of ['default', 'narrow', 'elsewhere', 'empty', 'nobody', '__proto__', '']) {
      for (const entry of snapshotNames) expect(policy.decide(as(profile), entry).allowed).toBe(false);
      expect(policy.mayUse(as(profile), serverId('off'))).toBe(false);
      expect(policy.mayUse(as(profile), serverId('never heard of'))).toBe(false);
      expect(policy.mayRead(as(profile), serverId('off'), 'file:///a', undefined)).toBe(false);
      for (const kind of DEFINITION_KINDS) expect(policy.visible(as(profile), off, kind)).toEqual([]);
    }
    expect(['default', 'narrow', 'nobody', '__proto__'].map(policy.hasProfile)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it(verifies('policy:decide:list-is-decision'), () => {
    const names = [
      'read_file',
      'write_file',
      'Write_file',
      'review',
      'write_up',
      '*',
      '*_file',
      'fs__*',
      'file:///*',
      '*secret*',
      '?rite*',
    ];
    const filter = fc.record(
      { allow: fc.subarray(names), deny: fc.subarray(names) },
      { requiredKeys: [], noNullPrototype: true },
    );
    fc.assert(
      fc.property(filter, filter, filter, filter, (tools, prompts, resources, profileTools) => {
        const own = createPolicy(
          policyConfig(
            [{ id: 'fs', tools, prompts, resources }, { id: 'other' }],
            [{ name: 'p', servers: ['fs'], tools: profileTools }],
          ),
        );
        for (const profile of ['default', 'p']) {
          for (const kind of DEFINITION_KINDS) {
            const visible = own.visible(as(profile), SNAPSHOT, kind);
            const allowed = SNAPSHOT.entries(kind).filter((entry) => own.decide(as(profile), entry).allowed);
            expect(visible).toEqual(allowed);
            expect(own.visible(as(profile), SNAPSHOT, kind)).toBe(visible);
            expect(visible.every((entry) => own.mayUse(as(profile), entry.server))).toBe(true);
          }
          for (const entry of SNAPSHOT.entries('resource')) {
            expect(own.mayRead(as(profile), entry.server, entry.native, entry)).toBe(
              own.decide(as(profile), entry).allowed,
            );
          }
        }
      }),
    );
  });
});

describe('reading a URI that a template leads to', () => {
  const mayRead = (resources: { allow?: string[]; deny?: string[] }, uri: string, shape?: string): boolean =>
    createPolicy(policyConfig([{ id: 'fs', resources }])).mayRead(
      as('default'),
      serverId('fs'),
      uri,
      shape === undefined ? undefined : entryOf('template', shape),
    );

  it('is permitted by a rule for the URI or for the template, and refused by a rule against either', () => {
    const shape = 'file:///secret/{name}';
    expect(mayRead({}, 'file:///secret/x', shape)).toBe(true);
    expect(mayRead({ allow: [shape] }, 'file:///secret/x', shape)).toBe(true);
    expect(mayRead({ allow: ['file:///secret/x'] }, 'file:///secret/x', shape)).toBe(true);
    expect(mayRead({ allow: ['file:///secret/y'] }, 'file:///secret/x', shape)).toBe(false);
    expect(mayRead({ allow: [] }, 'file:///secret/x', shape)).toBe(false);
    expect(mayRead({ deny: [shape] }, 'file:///secret/x', shape)).toBe(false);
    expect(mayRead({ deny: ['*/x'] }, 'file:///secret/x', shape)).toBe(false);
    expect(mayRead({ allow: [shape], deny: ['*/x'] }, 'file:///secret/x', shape)).toBe(false);
    expect(mayRead({ allow: ['*'], deny: [shape] }, 'file:///secret/x', shape)).toBe(false);
  });

  it('and of one that nothing leads to is judged by the URI alone', () => {
    expect(mayRead({}, 'x:1')).toBe(true);
    expect(mayRead({ allow: ['x:*'] }, 'x:1')).toBe(true);
    expect(mayRead({ allow: ['y:*'] }, 'x:1')).toBe(false);
    expect(mayRead({ deny: ['x:?'] }, 'x:1')).toBe(false);
  });
});

describe('the servers that there are for a principal', () => {
  it('are those of its profile, without one of which every definition is hidden', () => {
    const some = { tool: [tool('t')], prompt: [prompt('p')] };
    const snapshot = snapshotOf(
      { id: 'half', lists: some },
      { id: 'hidden', lists: some },
      { id: 'empty', lists: {} },
      { id: 'silent' },
      { id: 'other', lists: some },
    );
    const policy = createPolicy(
      policyConfig(
        [
          { id: 'half', tools: { deny: ['*'] } },
          { id: 'hidden', tools: { deny: ['*'] }, prompts: { allow: [] } },
          { id: 'empty' },
          { id: 'silent' },
          { id: 'other' },
        ],
        [{ name: 'p', servers: ['half', 'other'], tools: { deny: ['other__*'] } }],
      ),
    );
    const ids = (profile: string): string[] => policy.reachable(as(profile), snapshot).map(({ id }) => id);
    expect(ids('default')).toEqual(['half', 'empty', 'silent', 'other']);
    expect(ids('p')).toEqual(['half', 'other']);
    expect(ids('nobody')).toEqual([]);
    expect(policy.reachable(as('p'), snapshot)).toBe(policy.reachable(as('p'), snapshot));
  });
});
