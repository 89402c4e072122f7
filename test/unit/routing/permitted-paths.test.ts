import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DefinitionKind } from '../../../src/domain/index.ts';
import type { Subscriber } from '../../../src/routing/index.ts';
import { verifies } from '../../requirements/policy.ts';
import { prompt, resource, template, tool } from '../catalog/fake-server.ts';
import { connected, type Gateway, gatewayOf, requestOf, turns } from './harness.ts';

const LISTS = {
  tool: [tool('read'), tool('a b')],
  prompt: [prompt('review')],
  resource: [resource('file:///a')],
  template: [template('repo://{owner}/{name}{?ref}')],
};

async function listed(...args: Parameters<typeof gatewayOf>): Promise<Gateway> {
  const gateway = gatewayOf(...args);
  await gateway.catalog.settled(1_000);
  return gateway;
}

async function mayWatch({ hub }: Gateway, profile: string, uri: string): Promise<boolean> {
  const subscriber: Subscriber = {
    principal: { id: 'someone', profile },
    wants: () => false,
    notify: () => undefined,
  };
  const leave = hub.add(subscriber);
  const isWatched = await hub.watch(subscriber, uri).then(
    () => true,
    () => false,
  );
  leave();
  return isWatched;
}

describe('what policy says on the way', () => {
  const both = (id: string): ReturnType<typeof connected> => {
    const made = connected(id, 'modern', LISTS);
    made.connection.onCall = (received) => received.respond('{"content":[]}');
    return made;
  };
  const request = (
    kind: DefinitionKind,
    exposed: string,
    profile: string,
  ): Parameters<Gateway['relay']>[0][] => {
    const named = { name: exposed };
    const at = { profile };
    if (kind === 'tool') return [requestOf('modern', 'tools/call', named, at)];
    const ref = kind === 'prompt' ? { type: 'ref/prompt', ...named } : { type: 'ref/resource', uri: exposed };
    const completion = requestOf(
      'modern',
      'completion/complete',
      { ref, argument: { name: 'x', value: '' } },
      at,
    );
    if (kind === 'prompt') return [requestOf('modern', 'prompts/get', named, at), completion];
    const uri = exposed.replaceAll('{?ref}', '').replaceAll(/\{\w+\}/g, 'x');
    return [requestOf('modern', 'resources/read', { uri }, at), completion];
  };

  it(verifies('policy:paths:same-decision'), async () => {
    const globs = ['read', 'a b', 'review', 'file:///*', 'repo://*', 'nothing', 'a__*', '*__read'];
    const filter = fc.record(
      { allow: fc.subarray(globs), deny: fc.subarray(globs) },
      { requiredKeys: [], noNullPrototype: true },
    );
    await fc.assert(
      fc.asyncProperty(filter, filter, filter, async (server, other, tools) => {
        const gateway = await listed([both('a').server, both('b').server], {
          rules: [
            { id: 'a', tools: server, prompts: server, resources: server },
            { id: 'b', tools: other, prompts: other, resources: other },
          ],
          profiles: [{ name: 'p', servers: ['a'], tools }],
        });
        const snapshot = gateway.catalog.current();
        for (const profile of ['default', 'p']) {
          const principal = { id: 'someone', profile };
          for (const kind of ['tool', 'prompt', 'resource', 'template'] as const) {
            for (const entry of snapshot.entries(kind)) {
              const isListed = gateway.policy.visible(principal, snapshot, kind).includes(entry);
              const served = await Promise.all(
                request(kind, entry.exposed, profile).map(async (one) => {
                  const exchange = gateway.relay(one);
                  await turns();
                  return exchange.ending.error === undefined && exchange.notes.upstream === entry.server;
                }),
              );
              if (kind === 'resource') served.push(await mayWatch(gateway, profile, entry.exposed));
              // A URI may be permitted by a rule for it even where its template is not shown.
              expect(kind === 'template' ? served.at(-1) : served.every(Boolean)).toBe(isListed);
              expect(kind === 'template' || served.every((one) => one === isListed)).toBe(true);
            }
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  it(verifies('policy:paths:hidden-is-absent'), async () => {
    const gateway = await listed([both('a').server, both('b').server], {
      rules: [
        { id: 'a', tools: { deny: ['read'] }, prompts: { allow: [] }, resources: { deny: ['file:*'] } },
      ],
      profiles: [{ name: 'p', servers: ['a'], tools: { deny: ['*a_b*'] } }],
    });
    const listsBefore = [...gateway.catalog.current().servers];
    const answer = async (made: Parameters<Gateway['relay']>[0]): Promise<string> => {
      const exchange = gateway.relay(made);
      await turns();
      const { error } = exchange;
      return JSON.stringify([error?.code, error?.message, error?.data]);
    };
    const hidden =
      gateway.catalog
        .current()
        .entries('tool')
        .find(({ server, native }) => server === 'a' && native === 'a b')?.exposed ?? '';
    const pairs: readonly (readonly [DefinitionKind, string, string, string])[] = [
      ['tool', 'a__read', 'a__none', 'default'],
      ['tool', 'a__READ', 'a__none', 'default'],
      ['tool', 'read', 'none', 'default'],
      ['tool', hidden, 'a__none', 'p'],
      ['tool', 'b__read', 'b__none', 'p'],
      ['prompt', 'a__review', 'a__none', 'default'],
      ['prompt', 'b__review', 'b__none', 'p'],
      ['resource', 'file:///a', 'file:///none', 'default'],
      ['resource', 'file://b.tollgate//a', 'file://b.tollgate//none', 'p'],
    ];
    for (const [kind, concealed, absent, profile] of pairs) {
      const [some, none] = [request(kind, concealed, profile), request(kind, absent, profile)];
      for (const [index, made] of some.entries()) {
        const expected = await answer(none[index] ?? made);
        expect((await answer(made)).replaceAll(concealed, absent)).toBe(expected);
        expect(expected).toContain('NAME_UNKNOWN');
      }
    }
    expect(gateway.catalog.current().servers).toEqual(listsBefore);
  });

  it('never asks a server that the caller may not use, whatever the caller names', async () => {
    const [a, b] = [both('a'), both('b')];
    for (const { server } of [a, b]) server.identity = undefined;
    const gateway = gatewayOf([a.server, b.server], { profiles: [{ name: 'p', servers: ['a'] }] });
    for (const kind of ['tool', 'prompt', 'resource'] as const) {
      for (const exposed of ['b__read', 'b__review', 'file://b.tollgate//a', 'file:///a', 'x']) {
        for (const made of request(kind, exposed, 'p')) {
          gateway.relay(made);
          await turns();
        }
      }
    }
    expect([b.server.listed.length, b.connection.received.length]).toEqual([0, 0]);
    expect(a.server.listed.length).toBeGreaterThan(0);
  });
});
