import { expect, it } from 'vitest';
import type { Answer, Target } from './ask.ts';
import { comparable } from './compare.ts';
import { ownServers } from './own-servers.ts';
import { peersOver } from './peers/index.ts';

/**
 * Shows that the peers are sound before they judge the gateway: asked directly, all of them read the same from one
 * server. The tracker is started anew for each, because the requests change it.
 */
const transports = ['stdio', 'http'] as const;

const cases = ownServers.flatMap((server) =>
  transports.map((kind) => ({ server, kind, name: server.namespace })),
);

it.each(cases)('every peer reads the same from $name over $kind', async ({ server, kind }) => {
  const seen = new Map<string, readonly Answer[]>();
  for (const peer of peersOver(kind)) {
    await using service = kind === 'http' ? await server.serve() : undefined;
    const target: Target = service?.target ?? server.stdio;
    const { answers } = await peer.run(target, [...server.asks, ...server.unknown]);
    seen.set(
      peer.name,
      answers.map((answer) => comparable(answer, { dropHop: true })),
    );
  }
  const [[, reference = []] = [], ...others] = seen;
  expect(reference).toHaveLength(server.asks.length + server.unknown.length);
  for (const [name, answers] of others) expect({ name, answers }).toEqual({ name, answers: reference });
});
