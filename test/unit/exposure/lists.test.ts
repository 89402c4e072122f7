import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSnapshotBuilder, type ServerInput } from '../../../src/catalog/build-snapshot.ts';
import { createCatalog, type Snapshot } from '../../../src/catalog/index.ts';
import {
  DEFINITION_KINDS,
  GatewayError,
  LISTS,
  type Principal,
  type ServerDefinitions,
} from '../../../src/domain/index.ts';
import { createLists, type Lists } from '../../../src/exposure/index.ts';
import { createPolicy } from '../../../src/policy/index.ts';
import { verifies } from '../../requirements/exposure.ts';
import { definitionsOf, fakeServer, prompt, resource, template, tool } from '../catalog/fake-server.ts';
import { silentLogger } from '../catalog/silent-logger.ts';
import { inputOf, MAX_NAME } from '../catalog/snapshots.ts';
import { type ProfileRule, policyConfig, type ServerRule } from '../policy/config.ts';
import { manualClock } from '../upstream/manual-clock.ts';

const INFO = '{"name":"tollgate","version":"1"}';
const as = (profile: string): Principal => ({ id: 'someone', profile });
const listsOf = (servers: readonly ServerRule[], profiles: readonly ProfileRule[] = []): Lists =>
  createLists({
    policy: createPolicy(policyConfig(servers, profiles)),
    serverInfoText: INFO,
    tokenizer: 'o200k_base',
  });
const build = (...inputs: readonly ServerInput[]): Snapshot =>
  createSnapshotBuilder({ nameMaxLength: MAX_NAME }).build(1, inputs);

const NAMES = ['zeta', 'Zeta', 'ähnlich', 'I', 'ı', 'İ', 'i', 'ß', '10', '9', 'a_b', 'a-b', 'aB'];

