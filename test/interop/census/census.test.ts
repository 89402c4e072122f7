import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFields, type Answer, type Ask, type Fields } from '../ask.ts';
import { comparable, entriesIn, lists, throughGateway, type ListMethod } from '../compare.ts';
import { curlModern } from '../peers/curl.ts';
import { connectRaw } from '../peers/raw-stdio.ts';
import { entryFor, startGateway, type Served } from '../processes.ts';
import { brokenEntries, census, inFolder, sampleFiles, type CensusServer } from './servers.ts';

const listMethods = Object.keys(lists) as ListMethod[];
const NAME_CHARS = 48;

/** A slow machine starts thirty programs at once; patience here is no promise of the gateway's. */
const timeouts = { connectMs: 120_000, listMs: 60_000 };
const SETTLED_MS = 180_000;

/** What a server says of itself when nobody stands before it. */
interface Direct {
  readonly era: 'modern' | 'legacy';
  readonly lists: ReadonlyMap<ListMethod, readonly Fields[]>;
  readonly answers: readonly Answer[];
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-census-'));
  const files = Object.entries(sampleFiles);
  await Promise.all(files.map(([name, content]) => writeFile(join(folder, name), content)));
  return folder;
}

/** Two runs work in two folders; answers may name theirs. */
function withoutFolder<T>(value: T, folder: string): T {
  return JSON.parse(JSON.stringify(value).replaceAll(folder, 'FOLDER')) as T;
}

