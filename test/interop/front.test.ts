import { describe, expect, it } from 'vitest';
import type { Answer, Ask, Peer, Session, Target } from './ask.ts';
import { comparable, entriesIn, isList, lists, shareOf, throughGateway, type ListMethod } from './compare.ts';
import { ownServers, type OwnServer } from './own-servers.ts';
import { peersOver } from './peers/index.ts';
import { entryFor, startGateway, writeConfig, type Served } from './processes.ts';

/** How the host reaches the gateway, and how the gateway reaches the servers. */
interface Layout {
  readonly front: 'stdio' | 'http';
  readonly behind: 'stdio' | 'http';
}

const layouts: readonly Layout[] = [
  { front: 'http', behind: 'http' },
  { front: 'http', behind: 'stdio' },
  { front: 'stdio', behind: 'stdio' },
];

async function start(
  servers: readonly OwnServer[],
  behind: Layout['behind'],
): Promise<Map<OwnServer, Served>> {
  if (behind === 'stdio') return new Map();
  return new Map(await Promise.all(servers.map(async (server) => [server, await server.serve()] as const)));
}

async function stopAll(services: Iterable<AsyncDisposable>): Promise<void> {
  for (const service of services) await service[Symbol.asyncDispose]();
}

/** Runs the peer against the servers themselves, each freshly started. */
async function askDirectly(peer: Peer, layout: Layout): Promise<Map<OwnServer, Session>> {
  const services = await start(ownServers, layout.front);
  try {
    const sessions = new Map<OwnServer, Session>();
    for (const server of ownServers) {
      const target: Target = services.get(server)?.target ?? server.stdio;
      sessions.set(server, await peer.run(target, [...server.asks, ...server.unknown]));
    }
    return sessions;
  } finally {
    await stopAll(services.values());
  }
}

/** Runs the same requests through one gateway in front of all servers, in one session. */
async function askThrough(peer: Peer, layout: Layout): Promise<Session> {
  const services = await start(ownServers, layout.behind);
  try {
    const entries = ownServers.map((server): [string, unknown] => [
      server.namespace,
      entryFor(services.get(server)?.target ?? server.stdio),
    ]);
    const asks = ownServers.flatMap(({ namespace, asks: known, unknown }) =>
      [...known, ...unknown].map((ask) => throughGateway(ask, namespace)),
    );
    if (layout.front === 'stdio') {
      await using config = await writeConfig(Object.fromEntries(entries));
      return await peer.run(config.stdio, asks);
    }
    await using gateway = await startGateway(Object.fromEntries(entries));
    return await peer.run(gateway.target, asks);
  } finally {
    await stopAll(services.values());
  }
}

interface Compared {
  readonly ask: Ask;
  readonly direct: Answer;
  readonly gateway: Answer;
  readonly isUnknown: boolean;
  readonly namespace: string;
}

function pairUp(direct: ReadonlyMap<OwnServer, Session>, through: Session): Compared[] {
  const whole = through.answers.values();
  return [...direct].flatMap(([server, { answers }]) =>
    [...server.asks, ...server.unknown].map((ask, at): Compared => {
      const [mine, theirs] = [answers[at], whole.next().value];
      if (mine === undefined || theirs === undefined) throw new Error(`No answer to ${JSON.stringify(ask)}`);
      const { namespace } = server;
      return { ask, direct: mine, gateway: theirs, isUnknown: at >= server.asks.length, namespace };
    }),
  );
}

/** What must be equal: the whole answer, or of a name that nobody knows only the code of the error. */
function views({ ask, direct, gateway, isUnknown, namespace }: Compared, era: Session['era']) {
  if (isUnknown) {
    const codeOf = (answer: Answer) => ('error' in answer ? answer.error.code : answer);
    return { direct: codeOf(direct), gateway: codeOf(gateway) };
  }
  const { method } = ask;
  // The servers behind are reached on the modern revision, whatever the host in front speaks.
  const dropHop = era === 'legacy' || isList(method);
  const share = isList(method) ? shareOf(namespace, method, gateway, direct) : gateway;
  return { direct: comparable(direct, { dropHop }), gateway: comparable(share, { dropHop }) };
}

const listMethods = Object.keys(lists) as ListMethod[];

describe.each(layouts)('a host over $front, servers behind over $behind:', (layout) => {
  it.each(peersOver(layout.front))('$name sees what it sees without the gateway', async (peer) => {
    const direct = await askDirectly(peer, layout);
    const through = await askThrough(peer, layout);
    const pairs = pairUp(direct, through);

    expect(through.era).toBe([...direct.values()][0]?.era);
    for (const pair of pairs) {
      const { direct: expected, gateway: actual } = views(pair, through.era);
      expect({ ask: pair.ask, answer: actual }).toEqual({ ask: pair.ask, answer: expected });
    }
    for (const method of listMethods) {
      const asked = pairs.filter(({ ask }) => ask.method === method);
      const own = asked.map((pair) => entriesIn(method, pair.direct).length);
      const shown = asked.map((pair) => entriesIn(method, pair.gateway).length);
      const sum = own.reduce((total, count) => total + count, 0);
      expect({ method, shown }).toEqual({ method, shown: own.map(() => sum) });
    }
  });
});