describe('a list', () => {
  it(verifies('exposure:lists:same-bytes'), async () => {
    const declared = { tool: NAMES.map((name) => tool(name)), prompt: NAMES.map((name) => prompt(name)) };
    const ids = ['b', 'A', 'ä', 'c'];
    const lists = listsOf(ids.map((id) => ({ id })));
    const body = async (order: readonly string[]): Promise<string> => {
      const answers = new Map<string, (found: ServerDefinitions) => void>();
      const servers = ids.map((id) => {
        const server = fakeServer(id);
        server.answer = new Promise((resolve) => answers.set(id, resolve));
        return server;
      });
      const catalog = createCatalog({
        servers: servers.map((upstream) => ({ id: upstream.id, namespace: upstream.id, upstream })),
        nameMaxLength: MAX_NAME,
        clock: manualClock(),
        logger: silentLogger,
      });
      const settled = catalog.settled(5_000);
      for (const id of order) {
        answers.get(id)?.(definitionsOf(declared));
        for (let turn = 0; turn < 10; turn++) await Promise.resolve();
      }
      await settled;
      const texts = (): string =>
        DEFINITION_KINDS.map(
          (kind) => lists.list(as('default'), catalog.current(), kind, 'modern').resultText,
        ).join('\n');
      const text = texts();
      for (let request = 0; request < 100; request++) expect(texts()).toBe(text);
      // One of them goes down, and cannot be listed again.
      const [flapping] = servers;
      if (flapping === undefined) throw new Error('no servers');
      flapping.identity = undefined;
      flapping.answer = new GatewayError('UPSTREAM_CLOSED', `gone after ${order.join()}`);
      catalog.markTrouble(flapping.id, flapping.answer);
      await catalog.reread(flapping.id);
      expect(texts()).toBe(text);
      return text;
    };
    const expected = await body(ids);
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(ids, { minLength: 4 }), async (order) => {
        expect(await body(order)).toBe(expected);
      }),
      { numRuns: 12 },
    );
  });

  it('is the same bytes in every locale', () => {
    const script = fileURLToPath(new URL('print-list.ts', import.meta.url));
    const printed = ['C', 'tr_TR.UTF-8', 'de_DE.UTF-8', 'sv_SE.UTF-8'].map((locale) =>
      execFileSync(process.execPath, ['--import', 'tsx', script], {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], LANG: locale, LC_ALL: locale },
      }),
    );
    expect(printed[0]).toContain('"s__zeta"');
    expect(new Set(printed).size).toBe(1);
  }, 60_000);

  it(verifies('exposure:lists:definitions-in-order'), () => {
    const declared =
      '{"x":[1.0,9007199254740993,null],"name":"a","inputSchema":{"type":"object","$defs":{}},"__proto__":{}}';
    const snapshot = build(
      inputOf({ id: 'late' }),
      inputOf({ id: 'two', lists: { tool: [tool('z'), tool('hidden')], resource: [resource('t:1')] } }),
      inputOf({ id: 'one', lists: { tool: [declared], template: [template('t:{x}')] } }),
    );
    const lists = listsOf(
      [{ id: 'late' }, { id: 'two', tools: { deny: ['hidden'] } }, { id: 'one' }],
      [{ name: 'p', servers: ['one'] }],
    );
    const tools = lists.list(as('default'), snapshot, 'tool', 'legacy');
    expect(tools.count).toBe(2);
    expect(tools.resultText).toContain(
      `{"tools":[${JSON.stringify(tool('z')).replace('"z"', '"two__z"')},${declared.replace('"a"', '"one__a"')}]`,
    );
    expect(lists.list(as('p'), snapshot, 'tool', 'legacy').resultText).toBe(
      `{"tools":[${declared.replace('"a"', '"one__a"')}]}`,
    );
    expect(lists.list(as('p'), snapshot, 'resource', 'legacy').resultText).toBe('{"resources":[]}');
    for (const kind of DEFINITION_KINDS) {
      const { resultText, count } = lists.list(as('default'), snapshot, kind, 'modern');
      const value = JSON.parse(resultText) as Record<string, unknown[]>;
      expect(value[LISTS[kind].member]).toHaveLength(count);
      expect(lists.list(as('default'), snapshot, kind, 'modern').resultText).toBe(resultText);
    }
  });

  it(verifies('exposure:lists:era'), () => {
    const output = { outputSchema: { type: 'array' } };
    const snapshot = build(inputOf({ id: 's', lists: { tool: [tool('t', output)] } }));
    const lists = listsOf([{ id: 's' }]);
    const modern = JSON.parse(lists.list(as('default'), snapshot, 'tool', 'modern').resultText) as object;
    expect(modern).toEqual({
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
      tools: [tool('s__t', { ...output, description: 'does t' })],
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'tollgate', version: '1' } },
    });
    const legacy = JSON.parse(lists.list(as('default'), snapshot, 'tool', 'legacy').resultText) as object;
    expect(legacy).toEqual({ tools: [tool('s__t', { description: 'does t' })] });
  });

  it(verifies('exposure:lists:missing-named'), () => {
    const troubled = (input: ServerInput, view: Partial<ServerInput['view']>): ServerInput => ({
      ...input,
      view: { ...input.view, ...view },
    });
    const snapshot = build(
      inputOf({ id: 'good', lists: { tool: [tool('t')] } }),
      inputOf({ id: 'silent' }),
      troubled(inputOf({ id: 'dead' }), { trouble: 'connection refused' }),
      troubled(inputOf({ id: 'cut', lists: { tool: [tool('t')] } }), {
        isComplete: false,
        trouble: 'page 2 failed',
      }),
      troubled(inputOf({ id: 'down', lists: { tool: [tool('t')] } }), { trouble: 'the process ended' }),
    );
    const lists = listsOf(
      ['good', 'silent', 'dead', 'cut', 'down'].map((id) => ({ id })),
      [{ name: 'p', servers: ['good', 'cut'] }],
    );
    const missing = (profile: string): unknown => {
      const { _meta } = JSON.parse(lists.list(as(profile), snapshot, 'tool', 'legacy').resultText) as {
        _meta?: Record<string, unknown>;
      };
      return _meta?.['dev.tollgate/unavailable'];
    };
    expect(missing('default')).toEqual([
      { server: 'silent', reason: 'the server has not answered yet', isListed: false },
      { server: 'dead', reason: 'connection refused', isListed: false },
      { server: 'cut', reason: 'page 2 failed', isListed: true },
    ]);
    expect(missing('p')).toEqual([{ server: 'cut', reason: 'page 2 failed', isListed: true }]);
  });
});
