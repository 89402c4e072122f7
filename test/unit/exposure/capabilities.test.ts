import { describe, expect, it } from 'vitest';
import type { ServerInput } from '../../../src/catalog/build-snapshot.ts';
import { createSnapshotBuilder } from '../../../src/catalog/build-snapshot.ts';
import type { Era } from '../../../src/domain/index.ts';
import { mergedCapabilities } from '../../../src/exposure/index.ts';
import { createPolicy } from '../../../src/policy/index.ts';
import { verifies } from '../../requirements/exposure.ts';
import { prompt } from '../catalog/fake-server.ts';
import { type Described, inputOf, MAX_NAME } from '../catalog/snapshots.ts';
import { policyConfig, type ServerRule } from '../policy/config.ts';

const changed = { listChanged: true };

interface Offered extends Described {
  readonly trouble?: string;
  readonly rule?: Omit<ServerRule, 'id'>;
}

function offered(era: Era, ...servers: readonly Offered[]): object {
  const inputs = servers.map((server): ServerInput => {
    const input = inputOf(server);
    return { ...input, view: { ...input.view, trouble: server.trouble } };
  });
  const snapshot = createSnapshotBuilder({ nameMaxLength: MAX_NAME }).build(1, inputs);
  const policy = createPolicy(policyConfig(servers.map(({ id, rule }) => ({ id, ...rule }))));
  return mergedCapabilities(policy, { id: 'someone', profile: 'default' }, snapshot, era);
}

describe('the capabilities that hosts are offered', () => {
  it(verifies('exposure:capabilities:union'), () => {
    const tools: Offered = { id: 'tools', lists: {}, capabilities: { tools: { listChanged: false } } };
    const prompts: Offered = { id: 'prompts', lists: {}, capabilities: { prompts: {}, completions: {} } };
    const resources: Offered = {
      id: 'resources',
      lists: {},
      capabilities: { resources: { subscribe: true }, logging: {} },
    };
    expect(offered('modern')).toEqual({ tools: changed });
    expect(offered('modern', tools)).toEqual({ tools: changed });
    expect(offered('legacy', tools, prompts)).toEqual({ tools: changed, prompts: changed, completions: {} });
    expect(offered('modern', resources)).toEqual({
      tools: changed,
      resources: { listChanged: true, subscribe: true },
      logging: {},
    });
    expect(offered('legacy', prompts, resources)).toEqual({
      tools: changed,
      prompts: changed,
      resources: { listChanged: true, subscribe: true },
      completions: {},
      logging: {},
    });
    // While a server is silent, what it will turn out to have must not be missing for good.
    const everything = {
      tools: changed,
      prompts: changed,
      resources: { listChanged: true, subscribe: true },
      completions: {},
    };
    expect(offered('legacy', tools, { id: 'silent', capabilities: {} })).toEqual({
      ...everything,
      logging: {},
    });
    expect(offered('modern', tools, { id: 'silent', capabilities: {} })).toEqual(everything);
    expect(offered('modern', tools, { id: 'dead', capabilities: {}, trouble: 'refused' })).toEqual({
      tools: changed,
    });
  });

  it('are not those of servers that the caller may not use, or of which nothing is visible to it', () => {
    const lists = { prompt: [prompt('p')] };
    const capabilities = { prompts: {}, completions: {} };
    expect(
      offered('modern', { id: 'hidden', lists, capabilities, rule: { prompts: { deny: ['*'] } } }),
    ).toEqual({ tools: changed });
    expect(offered('modern', { id: 'off', lists, capabilities, rule: { enabled: false } })).toEqual({
      tools: changed,
    });
    expect(offered('modern', { id: 'on', lists, capabilities })).toEqual({
      tools: changed,
      prompts: changed,
      completions: {},
    });
  });

  it('have nothing of what a server spells as null or as no object', () => {
    const odd = {
      id: 'odd',
      lists: {},
      capabilities: { prompts: null, resources: [], completions: true, logging: 'yes' },
    };
    expect(offered('legacy', odd)).toEqual({ tools: changed });
    expect(offered('legacy', { ...odd, capabilities: { resources: { subscribe: 'yes' } } })).toEqual({
      tools: changed,
      resources: changed,
    });
  });
});
