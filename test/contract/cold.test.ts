import { describe, expect, it } from 'vitest';
import { rawServer, startGateway } from '../helpers/gateway.ts';
import { askModern, connectLegacy, textOf } from '../helpers/hosts.ts';
import type { Message } from '../helpers/raw-http.ts';
import { verifies } from '../requirements/downstream.ts';

/** Servers of which one answers late, as after a start that has to load much. */
const servers = { raw: rawServer('--delay', '300'), other: rawServer('--name', 'other') };

const FIRST: [string, string, Record<string, unknown>, (answer: Message) => string, string][] = [
  ['a call', 'tools/call', { name: 'raw__slow', arguments: { ms: 0, payload: 'hi' } }, textOf, 'hi'],
  [
    'a read',
    'resources/read',
    { uri: 'raw://raw/one' },
    ({ result }) => JSON.stringify(result?.['contents']),
    '[{"uri":"raw://raw/one","text":"content of raw://raw/one"}]',
  ],
  [
    'a read of a template',
    'resources/read',
    { uri: 'raw://raw/item/7' },
    ({ result }) => JSON.stringify(result?.['contents']),
    '[{"uri":"raw://raw/item/7","text":"content of raw://raw/item/7"}]',
  ],
  [
    'a prompt',
    'prompts/get',
    { name: 'raw__greet', arguments: { who: 'Ada' } },
    ({ result }) => JSON.stringify(result?.['messages']),
    '[{"role":"user","content":{"type":"text","text":"Greet Ada"}}]',
  ],
  [
    'a completion of a prompt',
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'raw__greet' }, argument: { name: 'who', value: 'A' } },
    ({ result }) => JSON.stringify(result?.['completion']),
    '{"values":["Aa","Ab"],"hasMore":false}',
  ],
  [
    'a completion of a template',
    'completion/complete',
    { ref: { type: 'ref/resource', uri: 'raw://raw/item/{id}' }, argument: { name: 'id', value: 'A' } },
    ({ result }) => JSON.stringify(result?.['completion']),
    '{"values":["Aa","Ab"],"hasMore":false}',
  ],
];

describe('the first request to a process', () => {
  it.each(FIRST)(
    `${verifies('downstream:cold:first-request')}: %s`,
    async (_what, method, params, read, expected) => {
      await using started = await startGateway(servers);
      expect(read(await askModern(started.url, method, params))).toBe(expected);
    },
  );

  it(verifies('downstream:cold:unknown-name'), async () => {
    await using started = await startGateway(servers);
    const answer = await askModern(started.url, 'tools/call', { name: 'raw__none', arguments: {} });
    expect(answer.error).toEqual({ code: -32602, message: 'Unknown tool: raw__none' });
  });

  it(verifies('downstream:cold:first-list'), async () => {
    await using started = await startGateway(servers);
    const [modern, legacy] = await Promise.all([
      askModern(started.url, 'tools/list'),
      connectLegacy(started.url).then((host) => host.ask('tools/list')),
    ]);
    const names = (answer: Message): string[] =>
      ((answer.result?.['tools'] ?? []) as { name: string }[]).map(({ name }) => name);
    expect(names(modern)).toContain('raw__echo');
    expect(names(modern)).toContain('other__echo');
    expect(names(legacy)).toEqual(names(modern));
  });

  it(verifies('downstream:cold:called-twice-at-once'), async () => {
    await using started = await startGateway(servers);
    const calls = await Promise.all(
      Array.from({ length: 10 }, (_none, index) =>
        askModern(started.url, 'tools/call', {
          name: 'raw__slow',
          arguments: { ms: 0, payload: `n${index}` },
        }),
      ),
    );
    expect(calls.map(textOf)).toEqual(Array.from({ length: 10 }, (_none, index) => `n${index}`));
    const lines = JSON.parse(
      textOf(await askModern(started.url, 'tools/call', { name: 'raw__received', arguments: {} })),
    ) as string[];
    // One process, one handshake, and each call once.
    expect(lines.filter((line) => line.includes('"initialize"'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('"payload"'))).toHaveLength(10);
  });
});
