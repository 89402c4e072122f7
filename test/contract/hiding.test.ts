import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawServer, startGateway, type StartedGateway } from '../helpers/gateway.ts';
import { askModern, connectLegacy, receivedLines } from '../helpers/hosts.ts';
import type { Message } from '../helpers/raw-http.ts';
import { verifies } from '../requirements/downstream.ts';

let started: StartedGateway;
beforeAll(async () => {
  started = await startGateway(
    {
      raw: {
        ...rawServer(),
        tools: { deny: ['slow'] },
        prompts: { deny: ['greet'] },
        resources: { deny: ['raw://raw/one', 'raw://raw/item/{id}', 'raw://raw/item/*'] },
      },
      other: rawServer('--name', 'other'),
    },
    { profiles: { narrow: { servers: ['raw'], tools: { deny: ['*__fails'] } } } },
  );
  await started.gateway.settled();
});
afterAll(() => started[Symbol.asyncDispose]());

type Request = readonly [string, Record<string, unknown>];

const call = (name: string): Request => ['tools/call', { name, arguments: { ms: 0, json: '{}' } }];
const get = (name: string): Request => ['prompts/get', { name, arguments: { who: 'me' } }];
const read = (uri: string): Request => ['resources/read', { uri }];
const completePrompt = (name: string): Request => [
  'completion/complete',
  { ref: { type: 'ref/prompt', name }, argument: { name: 'who', value: 'a' } },
];
const completeUri = (uri: string): Request => [
  'completion/complete',
  { ref: { type: 'ref/resource', uri }, argument: { name: 'id', value: 'a' } },
];
const watch = (uri: string): Request => ['resources/subscribe', { uri }];

/** The answer with what was asked for taken out, so that two can be compared. */
const anonymous = (answer: Message, ...texts: readonly string[]): string =>
  texts.reduce((text, part) => text.replaceAll(part, '…'), JSON.stringify({ ...answer, id: 0 }));

describe('what a host may not see', () => {
  /** Something hidden, and something of the same shape that does not exist. */
  const pairs: [string, string, (name: string) => Request, string][] = [
    ['raw__slow', 'raw__none', call, ''],
    ['raw__greet', 'raw__none', get, ''],
    ['raw__greet', 'raw__none', completePrompt, ''],
    ['raw://raw/one', 'nowhere://one', read, ''],
    ['raw://raw/item/7', 'nowhere://item/7', read, ''],
    ['raw://raw/item/{id}', 'nowhere://item/{id}', completeUri, ''],
    ['other__echo', 'other__none', call, '/narrow'],
    ['raw__fails', 'raw__none', call, '/narrow'],
    ['other__greet', 'raw__none', get, '/narrow'],
  ];

  it(verifies('downstream:hiding:same-answer'), async () => {
    for (const [hidden, absent, request, profile] of pairs) {
      const url = started.url + profile;
      const host = await connectLegacy(url, { version: '2025-06-18' });
      const [ofHidden, ofAbsent] = await Promise.all([
        askModern(url, ...request(hidden)),
        askModern(url, ...request(absent)),
      ]);
      expect([hidden, ofHidden.error?.code]).toEqual([hidden, -32602]);
      expect(anonymous(ofHidden, hidden)).toBe(anonymous(ofAbsent, absent));
      const [legacyHidden, legacyAbsent] = [
        await host.ask(...request(hidden)),
        await host.ask(...request(absent)),
      ];
      expect(anonymous(legacyHidden, hidden)).toBe(anonymous(legacyAbsent, absent));
      await host.end();
    }
    const host = await connectLegacy(started.url);
    const hidden = await host.ask(...watch('raw://raw/one'));
    const absent = await host.ask(...watch('nowhere://one'));
    expect(hidden.error).toMatchObject({ code: -32602 });
    expect(anonymous(hidden, 'raw://raw/one')).toBe(anonymous(absent, 'nowhere://one'));
    await host.end();
    const lines = await receivedLines(started.url);
    expect(lines.filter((line) => /"(?:slow|greet)"|raw:\/\/raw\/(?:one|item)/.test(line))).toEqual([]);
  });

  it(verifies('downstream:hiding:no-other-spelling'), async () => {
    for (const name of [
      'slow',
      'raw__SLOW',
      'RAW__slow',
      'raw.slow',
      'raw__slow ',
      ' raw__slow',
      'raw____slow',
      'raw__slow\u0000',
      'raw__slow/../echo',
      'toString',
      '__proto__',
      'constructor',
    ])
      expect((await askModern(started.url, ...call(name))).error).toEqual({
        code: -32602,
        message: `Unknown tool: ${name}`,
      });
    for (const uri of ['raw://raw/%6Fne', 'RAW://raw/one', 'raw://raw/one#x'])
      expect([uri, (await askModern(started.url, ...read(uri))).error?.code]).toEqual([uri, -32602]);
  });

  it(verifies('downstream:hiding:lists'), async () => {
    const names = async (url: string, method: string, member: string): Promise<string[]> => {
      const list = (await askModern(url, method)).result?.[member] as { name: string; uri?: string }[];
      return list.map(({ name, uri }) => uri ?? name);
    };
    const tools = await names(started.url, 'tools/list', 'tools');
    expect(tools).not.toContain('raw__slow');
    expect(tools).toContain('other__slow');
    expect(await names(started.url, 'prompts/list', 'prompts')).toEqual(['other__greet']);
    expect(await names(started.url, 'resources/list', 'resources')).toEqual(['raw://other/one']);
    const narrow = await names(`${started.url}/narrow`, 'tools/list', 'tools');
    expect(narrow.filter((name) => !name.startsWith('raw__') || name === 'raw__fails')).toEqual([]);
    expect(narrow).toContain('raw__echo');
  });
});
