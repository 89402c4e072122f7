import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSnapshotBuilder } from '../../../src/catalog/build-snapshot.ts';
import type { Snapshot } from '../../../src/catalog/index.ts';
import { DEFINITION_KINDS, type DefinitionKind, nativeUri, serverId } from '../../../src/domain/index.ts';
import { verifies } from '../../requirements/catalog.ts';
import { prompt, resource, template, tool } from './fake-server.ts';
import { inputOf, MAX_NAME, snapshotOf } from './snapshots.ts';

const exposed = (snapshot: Snapshot, kind: DefinitionKind): string[] =>
  snapshot.entries(kind).map((entry) => entry.exposed);
const reasons = (snapshot: Snapshot): string[] =>
  snapshot.diagnostics.map(({ server, entry, reason }) => `${server} ${entry ?? '-'}: ${reason}`);

describe('the snapshot of many servers', () => {
  it('is in configuration order, then upstream order, with the bare server where it stands', () => {
    const snapshot = snapshotOf(
      { id: 'bare', namespace: '', lists: { tool: [tool('z'), tool('a')], prompt: [prompt('p')] } },
      { id: 'late' },
      { id: 'x', lists: { tool: [tool('B'), tool('a')], prompt: [prompt('p')] } },
    );
    expect(exposed(snapshot, 'tool')).toEqual(['z', 'a', 'x__B', 'x__a']);
    expect(exposed(snapshot, 'prompt')).toEqual(['p', 'x__p']);
    expect(snapshot.servers.map((server) => server.id)).toEqual(['bare', 'late', 'x']);
  });

  it('has entries that differ from what was declared in the name alone', () => {
    const declared =
      '{"x":[1.0,9007199254740993],"name":"a b","inputSchema":{"type":"object"},"__proto__":{"y":null}}';
    const entry = snapshotOf({ id: 's', lists: { tool: [declared] } }).entries('tool')[0];
    expect(entry?.exposed).toMatch(/^s__a_b_[0-9a-f]{8}$/);
    expect(entry?.json).toBe(declared.replace('"a b"', JSON.stringify(entry?.exposed)));
    expect(entry?.native).toBe('a b');
  });

  it('finds names in tables, whatever they are called', () => {
    const natives = ['__proto__', 'constructor', 'toString', 'a__b', 'hasOwnProperty'];
    const snapshot = snapshotOf({ id: 's', lists: { tool: natives.map((name) => tool(name)) } });
    for (const native of natives) expect(snapshot.tool(`s__${native}`)?.native).toBe(native);
    expect(snapshot.tool('__proto__')).toBeUndefined();
    expect(snapshot.prompt('constructor')).toBeUndefined();
    expect(snapshot.template('toString')).toBeUndefined();
  });

  it(verifies('catalog:definitions:withheld-alone'), () => {
    const sound = Array.from({ length: 9 }, (_, index) => tool(`t${index}`));
    const broken = [
      '{"name":7,"inputSchema":{}}',
      '{"name":"array","inputSchema":[]}',
      '{"name":"twice","inputSchema":{},"_meta":{"ui":{},"ui":{}}}',
      '{"name":"output","inputSchema":{},"outputSchema":{"type":"object","type":"array"}}',
      'garbage',
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray([...sound, ...broken], { minLength: 14 }), (tools) => {
        const snapshot = snapshotOf(
          { id: 'good', lists: { tool: [tool('x')] } },
          { id: 'bad', lists: { tool: tools } },
        );
        const names = exposed(snapshot, 'tool');
        expect(names).toHaveLength(11);
        for (let index = 0; index < 9; index++) expect(names).toContain(`bad__t${index}`);
        // An output schema is the host's to judge, even one that can be read in two ways.
        expect(names).toContain('bad__output');
        expect(reasons(snapshot)).toHaveLength(4);
        expect(reasons(snapshot).every((line) => line.startsWith('bad '))).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it(verifies('catalog:snapshot:duplicates'), () => {
    const snapshot = snapshotOf({
      id: 's',
      lists: {
        tool: [tool('a', { title: 'first' }), tool('b'), tool('a', { title: 'second' })],
        resource: [resource('t:x'), resource('t:x')],
      },
    });
    expect(exposed(snapshot, 'tool')).toEqual(['s__a', 's__b']);
    expect(snapshot.tool('s__a')?.value['title']).toBe('first');
    expect(exposed(snapshot, 'resource')).toEqual(['t:x']);
    expect(reasons(snapshot)).toEqual([
      's a: the server lists it twice; the first one counts',
      's t:x: the server lists it twice; the first one counts',
    ]);
  });

  it('withholds a name that was made to look like the exposed form of another', () => {
    const cleaned = snapshotOf({ id: 's', lists: { tool: [tool('a b')] } }).entries('tool')[0]?.exposed ?? '';
    const forged = cleaned.replace('s__', '');
    const snapshot = snapshotOf({ id: 's', lists: { tool: [tool('a b'), tool(forged)] } });
    expect(snapshot.tool(cleaned)?.native).toBe('a b');
    expect(reasons(snapshot)).toEqual([`s ${forged}: its exposed name ${cleaned} is that of "a b"`]);
  });

  it(verifies('catalog:names:no-borrowed-namespace'), () => {
    const bare = {
      id: 'bare',
      namespace: '',
      lists: { tool: [tool('notes__read'), tool('notes_x')], prompt: [prompt('notes__p')] },
    };
    for (const notes of [{ id: 'notes' }, { id: 'notes', lists: { tool: [tool('read')] } }]) {
      for (const servers of [
        [bare, notes],
        [notes, bare],
      ]) {
        const snapshot = snapshotOf(...servers);
        expect(snapshot.tool('notes__read')?.server).toBe(notes.lists === undefined ? undefined : 'notes');
        expect(snapshot.tool('notes_x')?.server).toBe('bare');
        expect(reasons(snapshot)).toEqual([
          'bare notes__read: notes__read would be taken for a name of server notes',
          'bare notes__p: notes__p would be taken for a name of server notes',
        ]);
      }
    }
  });

  it(verifies('catalog:uris:app-pages'), () => {
    const page = (meta: object): object => tool('t', { _meta: meta });
    const snapshot = snapshotOf(
      { id: 'a', lists: { resource: [resource('ui://app/main')] }, capabilities: { resources: {} } },
      {
        id: 'b',
        lists: {
          resource: [resource('ui://app/main')],
          tool: [
            page({
              ui: { resourceUri: 'ui://app/main', csp: { x: 1.0 } },
              'ui/resourceUri': 'ui://app/main',
            }),
            tool('plain', { _meta: { resourceUri: 'ui://app/main' } }),
            tool('odd', { _meta: { ui: { resourceUri: 7 } } }),
          ],
        },
        capabilities: { resources: {} },
      },
    );
    const marked = 'ui://b.tollgate/app/main';
    for (const text of [snapshot.tool('b__t')?.json, snapshot.tool('b__t')?.legacyJson]) {
      expect((JSON.parse(text ?? '') as { _meta: unknown })._meta).toEqual({
        ui: { resourceUri: marked, csp: { x: 1 } },
        'ui/resourceUri': marked,
      });
    }
    expect(snapshot.tool('b__plain')?.json).toContain('"resourceUri":"ui://app/main"');
    expect(snapshot.tool('b__odd')?.json).toContain('"resourceUri":7');
    expect(snapshot.resolveUri(marked, () => true)).toMatchObject({ server: 'b', native: 'ui://app/main' });
  });

  it('is the same whether it was built at once or grew from others, and keeps the entries that did not change', () => {
    const one = { id: 'one', lists: { tool: [tool('a'), tool('b')], resource: [resource('t:1')] } };
    const two = { id: 'two', lists: { tool: [tool('a')], resource: [resource('t:1'), resource('t:2')] } };
    const inputs = [inputOf(one), inputOf(two)];
    const builder = createSnapshotBuilder({ nameMaxLength: MAX_NAME });
    builder.build(0, [inputOf({ id: 'one' }), inputs[1] ?? inputOf(two)]);
    const grown = builder.build(1, inputs);
    const fresh = createSnapshotBuilder({ nameMaxLength: MAX_NAME }).build(1, inputs);
    const again = builder.build(2, inputs);
    for (const kind of DEFINITION_KINDS) {
      expect(grown.entries(kind)).toEqual(fresh.entries(kind));
      for (const [index, entry] of grown.entries(kind).entries())
        expect(again.entries(kind)[index]).toBe(entry);
    }
  });

  it('cannot be changed by whoever reads it', () => {
    const snapshot = snapshotOf({ id: 's', lists: { tool: [tool('a')] } });
    expect(() => (snapshot.entries('tool') as unknown[]).push(1)).toThrow(TypeError);
    expect(() => Object.assign(snapshot, { version: 7 })).toThrow(TypeError);
  });
});

describe('the exposed name of an unlisted URI', () => {
  it('is the URI itself where no other server has resources', () => {
    const snapshot = snapshotOf({ id: 's', lists: { resource: [resource('t:1')] } });
    expect(snapshot.mayRewriteUris(serverId('s'))).toBe(false);
    expect(snapshot.exposeUri(serverId('s'), nativeUri('other:x'))).toBe('other:x');
  });

  it('has templates claimed by the first server in the configuration', () => {
    const snapshot = snapshotOf(
      { id: 'a', lists: { template: [template('r://{x}')] } },
      { id: 'b', lists: { template: [template('r://{x}')] } },
    );
    expect(exposed(snapshot, 'template')).toEqual(['r://{x}', 'r://b.tollgate/{x}']);
    expect(snapshot.template('r://b.tollgate/{x}')?.native).toBe('r://{x}');
  });
});
