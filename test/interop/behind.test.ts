import { expect, it } from 'vitest';
import type { Answer } from './ask.ts';
import { comparable, isList, shareOf, throughGateway, withoutLegacyMembers } from './compare.ts';
import { foreignServers, type ForeignServer } from './foreign-servers.ts';
import { sdkSecond } from './peers/sdk-second.ts';
import { entryFor, startGateway } from './processes.ts';

const namespace = 'other';

async function askDirectly({ serve, asks, era }: ForeignServer): Promise<readonly Answer[]> {
  await using service = await serve();
  const session = await sdkSecond(era === 'modern' ? 'auto' : 'legacy').run(service.target, asks);
  expect(session.era).toBe(era);
  return session.answers;
}

async function askThrough({ serve, asks, entry }: ForeignServer, front: 'auto' | 'legacy') {
  await using service = await serve();
  await using gateway = await startGateway({ [namespace]: { ...entryFor(service.target), ...entry } });
  return await sdkSecond(front).run(
    gateway.target,
    asks.map((ask) => throughGateway(ask, namespace)),
  );
}

const fronts = ['auto', 'legacy'] as const;
const cases = foreignServers.flatMap((server) =>
  fronts.map((front) => ({ server, front, name: server.name })),
);

it.each(cases)('$name stands behind the gateway, for a host that is $front', async ({ server, front }) => {
  const direct = await askDirectly(server);
  const through = await askThrough(server, front);
  expect(through.era).toBe(front === 'auto' ? 'modern' : 'legacy');
  const sameEra = through.era === server.era;
  for (const [at, ask] of server.asks.entries()) {
    const [mine, theirs] = [direct[at], through.answers[at]];
    if (mine === undefined || theirs === undefined) throw new Error(`No answer to ${JSON.stringify(ask)}`);
    const dropHop = !sameEra || isList(ask.method);
    const share = isList(ask.method) ? shareOf(namespace, ask.method, theirs, mine) : theirs;
    const own = isList(ask.method) && !sameEra ? withoutLegacyMembers(ask.method, mine) : mine;
    const [expected, actual] = [comparable(own, { dropHop }), comparable(share, { dropHop })];
    expect({ ask, answer: actual }).toEqual({ ask, answer: expected });
  }
});
