import { describe, expect, it } from 'vitest';
import type { ServerDefinitions } from '../../../src/domain/index.ts';
import { verifies } from '../../requirements/upstream.ts';
import { bench, type Overrides, stdio } from './harness.ts';

async function listOf(which: string, overrides: Overrides = {}): Promise<ServerDefinitions> {
  await using server = bench(stdio('lists', which), overrides);
  await server.upstream.connect();
  return await server.upstream.list(['tool']);
}

const texts = ({ entries }: ServerDefinitions): string[] => entries.map(({ json }) => json.toString());
const names = (list: ServerDefinitions): unknown[] =>
  texts(list).map((text) => (JSON.parse(text) as { name?: unknown } | null)?.name);
const reasons = ({ diagnostics }: ServerDefinitions): string[] => diagnostics.map(({ reason }) => reason);

describe.concurrent('a list', () => {
  it(verifies('upstream:lists:bounded'), async () => {
    const [same, cycle, pages, entries] = await Promise.all(
      ['same cursor', 'cycle', 'endless pages', 'endless entries'].map((which) => listOf(which)),
    );
    if (same === undefined || cycle === undefined || pages === undefined || entries === undefined)
      throw new Error();
    expect(names(same)).toEqual(['a', 'b']);
    expect(reasons(same)).toEqual(['tools/list repeats the cursor "x"']);
    expect(names(cycle)).toEqual(['first', 'a', 'b']);
    expect(reasons(cycle)).toEqual(['tools/list repeats the cursor "a"']);
    expect(pages.entries).toHaveLength(1_000);
    expect(reasons(pages)).toEqual(['tools/list has more than 1000 pages']);
    expect(entries.entries).toHaveLength(10_000);
    expect(reasons(entries)).toEqual(['tools/list has more than 10000 entries']);
    expect([same, cycle, pages, entries].map(({ complete }) => complete)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it(verifies('upstream:lists:cursors'), async () => {
    const empty = await listOf('empty page');
    expect(names(empty)).toEqual(['after']);
    expect(empty).toMatchObject({ complete: true, diagnostics: [] });
    const failing = await listOf('failing page');
    expect(names(failing)).toEqual(['a', 'b']);
    expect(failing.complete).toBe(false);
    expect(reasons(failing)).toEqual(['tools/list was refused: this page is broken (-32603)']);
    const odd = await listOf('cursor of another type');
    expect(names(odd)).toEqual(['a']);
    expect(odd).toMatchObject({ complete: false, diagnostics: [{ kind: 'tool' }] });
  });

  it(verifies('upstream:lists:nulls'), async () => {
    expect(await listOf('null list')).toMatchObject({ entries: [], complete: true, diagnostics: [] });
    expect(await listOf('no list')).toMatchObject({ entries: [], complete: true, diagnostics: [] });
    const nulls = await listOf('nulls');
    expect(nulls.complete).toBe(true);
    expect(texts(nulls)).toEqual([
      '{"name":"a","title":null,"description":null,"inputSchema":{"type":"object"},"annotations":{"title":null}}',
    ]);
  });

  it(verifies('upstream:lists:raw'), async () => {
    const list = await listOf('unlike definitions');
    expect(texts(list)).toEqual([
      '{"name":"good","inputSchema":{"type":"object"}}',
      '{"name":7}',
      'null',
      '"text"',
      '{"name":"no schema"}',
      '{"name":"good","inputSchema":{"type":"object"}}',
      '{"name":"nulls","title":null,"annotations":null}',
    ]);
    expect(await listOf('list of another type')).toMatchObject({
      entries: [],
      complete: false,
      diagnostics: [{ reason: 'tools/list brought a "tools" that is no list' }],
    });
  });

  it(verifies('upstream:lists:capabilities'), async () => {
    const all = async (which: string): Promise<ServerDefinitions> => {
      await using server = bench(stdio('lists', which));
      return await server.upstream.list();
    };
    const promptsOnly = await all('prompts only');
    expect(promptsOnly.entries.map(({ kind }) => kind)).toEqual(['prompt']);
    expect(promptsOnly).toMatchObject({ complete: true, diagnostics: [] });
    const noTemplates = await all('resources advertised');
    expect(noTemplates.entries.map(({ kind }) => kind)).toEqual(['tool', 'resource']);
    expect(noTemplates).toMatchObject({
      complete: true,
      diagnostics: [
        {
          kind: 'template',
          reason: 'resources/templates/list is advertised, but the server does not know it',
        },
      ],
    });
    const failing = await all('prompts fail');
    expect(failing.entries.map(({ kind }) => kind)).toEqual(['tool']);
    expect(failing).toMatchObject({
      complete: false,
      diagnostics: [{ kind: 'prompt', reason: 'prompts/list was refused: the prompts are broken (-32603)' }],
    });
  });

  it('that takes too long is incomplete', async () => {
    const slow = await listOf('slow', { timeouts: { listMs: 200 } });
    expect(slow.complete).toBe(false);
    expect(reasons(slow)[0]).toMatch(/^tools\/list: server "faulty" (?:did not finish|gave no sign)/);
  });
});
