import { describe, expect, it } from 'vitest';
import { createSnapshotBuilder, type ServerInput } from '../../../src/catalog/build-snapshot.ts';
import type { Snapshot } from '../../../src/catalog/index.ts';
import type { ExposureConfig } from '../../../src/config/index.ts';
import type { Principal } from '../../../src/domain/index.ts';
import { createOfferings, type Offerings, tooSmallBudgets } from '../../../src/exposure/index.ts';
import { createPolicy } from '../../../src/policy/index.ts';
import { verifies } from '../../requirements/exposure.ts';
import { tool } from '../catalog/fake-server.ts';
import { silentLogger } from '../catalog/silent-logger.ts';
import { type Described, inputOf, MAX_NAME } from '../catalog/snapshots.ts';
import { policyConfig } from '../policy/config.ts';
import { manualClock } from '../upstream/manual-clock.ts';

type Count = (texts: readonly string[]) => Promise<readonly number[]>;

/** A tenth of the characters: what matters here is what is done with the figures. */
const tenth: Count = (texts) => Promise.resolve(texts.map((text) => Math.ceil(text.length / 10)));
const someone: Principal = { id: 'someone', profile: 'default' };

const build = (version: number, ...servers: readonly Described[]): Snapshot =>
  createSnapshotBuilder({ nameMaxLength: MAX_NAME }).build(
    version,
    servers.map((server): ServerInput => inputOf(server)),
  );
const tools = (count: number, from = 0): object[] =>
  Array.from({ length: count }, (_item, at) => tool(`t${from + at}`));

interface Rig {
  readonly offerings: Offerings;
  readonly heard: boolean[];
  publish(snapshot: Snapshot): void;
  readonly clock: ReturnType<typeof manualClock>;
}

function rigOf(first: Snapshot, count: Count, more: Partial<ExposureConfig> = {}): Rig {
  let current = first;
  const listeners: ((next: Snapshot) => void)[] = [];
  const exposure: ExposureConfig = {
    mode: 'auto',
    budgetTokens: 200,
    pin: [],
    searchAnswerTokens: 1_200,
    metaTools: { search: 'search_tools', call: 'call_tool' },
    ...more,
  };
  const servers = first.servers.map(({ id }) => ({ id }));
  const clock = manualClock();
  const offerings = createOfferings({
    catalog: { current: () => current, onChange: (listener) => void listeners.push(listener) },
    policy: createPolicy(policyConfig(servers)),
    config: { exposure, profiles: [{ name: 'default', servers: [], tools: {}, exposure }] },
    counter: { costsOf: count },
    serverName: ({ server }) => server,
    prepare: () => Promise.resolve(),
    clock,
    logger: silentLogger,
  });
  const heard: boolean[] = [];
  offerings.onChange((isChanged) => void heard.push(isChanged(someone)));
  const publish = (snapshot: Snapshot): void => {
    current = snapshot;
    for (const listener of listeners) listener(snapshot);
  };
  return { offerings, heard, publish, clock };
}

const namesIn = ({ offerings }: Rig): string[] =>
  offerings.view(someone).listed.map(({ modern }) => (JSON.parse(modern.json) as { name: string }).name);