async function askDirectly(server: CensusServer): Promise<Direct> {
  const folder = await newFolder();
  const connection = await connectRaw(server.start(folder), 'auto');
  try {
    const seen = new Map<ListMethod, readonly Fields[]>();
    for (const method of listMethods) {
      const answer = await connection.ask({ method });
      // A server need not have every kind of list, and one that fails counts as empty.
      seen.set(method, 'result' in answer ? withoutFolder(entriesIn(method, answer), folder) : []);
    }
    const answers: Answer[] = [];
    for (const ask of server.asks)
      answers.push(withoutFolder(await connection.ask(inFolder(ask, folder)), folder));
    return { era: connection.era, lists: seen, answers };
  } finally {
    await connection.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Names that fit stay whole behind the prefix; the others are cut or cleaned, and carry a hash. */
function isNameOf(exposed: string, key: string, native: string): boolean {
  const whole = `${key}__${native}`;
  if (whole.length <= NAME_CHARS && /^[A-Za-z0-9_-]+$/.test(native)) return exposed === whole;
  return exposed.length <= NAME_CHARS && exposed.startsWith(`${key}__`) && /_[0-9a-f]{8}$/.test(exposed);
}

const direct = new Map<string, Direct>();
const shown = new Map<ListMethod, Answer>();
let folder = '';
let gateway: Served | undefined;

async function throughCurl(asks: readonly Ask[]): Promise<readonly Answer[]> {
  if (gateway === undefined) throw new Error('The gateway did not start');
  const { answers } = await curlModern.run(gateway.target, asks);
  return answers;
}

/** What the gateway says of servers that its lists lack, wholly or in part: whether anything of them is listed. */
function troubledIn(answer: Answer | undefined): Map<string, boolean> {
  const meta = answer !== undefined && 'result' in answer ? answer.result['_meta'] : undefined;
  const missing = isFields(meta) ? meta['dev.tollgate/unavailable'] : undefined;
  const entries: unknown[] = Array.isArray(missing) ? missing : [];
  return new Map(
    entries.filter(isFields).map((entry) => [String(entry['server']), entry['isListed'] === true]),
  );
}

const countOf = (method: ListMethod) =>
  [...direct.values()].reduce((sum, server) => sum + (server.lists.get(method)?.length ?? 0), 0);

/** Asks for the lists until every server has brought its own, or until it is clear that one will not. */
async function waitForLists(): Promise<void> {
  const deadline = Date.now() + SETTLED_MS;
  for (;;) {
    const answers = await throughCurl(listMethods.map((method) => ({ method })));
    for (const [at, method] of listMethods.entries()) shown.set(method, answers[at] ?? { result: {} });
    const isWhole = listMethods.every((method, at) => {
      const answer = answers[at];
      return answer !== undefined && entriesIn(method, answer).length >= countOf(method);
    });
    if (
      (isWhole && troubledIn(shown.get('tools/list')).size >= brokenEntries(folder).size) ||
      Date.now() > deadline
    )
      return;
    await new Promise((resolve) => {
      setTimeout(resolve, 1_000);
    });
  }
}

beforeAll(async () => {
  // Two at a time, as many as there are cores.
  const waiting = census.values();
  const worker = async () => {
    for (const server of waiting) direct.set(server.key, await askDirectly(server));
  };
  await Promise.all([worker(), worker()]);
  folder = await newFolder();
  const broken = [...brokenEntries(folder)].map(([key, target]) => [
    key,
    { ...entryFor(target), timeouts: { connectMs: 5_000 } },
  ]);
  const sound = census.map((server) => [server.key, { ...entryFor(server.start(folder)), timeouts }]);
  // The broken ones stand first, so that whoever waits for them would wait before all others.
  gateway = await startGateway(Object.fromEntries([...broken, ...sound]) as Fields);
  await waitForLists();
}, 400_000);

afterAll(async () => {
  const complaint = await gateway?.end();
  await rm(folder, { recursive: true, force: true });
  if (complaint !== undefined) throw new Error(complaint);
});

/** What the gateway shows of one server, in its order. */
function shareOf(server: CensusServer, method: ListMethod): Fields[] {
  const { identity } = lists[method];
  const answer = shown.get(method);
  if (answer === undefined) return [];
  const own = new Set((direct.get(server.key)?.lists.get(method) ?? []).map((entry) => entry[identity]));
  return entriesIn(method, answer).filter((entry) =>
    identity === 'name' ? String(entry[identity]).startsWith(`${server.key}__`) : own.has(entry[identity]),
  );
}

/** The name under which the gateway shows a tool or prompt, found by its place in the list. */
function exposedName(server: CensusServer, method: ListMethod, native: unknown): string {
  const at =
    direct
      .get(server.key)
      ?.lists.get(method)
      ?.findIndex(({ name }) => name === native) ?? -1;
  return String(shareOf(server, method)[at]?.['name']);
}

describe.each(census)('$key ($packageName)', (server) => {
  it('is listed as it lists itself', () => {
    const own = direct.get(server.key);
    const isEmpty = listMethods.every((method) => own?.lists.get(method)?.length === 0);
    expect(isEmpty).toBe(false);
    for (const method of listMethods) {
      const { identity } = lists[method];
      const expected = own?.lists.get(method) ?? [];
      const actual = withoutFolder(shareOf(server, method), folder);
      const renamed = expected.map((entry, at) =>
        identity === 'name' ? { ...entry, name: actual[at]?.['name'] } : entry,
      );
      expect({ method, entries: actual }).toEqual({ method, entries: renamed });
      const misnamed = expected.filter(
        (entry, at) =>
          identity === 'name' && !isNameOf(String(actual[at]?.['name']), server.key, String(entry['name'])),
      );
      expect(misnamed).toEqual([]);
    }
  });

  it('answers as it answers directly', async () => {
    const asks = server.asks.map((ask) => {
      const name = ask.params?.['name'];
      const located = inFolder(ask, folder);
      if (ask.method !== 'tools/call' && ask.method !== 'prompts/get')
        return throughGateway(located, server.key);
      const method = ask.method === 'tools/call' ? 'tools/list' : 'prompts/list';
      return { ...located, params: { ...located.params, name: exposedName(server, method, name) } };
    });
    const answers = await throughCurl(asks);
    const dropHop = direct.get(server.key)?.era === 'legacy';
    for (const [at, ask] of asks.entries()) {
      const [mine, theirs] = [direct.get(server.key)?.answers[at], answers[at]];
      if (mine === undefined || theirs === undefined) throw new Error(`No answer to ${JSON.stringify(ask)}`);
      const [expected, actual] = [
        comparable(mine, { dropHop }),
        comparable(withoutFolder(theirs, folder), { dropHop }),
      ];
      expect({ ask, answer: actual }).toEqual({ ask, answer: expected });
    }
  });
});

it('shows every tool of every server once, in the order of the configuration, and nothing else', () => {
  const answer = shown.get('tools/list');
  const names = answer === undefined ? [] : entriesIn('tools/list', answer).map(({ name }) => String(name));
  expect(names).toHaveLength(countOf('tools/list'));
  expect(new Set(names).size).toBe(names.length);
  const keys = names.map((name) => name.slice(0, name.indexOf('__')));
  const inOrder = census.flatMap(({ key }) =>
    (direct.get(key)?.lists.get('tools/list') ?? []).map(() => key),
  );
  expect(keys).toEqual(inOrder);
});

it('names each entry that cannot start, and whose list is not whole', () => {
  const broken = [...brokenEntries(folder).keys()].map((key): [string, boolean] => [key, false]);
  // Its tools are there; its database is not, and so neither are its resources.
  const expected = new Map([...broken, ['postgres', true] as const]);
  expect(troubledIn(shown.get('tools/list'))).toEqual(expected);
});
