import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Catalog, createCatalog, type Snapshot } from '../../../src/catalog/index.ts';
import {
  DEFINITION_KINDS,
  GatewayError,
  type ServerDefinitions,
  serverId,
} from '../../../src/domain/index.ts';
import { verifies } from '../../requirements/catalog.ts';
import { silentLogger } from './silent-logger.ts';
import { manualClock, type ManualClock } from '../upstream/manual-clock.ts';
import {
  type Declared,
  definitionsOf,
  fakeServer,
  type FakeServer,
  prompt,
  resource,
  tool,
} from './fake-server.ts';
import { everyServer, MAX_NAME, only } from './snapshots.ts';

interface Setup {
  readonly catalog: Catalog;
  readonly clock: ManualClock;
}

function setup(servers: readonly FakeServer[], bare?: string): Setup {
  const clock = manualClock();
  const catalog = createCatalog({
    servers: servers.map((upstream) => ({
      id: upstream.id,
      namespace: upstream.id === bare ? '' : upstream.id,
      upstream,
    })),
    nameMaxLength: MAX_NAME,
    clock,
    logger: silentLogger,
  });
  return { catalog, clock };
}

/** Lets everything that is settled run its course. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

const names = (snapshot: Snapshot): string[] => snapshot.entries('tool').map((entry) => entry.exposed);
const down = (what = 'connection refused'): GatewayError => new GatewayError('UPSTREAM_UNREACHABLE', what);

interface Deferred {
  readonly promise: Promise<ServerDefinitions>;
  readonly resolve: (declared: Declared) => void;
  readonly reject: (error: Error) => void;
}

function deferred(): Deferred {
  let resolve: Deferred['resolve'] = () => undefined;
  let reject: Deferred['reject'] = () => undefined;
  const promise = new Promise<ServerDefinitions>((settle, fail) => {
    resolve = (declared) => settle(definitionsOf(declared));
    reject = fail;
  });
  return { promise, resolve, reject };
}

const partial = (
  declared: Declared,
  ...broken: readonly ('tool' | 'prompt' | 'resource')[]
): ServerDefinitions => ({
  ...definitionsOf(declared, false),
  diagnostics: broken.map((kind) => ({ server: serverId('s'), kind, reason: 'page 2 failed' })),
});

describe('the first answers', () => {
  it(verifies('catalog:settled:waits-for-first-answers'), async () => {
    const [quick, hung] = [fakeServer('quick', { tool: [tool('a')] }), fakeServer('hung')];
    const slow = deferred();
    hung.answer = slow.promise;
    const { catalog, clock } = setup([quick, hung]);
    let isSettled = false;
    const first = catalog.settled(5_000).then(() => {
      isSettled = true;
    });
    await turns();
    expect([isSettled, names(catalog.current())]).toEqual([false, ['quick__a']]);
    clock.advance(4_999);
    await turns();
    expect(isSettled).toBe(false);
    clock.advance(1);
    await first;
    // The second request waits for nobody, and starts no second walk.
    await catalog.settled(5_000);
    expect([quick.listed.length, hung.listed.length]).toEqual([1, 1]);
    slow.resolve({ tool: [tool('late')] });
    await turns();
    expect(names(catalog.current())).toEqual(['quick__a', 'hung__late']);
  });

  it('are there as soon as every server has answered or failed', async () => {
    const [good, bad] = [fakeServer('good', { tool: [tool('a')] }), fakeServer('bad')];
    bad.answer = down();
    const { catalog } = setup([good, bad]);
    await catalog.settled(5_000);
    expect(catalog.current().servers).toMatchObject([
      { id: 'good', isListed: true, isComplete: true, trouble: undefined },
      { id: 'bad', isListed: false, isComplete: false, trouble: 'connection refused' },
    ]);
    // A server in trouble is asked again with each request, and no request waits for it again.
    const again = deferred();
    bad.answer = again.promise;
    await catalog.settled(5_000);
    expect([good.listed.length, bad.listed.length]).toEqual([1, 2]);
    again.resolve({ tool: [tool('b')] });
    await turns();
    expect(names(catalog.current())).toEqual(['good__a', 'bad__b']);
  });

  it('wait for a server that is asked later, even while an earlier one is in trouble', async () => {
    const [bad, slow] = [fakeServer('bad'), fakeServer('slow')];
    bad.answer = down();
    const answer = deferred();
    slow.answer = answer.promise;
    const { catalog, clock } = setup([bad, slow]);
    void catalog.settled(5_000);
    await turns();
    clock.advance(1_000);
    let isSettled = false;
    const second = catalog.settled(5_000).then(() => {
      isSettled = true;
    });
    await turns();
    expect(isSettled).toBe(false);
    answer.resolve({});
    await second;
  });

  it(verifies('catalog:snapshot:order-of-arrival'), async () => {
    const declared = new Map<string, Declared>(
      ['d', 'a', 'C', 'b'].map((id) => [
        id,
        {
          tool: [tool('zeta'), tool('Alpha'), tool('alpha'), tool('ünder'), tool('10'), tool('9')],
          prompt: [prompt('p')],
          resource: [resource('file:///same'), resource(`file:///${id}`)],
        },
      ]),
    );
    const snapshotAfter = async (order: readonly string[]): Promise<unknown> => {
      const servers = [...declared.keys()].map((id) => fakeServer(id));
      const answers = new Map(servers.map((server) => [server.id as string, deferred()]));
      for (const server of servers) server.answer = answers.get(server.id)?.promise ?? server.answer;
      const { catalog } = setup(servers, 'C');
      const settled = catalog.settled(5_000);
      for (const id of order) {
        answers.get(id)?.resolve(declared.get(id) ?? {});
        await turns();
      }
      await settled;
      return DEFINITION_KINDS.map((kind) => catalog.current().entries(kind));
    };
    const expected = await snapshotAfter([...declared.keys()]);
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([...declared.keys()], { minLength: 4 }), async (order) => {
        expect(await snapshotAfter(order)).toEqual(expected);
      }),
      { numRuns: 24 },
    );
  });
});

describe('what is known of a server', () => {
  it(verifies('catalog:lists:last-known'), async () => {
    const [flapping, steady] = [
      fakeServer(
        'flapping',
        { tool: [tool('a')] },
        { instructions: 'be kind', capabilities: { tools: {}, prompts: {} } },
      ),
      fakeServer('steady', { tool: [tool('b')] }),
    ];
    const { catalog } = setup([flapping, steady]);
    await catalog.settled(5_000);
    const before = catalog.current();
    flapping.identity = undefined;
    flapping.answer = down();
    catalog.markTrouble(flapping.id, down('the process ended'));
    await catalog.reread(flapping.id);
    const after = catalog.current();
    expect(names(after)).toEqual(names(before));
    expect(after.servers[0]).toEqual({ ...before.servers[0], trouble: 'connection refused' });
    expect(after.entries('tool')[0]).toBe(before.entries('tool')[0]);
  });

  it(verifies('catalog:lists:partial-adds'), async () => {
    const server = fakeServer('s', { tool: [tool('a'), tool('b'), tool('c')], prompt: [prompt('p')] });
    const { catalog } = setup([server]);
    await catalog.settled(5_000);
    server.answer = partial(
      { tool: [tool('new'), tool('b', { title: 'B' }), tool('x')], prompt: [] },
      'tool',
    );
    await catalog.reread(server.id);
    expect(names(catalog.current())).toEqual(['s__new', 's__b', 's__x', 's__a', 's__c']);
    expect(catalog.current().tool('s__b')?.value['title']).toBe('B');
    // The prompts were walked to the end, so what is gone there is gone.
    expect(catalog.current().prompt('s__p')).toBeUndefined();
    expect(catalog.current().servers[0]).toMatchObject({
      isComplete: false,
      trouble: expect.stringContaining('incomplete') as string,
    });
    server.answer = definitionsOf({ tool: [tool('b')] });
    await catalog.reread(server.id);
    expect(names(catalog.current())).toEqual(['s__b']);
    expect(catalog.current().servers[0]).toMatchObject({ isComplete: true, trouble: undefined });
  });

  it('is partial for every list when the answer does not say which one was cut', async () => {
    const server = fakeServer('s', { tool: [tool('a')], prompt: [prompt('p')] });
    const { catalog } = setup([server]);
    await catalog.settled(5_000);
    server.answer = definitionsOf({}, false);
    await catalog.reread(server.id);
    expect([names(catalog.current()), catalog.current().prompt('s__p')?.native]).toEqual([['s__a'], 'p']);
  });

  it('stays incomplete in one list while another is read to its end', async () => {
    const server = fakeServer('s');
    server.answer = partial({ tool: [tool('a')], resource: [resource('t:1')] }, 'resource');
    const { catalog, clock } = setup([server]);
    await catalog.settled(5_000);
    clock.advance(1_000);
    server.answer = definitionsOf({ tool: [tool('a'), tool('b')] });
    await catalog.refresh(server.id, ['tool']);
    expect(names(catalog.current())).toEqual(['s__a', 's__b']);
    expect(catalog.current().servers[0]?.isComplete).toBe(false);
    expect(catalog.current().diagnostics).toHaveLength(1);
  });

  it(verifies('catalog:servers:one-primitive'), async () => {
    const [half, whole] = [fakeServer('s'), fakeServer('whole', { tool: [tool('w')] })];
    half.answer = partial({ tool: [tool('a')], resource: [] }, 'prompt');
    const { catalog } = setup([half, whole]);
    await catalog.settled(5_000);
    expect(names(catalog.current())).toEqual(['s__a', 'whole__w']);
    expect(catalog.current().diagnostics).toEqual([{ server: 's', kind: 'prompt', reason: 'page 2 failed' }]);
    expect(catalog.current().servers[1]).toMatchObject({ isComplete: true, trouble: undefined });
  });

  it(verifies('catalog:lists:partial-read-again'), async () => {
    const server = fakeServer('s');
    server.answer = partial({ tool: [tool('a')] }, 'tool');
    const { catalog, clock } = setup([server]);
    await catalog.settled(5_000);
    await catalog.settled(5_000);
    expect(server.listed).toHaveLength(1);
    const slow = deferred();
    server.answer = slow.promise;
    clock.advance(5_001);
    await catalog.settled(5_000);
    expect(server.listed).toHaveLength(2);
    slow.resolve({ tool: [tool('a'), tool('b')] });
    await turns();
    expect(catalog.current().servers[0]?.isComplete).toBe(true);
  });
});

describe('changes', () => {
  it(verifies('catalog:lists:last-change-seen'), async () => {
    const server = fakeServer('s', { tool: [tool('v0')] });
    const { catalog, clock } = setup([server]);
    await catalog.settled(5_000);
    clock.advance(10_000);
    const walking = deferred();
    server.answer = walking.promise;
    void catalog.refresh(server.id, ['tool']);
    await turns();
    // A burst while the walk is under way; the last change is made after the walk has read its list.
    for (let change = 0; change < 200; change++) void catalog.refresh(server.id, ['tool']);
    walking.resolve({ tool: [tool('v1')] });
    server.answer = definitionsOf({ tool: [tool('v2')] });
    await turns();
    clock.advance(100);
    await turns();
    expect(names(catalog.current())).toEqual(['s__v2']);
    expect(server.listed.length).toBeLessThanOrEqual(3);
    clock.advance(60_000);
    await turns();
    expect(server.listed.length).toBeLessThanOrEqual(3);
  });

  it('of one kind make only that list be read', async () => {
    const server = fakeServer('s', { tool: [tool('a')], prompt: [prompt('p')] });
    const { catalog, clock } = setup([server]);
    await catalog.settled(5_000);
    clock.advance(1_000);
    server.answer = definitionsOf({ tool: [tool('b')], prompt: [] });
    await catalog.refresh(server.id, ['tool']);
    expect(server.listed).toEqual([DEFINITION_KINDS, ['tool']]);
    expect(catalog.current().prompt('s__p')).toBeDefined();
  });

  it(verifies('catalog:lists:no-storm'), async () => {
    const server = fakeServer('s', { tool: [tool('a')] });
    const { catalog, clock } = setup([server]);
    await catalog.settled(5_000);
    const list = server.list.bind(server);
    server.list = (kinds) => {
      void catalog.refresh(server.id, ['tool']);
      return list(kinds);
    };
    // Whoever asks for the lists waits for one walk, however many follow.
    await catalog.reread(server.id);
    for (let second = 0; second < 180; second++) {
      clock.advance(1_000);
      await turns();
    }
    expect(server.listed.length).toBeLessThan(50);
    expect(server.listed.length).toBeGreaterThan(20);
    await catalog.reread(server.id);
  });

  it(verifies('catalog:lists:no-news-no-version'), async () => {
    const server = fakeServer('s', { tool: [tool('a')] });
    const { catalog, clock } = setup([server]);
    const heard: number[] = [];
    catalog.onChange((next) => heard.push(next.version));
    await catalog.settled(5_000);
    const snapshot = catalog.current();
    for (let walk = 0; walk < 5; walk++) {
      clock.advance(10_000);
      server.answer = definitionsOf({ tool: [tool('a')] });
      await catalog.refresh(server.id);
      await catalog.reread(server.id);
      catalog.connected(server.id);
      await turns();
    }
    expect(catalog.current()).toBe(snapshot);
    expect(heard).toEqual([1]);
  });

  it('are told to every listener, with the snapshot before, even when one of them fails', async () => {
    const server = fakeServer('s', { tool: [tool('a')] });
    const { catalog } = setup([server]);
    const heard: (readonly [string[], string[]])[] = [];
    catalog.onChange(() => {
      throw new Error('a fault of the listener');
    });
    catalog.onChange((next, previous) => heard.push([names(next), names(previous)]));
    await catalog.settled(5_000);
    server.answer = definitionsOf({ tool: [tool('b')] });
    await catalog.reread(server.id);
    expect(heard).toEqual([
      [['s__a'], []],
      [['s__b'], ['s__a']],
    ]);
  });

  it('are not looked for when a connection opens for the walk that is under way', async () => {
    const server = fakeServer('s');
    const opening = deferred();
    server.answer = opening.promise;
    const { catalog, clock } = setup([server]);
    void catalog.settled(5_000);
    catalog.connected(server.id);
    opening.resolve({ tool: [tool('a')] });
    await turns();
    expect(server.listed).toHaveLength(1);
    catalog.connected(server.id);
    await turns();
    expect(server.listed).toHaveLength(2);
    // A walk of one list opened the connection: the others are read behind it.
    clock.advance(10_000);
    void catalog.refresh(server.id, ['tool']);
    catalog.connected(server.id);
    await turns();
    expect(server.listed.slice(2)).toEqual([['tool'], ['prompt', 'resource', 'template']]);
  });

  it('of servers that nobody configured are ignored', async () => {
    const { catalog } = setup([fakeServer('s')]);
    const stranger = serverId('stranger');
    await Promise.all([catalog.refresh(stranger), catalog.reread(stranger)]);
    catalog.connected(stranger);
    catalog.markTrouble(stranger, down());
    expect(catalog.current().version).toBe(0);
  });
});

describe('an unknown name', () => {
  const MAX_AGE_MS = 5_000;
  const byName = (exposed: string): Parameters<Catalog['refreshFor']>[0] => ({ by: 'name', exposed });

  it(verifies('catalog:refresh:possible-owners'), async () => {
    const [notes, files, bare] = ['notes', 'files', 'bare'].map((id) =>
      fakeServer(id, { tool: [tool('a')] }),
    );
    if (notes === undefined || files === undefined || bare === undefined) throw new Error('no servers');
    const { catalog, clock } = setup([notes, files, bare], 'bare');
    // Asked by several at once, listed once.
    await Promise.all([1, 2, 3].map(() => catalog.refreshFor(byName('notes__a'), everyServer, MAX_AGE_MS)));
    expect([notes, files, bare].map((server) => server.listed.length)).toEqual([1, 0, 0]);
    expect(catalog.current().tool('notes__a')).toBeDefined();
    // Not again so soon, but later.
    await catalog.refreshFor(byName('notes__new'), everyServer, MAX_AGE_MS);
    expect(notes.listed).toHaveLength(1);
    clock.advance(MAX_AGE_MS + 1);
    notes.answer = definitionsOf({ tool: [tool('new')] });
    await catalog.refreshFor(byName('notes__new'), everyServer, MAX_AGE_MS);
    expect(notes.listed).toEqual([DEFINITION_KINDS, ['tool', 'prompt']]);
    expect(catalog.current().tool('notes__new')).toBeDefined();
    // A name without a prefix can only be the bare server's.
    await catalog.refreshFor(byName('a'), everyServer, MAX_AGE_MS);
    expect([files.listed.length, bare.listed.length]).toEqual([0, 1]);
    // Servers that the caller may not use are left alone.
    await catalog.refreshFor(byName('files__a'), only('notes', 'bare'), MAX_AGE_MS);
    expect(files.listed).toHaveLength(0);
  });

  it('that is a URI makes the servers list that could have it', async () => {
    const [a, b, tools] = ['a', 'b', 'tools'].map((id) =>
      fakeServer(
        id,
        { resource: [resource(`${id}:1`)] },
        { capabilities: id === 'tools' ? { tools: {} } : { resources: {} } },
      ),
    );
    if (a === undefined || b === undefined || tools === undefined) throw new Error('no servers');
    const { catalog, clock } = setup([a, b, tools]);
    const listed = (): number[] => [a, b, tools].map((server) => server.listed.length);
    await catalog.refreshFor({ by: 'uri', exposed: 'x://b.tollgate/y' }, everyServer, MAX_AGE_MS);
    expect(listed()).toEqual([0, 1, 0]);
    await catalog.refreshFor({ by: 'uri', exposed: 'a:1' }, everyServer, MAX_AGE_MS);
    expect(listed()).toEqual([1, 1, 1]);
    clock.advance(MAX_AGE_MS + 1);
    await catalog.refreshFor({ by: 'uri', exposed: 'a:2' }, everyServer, MAX_AGE_MS);
    expect(listed()).toEqual([2, 2, 1]);
  });

  it('that only might be a silent server’s waits for it a bounded time', async () => {
    const [good, hung] = [fakeServer('good'), fakeServer('hung')];
    hung.answer = deferred().promise;
    const { catalog, clock } = setup([good, hung]);
    let isDone = false;
    const asking = catalog
      .refreshFor({ by: 'uri', exposed: 'x:1' }, everyServer, MAX_AGE_MS)
      .then((trouble) => {
        isDone = true;
        return trouble;
      });
    await turns();
    expect(isDone).toBe(false);
    clock.advance(5_000);
    expect(await asking).toBeUndefined();
  });

  it(verifies('catalog:refresh:unreachable-owner'), async () => {
    const [notes, other] = [fakeServer('notes'), fakeServer('other')];
    notes.answer = down('notes is down');
    const { catalog } = setup([notes, other]);
    const trouble = await catalog.refreshFor(byName('notes__a'), everyServer, MAX_AGE_MS);
    expect(trouble).toMatchObject({ code: 'UPSTREAM_UNREACHABLE', message: 'notes is down' });
    // A caller's request makes an attempt of its own, whatever the backoff says.
    expect(notes.demanded).toEqual([undefined]);
    expect(await catalog.refreshFor(byName('other__a'), everyServer, MAX_AGE_MS)).toBeUndefined();
    expect(await catalog.refreshFor(byName('notes__a'), only('other'), MAX_AGE_MS)).toBeUndefined();
    // Once it was listed, what it does not list is unknown, whether it is up or not.
    notes.answer = definitionsOf({ tool: [tool('b')] });
    expect(await catalog.refreshFor(byName('notes__a'), everyServer, MAX_AGE_MS)).toBeUndefined();
    notes.answer = down('down again');
    await catalog.reread(notes.id);
    expect(await catalog.refreshFor(byName('notes__a'), everyServer, MAX_AGE_MS)).toBeUndefined();
  });
});
