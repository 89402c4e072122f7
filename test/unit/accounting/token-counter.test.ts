import { monitorEventLoopDelay } from 'node:perf_hooks';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  countedText,
  createCostStore,
  createTokenCounter,
  type TokenCounter,
  type TokenCounterDeps,
} from '../../../src/accounting/index.ts';
import { systemClock } from '../../../src/domain/index.ts';
import { createThread, type Database, openDatabase, type Thread } from '../../../src/state/index.ts';
import { verifies } from '../../requirements/accounting.ts';
import { temporaryFolder } from '../state/temporary-folder.ts';
import { manualClock } from '../upstream/manual-clock.ts';
import { recordingLogger } from './recording-logger.ts';

/** Counts characters, and notes what it was asked: for what is not about tokens. */
function characterThread(): Thread & { readonly asked: string[][] } {
  const asked: string[][] = [];
  return {
    asked,
    request: async (body) => {
      const { texts } = body as { readonly texts: readonly string[] };
      asked.push([...texts]);
      await Promise.resolve();
      return texts.map((text) => text.length);
    },
    stop: async () => undefined,
  };
}

function counter(deps: Partial<TokenCounterDeps> = {}): TokenCounter {
  const made = createTokenCounter({
    tokenizer: 'o200k_base',
    logger: recordingLogger(),
    clock: systemClock,
    ...deps,
  });
  onTestFinished(() => made.close());
  return made;
}

function database(folder: string): Database {
  const made = openDatabase({ folder, clock: systemClock, onSetAside: () => undefined });
  onTestFinished(() => made.close());
  return made;
}

/** A schema of about so many megabytes, in words of two languages. */
function hugeDefinition(megabytes: number): string {
  const property = {
    type: 'string',
    description: 'The path of a file to read, 要读取的文件的路径, relative to the root.',
  };
  const count = Math.round((megabytes * 1_000_000) / 130);
  const properties = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`path_${index}`, property]),
  );
  return JSON.stringify({ name: 'big__tool', inputSchema: { type: 'object', properties } });
}

describe('the token counter', () => {
  it('counts definitions and plain texts in its thread, by the tokenizer that it names', async () => {
    const { costsOf, count, tokenizer } = counter();
    const definition = '{"inputSchema": {"type": "object"}, "name": "a__b", "title": "left out"}';
    expect(tokenizer).toBe('o200k_base');
    expect(await costsOf([definition], 'definition')).toEqual([countTokens(countedText(definition))]);
    expect(await costsOf([definition, '读取文件', ''])).toEqual(
      [definition, '读取文件', ''].map((text) => countTokens(text)),
    );
    expect(await count(['hello', Buffer.from('读取文件')])).toEqual(
      ['hello', '读取文件'].map((text) => countTokens(text)),
    );
  });

  it(verifies('accounting:tokens:off-the-path'), async () => {
    const { costsOf } = counter();
    await costsOf(['ready']);
    const definition = hugeDefinition(8);
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const [cost] = await costsOf([definition], 'definition');
    delay.disable();
    expect(cost).toBeGreaterThan(1_000_000);
    // A few milliseconds on a machine of one's own; counting itself takes a second or more.
    expect(delay.max / 1e6).toBeLessThan(250);
  });

  it(verifies('accounting:tokens:once'), async () => {
    const folder = await temporaryFolder();
    const store = createCostStore({ database: database(folder), epochNow: () => 0 });
    const [first, again] = [characterThread(), characterThread()];
    const before = counter({ store, thread: first });
    const both = await Promise.all([before.costsOf(['aa', 'b', 'aa']), before.costsOf(['b', 'cccc'])]);
    expect(both).toEqual([
      [2, 1, 2],
      [1, 4],
    ]);
    expect(first.asked.flat().toSorted()).toEqual(['aa', 'b', 'cccc']);
    expect(before.cached('aa')).toBe(2);
    expect(before.cached('aa', 'definition')).toBeUndefined();
    await before.close();

    const after = counter({ store, thread: again });
    expect(after.cached('aa')).toBeUndefined();
    expect(await after.costsOf(['aa', 'b', 'new'])).toEqual([2, 1, 3]);
    expect(again.asked).toEqual([['new']]);
    const other = counter({ store, thread: again, tokenizer: 'cl100k_base' });
    await other.costsOf(['aa']);
    expect(again.asked).toEqual([['new'], ['aa']]);
  });

  it(verifies('accounting:tokens:no-estimate'), async () => {
    const thread = createThread({
      module: new URL('../../fixtures/threads/broken.mjs', import.meta.url),
      idleMs: 1_000,
      clock: manualClock(),
    });
    const { costsOf, cached, count } = counter({ thread });
    const message = 'tokens cannot be counted with o200k_base: this thread never starts';
    await expect(costsOf(['a text'])).rejects.toThrow(message);
    await expect(count(['a text'])).rejects.toThrow(message);
    expect(cached('a text')).toBeUndefined();
  });

  it('counts a text again after a count of it failed', async () => {
    const working = characterThread();
    let failures = 1;
    const thread: Thread = {
      ...working,
      request: async (body) => {
        if (failures-- > 0) throw new Error('once');
        return working.request(body);
      },
    };
    const { costsOf } = counter({ thread });
    await expect(costsOf(['abc'])).rejects.toThrow('once');
    expect(await costsOf(['abc'])).toEqual([3]);
  });

  it('goes on without the state file, with a warning', async () => {
    const folder = await temporaryFolder();
    const closed = database(folder);
    await closed.close();
    const logger = recordingLogger();
    const store = createCostStore({ database: closed, epochNow: () => 0 });
    const { costsOf, close } = counter({ store, logger, thread: characterThread() });
    expect(await costsOf(['abc'])).toEqual([3]);
    await close();
    expect(logger.warnings.map(({ message }) => message)).toContain(
      'token costs cannot be kept, and will be counted again',
    );
  });

  it('counts small texts before a giant one that waits', async () => {
    const thread = characterThread();
    const { costsOf } = counter({ thread });
    const giant = 'g'.repeat(300_000);
    await Promise.all([costsOf(['first']), costsOf([giant]), costsOf(['small'])]);
    expect(thread.asked.map(([text]) => text)).toEqual(['first', 'small', giant]);
  });

  it('refuses to count once it is closed', async () => {
    const { costsOf, close } = counter({ thread: characterThread() });
    await close();
    await expect(costsOf(['x'])).rejects.toThrow('closed');
  });
});

describe('the stored costs', () => {
  const DAY_MS = 86_400_000;

  it('are bounded in number, and those not needed for longest give way', async () => {
    const file = database(await temporaryFolder());
    let day = 0;
    const store = createCostStore({ database: file, epochNow: () => day * DAY_MS, maxCosts: 3 });
    const digest = (index: number): string => String(index).padStart(64, '0');
    const all = [1, 2, 3, 4].map(digest);
    for (const index of [1, 2, 3]) {
      day = index;
      await store.save('t', new Map([[digest(index), index]]));
    }
    day = 9;
    await store.touch('t', [digest(1)]);
    await store.save('t', new Map([[digest(4), 4]]));
    expect(await store.load('t', all)).toEqual(
      new Map([
        [digest(1), 1],
        [digest(3), 3],
        [digest(4), 4],
      ]),
    );
    day = 300;
    await store.save('t', new Map());
    expect((await store.load('t', all)).size).toBe(0);
  });
});