describe('what is offered', () => {
  it(verifies('exposure:counting:published-together'), async () => {
    let finish: (() => void) | undefined;
    let isSlow = false;
    const slow: Count = async (texts) => {
      if (isSlow) await new Promise<void>((resolve) => (finish = resolve));
      return tenth(texts);
    };
    const rig = rigOf(build(1, { id: 's', lists: { tool: tools(2) } }), slow);
    await rig.offerings.settled(someone, 5_000);
    expect(namesIn(rig)).toEqual(['s__t0', 's__t1']);
    expect(rig.heard).toEqual([true]);
    // The list before stays, and nobody waits, until what is new is counted.
    isSlow = true;
    rig.publish(build(2, { id: 's', lists: { tool: tools(3) } }));
    await rig.offerings.settled(someone, 5_000);
    expect(namesIn(rig)).toEqual(['s__t0', 's__t1']);
    isSlow = false;
    finish?.();
    await expect.poll(() => namesIn(rig)).toEqual(['s__t0', 's__t1', 's__t2']);
    expect(rig.heard).toEqual([true, true]);
    // A snapshot in which no tool differs changes no list.
    rig.publish(build(3, { id: 's', lists: { tool: tools(3) } }));
    await expect.poll(() => rig.heard).toEqual([true, true, false]);
  });

  it(verifies('exposure:counting:waits-bounded'), async () => {
    const rig = rigOf(build(1, { id: 's', lists: { tool: tools(2) } }), () => new Promise(() => undefined));
    let isSettled = false;
    const settled = rig.offerings.settled(someone, 5_000).then(() => (isSettled = true));
    rig.clock.advance(4_999);
    await Promise.resolve();
    expect(isSettled).toBe(false);
    rig.clock.advance(1);
    await settled;
    expect(namesIn(rig)).toEqual(['search_tools', 'call_tool']);
    expect(rig.offerings.view(someone)).toMatchObject({
      choice: { shownAs: 'search', reason: 'the tokens of the definitions are not counted yet' },
      tokens: undefined,
    });
  });

  it(verifies('exposure:counting:faults'), async () => {
    const one = build(
      1,
      { id: 'good', lists: { tool: tools(2) } },
      { id: 'bad', lists: { tool: tools(1, 7) } },
    );
    const partly: Count = (texts) =>
      texts.some((text) => text.includes('bad__')) ? Promise.reject(new Error('no memory')) : tenth(texts);
    const rig = rigOf(one, partly, { pin: ['good__t1', 'bad__t7'] });
    await rig.offerings.settled(someone, 5_000);
    expect(namesIn(rig)).toEqual(['search_tools', 'call_tool', 'good__t1']);
    expect(rig.offerings.view(someone).choice.reason).toContain('some definitions could not be counted');
    const broken = rigOf(one, () => Promise.reject(new Error('no thread')));
    await broken.offerings.settled(someone, 5_000);
    expect(namesIn(broken)).toEqual(['search_tools', 'call_tool']);
    expect(broken.offerings.view(someone).choice.reason).toBe('tokens could not be counted');
  });

  it(verifies('exposure:meta-tools:names-taken'), async () => {
    const own = { id: 'bare', namespace: '', lists: { tool: [tool('search_tools'), tool('other')] } };
    const rig = rigOf(build(1, own), tenth, { mode: 'search', pin: ['search_tools', 'other'] });
    await rig.offerings.settled(someone, 5_000);
    expect(namesIn(rig)).toEqual(['search_tools', 'call_tool', 'other']);
    expect(rig.offerings.view(someone).shadowed).toEqual(['search_tools']);
    const renamed = rigOf(build(1, own), tenth, {
      mode: 'search',
      metaTools: { search: 'find', call: 'run' },
    });
    await renamed.offerings.settled(someone, 5_000);
    expect(namesIn(renamed)).toEqual(['find', 'run']);
    expect(renamed.offerings.view(someone).shadowed).toEqual([]);
  });

  it(verifies('exposure:budget:smallest'), async () => {
    const problems = (budgetTokens: number, mode: ExposureConfig['mode'] = 'auto') => {
      const metaTools = { search: 'search_tools', call: 'call_tool' };
      const exposure = { mode, budgetTokens, pin: [], searchAnswerTokens: 1_200, metaTools };
      const profiles = [{ name: 'p', servers: [], tools: {}, exposure }];
      return tooSmallBudgets({ profiles }, () => ({ costsOf: tenth }));
    };
    const [problem] = await problems(0);
    const smallest = problem?.smallestTokens ?? NaN;
    expect(smallest).toBeGreaterThan(0);
    expect(await problems(smallest - 1)).toEqual([
      { profile: 'p', budgetTokens: smallest - 1, smallestTokens: smallest },
    ]);
    expect(await problems(smallest)).toEqual([]);
    expect(await problems(0, 'direct')).toEqual([]);
    // Nothing is listed that costs more, whatever was checked.
    const rig = rigOf(build(1, { id: 's', lists: { tool: tools(20) } }), tenth, {
      budgetTokens: smallest - 1,
    });
    await rig.offerings.settled(someone, 5_000);
    expect(namesIn(rig)).toEqual([]);
  });
});
