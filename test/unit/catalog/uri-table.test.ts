import { UriTemplate } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Snapshot } from '../../../src/catalog/index.ts';
import { nativeUri, serverId } from '../../../src/domain/index.ts';
import { verifies } from '../../requirements/catalog.ts';
import { resource, template, tool } from './fake-server.ts';
import { type Described, everyServer, only, snapshotOf } from './snapshots.ts';

const README = 'file:///README.md';
const lists = (id: string, ...uris: readonly string[]): Described => ({
  id,
  lists: {
    resource: uris.filter((uri) => !uri.includes('{')).map((uri) => resource(uri)),
    template: uris.filter((uri) => uri.includes('{')).map((uri) => template(uri)),
  },
  capabilities: { resources: {} },
});
const lead = (snapshot: Snapshot, uri: string, mayServe = everyServer as ReturnType<typeof only>): string => {
  const route = snapshot.resolveUri(uri, mayServe);
  return route === undefined ? 'nowhere' : `${route.server} ${route.native}`;
};
const expose = (snapshot: Snapshot, server: string, uri: string): string =>
  snapshot.exposeUri(serverId(server), nativeUri(uri));

describe('resources of several servers with one URI', () => {
  it(verifies('catalog:uris:both-reachable'), () => {
    const snapshot = snapshotOf(lists('a', README), lists('b', README), lists('c', 'file:///{path}'));
    expect(snapshot.entries('resource').map((entry) => entry.exposed)).toEqual([
      README,
      'file://b.tollgate//README.md',
    ]);
    expect(lead(snapshot, README)).toBe(`a ${README}`);
    expect(lead(snapshot, 'file://b.tollgate//README.md')).toBe(`b ${README}`);
    expect(lead(snapshot, 'FILE://B.tollgate//README.md')).toBe('b FILE:///README.md');
    expect(lead(snapshot, 'file:///other.md')).toBe('c file:///other.md');
    expect(lead(snapshot, 'file://c.tollgate//README.md')).toBe(`c ${README}`);
  });

  it('are told apart when the first of them has no namespace, or the second', () => {
    const bare = (id: string): Described => ({ ...lists(id, README), namespace: '' });
    const first = snapshotOf(bare('a'), lists('b', README));
    expect(first.entries('resource').map((entry) => entry.exposed)).toEqual([
      README,
      'file://b.tollgate//README.md',
    ]);
    const second = snapshotOf(lists('a', README), bare('b'));
    expect(second.entries('resource').map((entry) => entry.exposed)).toEqual([
      README,
      'file://b.tollgate//README.md',
    ]);
    expect(lead(second, 'file://b.tollgate//README.md')).toBe(`b ${README}`);
  });

  it(verifies('catalog:uris:no-shadow'), () => {
    // A later server lists what an earlier one's template leads to.
    const templated = snapshotOf(lists('good', 'file:///{+path}'), lists('evil', 'file:///etc/passwd'));
    expect(lead(templated, 'file:///etc/passwd')).toBe('good file:///etc/passwd');
    expect(lead(templated, 'file://evil.tollgate//etc/passwd')).toBe('evil file:///etc/passwd');
    // A server lists, or has a template for, what reads as another's marked URI.
    const stolen = 'file://good.tollgate//a';
    for (const uri of [stolen, 'file://good.tollgate/{+path}', 'file://GOOD.tollgate//a']) {
      const snapshot = snapshotOf(lists('evil', uri), lists('good', 'file:///a'));
      expect(lead(snapshot, stolen)).toBe('good file:///a');
      expect(lead(snapshot, expose(snapshot, 'evil', stolen))).toBe(`evil ${stolen}`);
    }
    // What the caller may not use is as if it were not there.
    const snapshot = snapshotOf(lists('a', README), lists('b', README), lists('c', 'file:///{path}'));
    expect(lead(snapshot, README, only('b'))).toBe(`b ${README}`);
    expect(lead(snapshot, README, only('c'))).toBe(`c ${README}`);
    expect(lead(snapshot, 'file://a.tollgate//README.md', only('b'))).toBe('nowhere');
    expect(lead(snapshot, 'file://nobody.tollgate//README.md', only('b'))).toBe('nowhere');
    expect(lead(snapshot, README, () => false)).toBe('nowhere');
  });

  it('never lead to a server that the caller may not use, whatever the URI', () => {
    const snapshot = snapshotOf(lists('a', README, 'file:///{path}', 'x://{+y}'), lists('b', README, 'y:1'), {
      ...lists('c', 'y:1', 'z:{id}'),
      namespace: '',
    });
    const uri = fc.oneof(
      fc.constantFrom(
        README,
        'y:1',
        'y:2',
        'z:1',
        'x://q',
        'file://b.tollgate//README.md',
        'w:0',
        'y://c.tollgate/:1',
      ),
      fc.webUrl(),
      fc.string(),
    );
    fc.assert(
      fc.property(uri, fc.subarray(['a', 'b', 'c']), (text, allowed) => {
        const route = snapshot.resolveUri(text, only(...allowed));
        expect([undefined, ...allowed]).toContain(route?.server);
      }),
      { numRuns: 500 },
    );
  });

  it('have labels of their own where namespaces differ in case alone', () => {
    const snapshot = snapshotOf(lists('Docs', README), lists('docs', README), lists('DOCS', README));
    const forms = snapshot.entries('resource').map((entry) => entry.exposed);
    expect(new Set(forms.map((uri) => uri.toLowerCase())).size).toBe(3);
    for (const [index, id] of ['Docs', 'docs', 'DOCS'].entries()) {
      expect(
        lead(
          snapshot,
          (forms[index] ?? '').replace(/(?<=:\/\/)[^/]+/, (host) => host.toLowerCase()),
        ),
      ).toBe(`${id} ${README}`);
    }
  });
});

describe('a URI in a result', () => {
  it(verifies('catalog:uris:results-lead-back'), () => {
    const uris = [
      'file:///a',
      'file:///b',
      'x:1',
      'x:2',
      'r://o/n',
      'r://o',
      'ui://p/q',
      'file://b.tollgate//a',
      'w:?',
    ];
    const templates = ['file:///{path}', 'r://{owner}/{name}', 'x:{id}', 'file://{host}/{+path}'];
    const server = (id: string): fc.Arbitrary<Described> =>
      fc.tuple(fc.subarray(uris), fc.subarray(templates), fc.boolean()).map(([own, shapes, isBare]) => ({
        ...lists(id, ...own, ...shapes),
        namespace: isBare && id === 'b' ? '' : id,
      }));
    fc.assert(
      fc.property(server('a'), server('b'), server('c'), fc.constantFrom(...uris), (a, b, c, uri) => {
        const snapshot = snapshotOf(a, b, c);
        for (const id of ['a', 'b', 'c']) {
          const shown = expose(snapshot, id, uri);
          expect([shown, lead(snapshot, shown)]).toEqual([shown, `${id} ${uri}`]);
          expect(lead(snapshot, shown, only(id))).toBe(`${id} ${uri}`);
          expect(snapshot.mayRewriteUris(serverId(id))).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('of a server without resources is marked only where it would lead to another', () => {
    const tools = { id: 'tools', lists: { tool: [tool('t')] } };
    const snapshot = snapshotOf(lists('a', README), lists('b', 'x:1'), tools);
    expect(expose(snapshot, 'tools', README)).toBe('file://tools.tollgate//README.md');
    expect(expose(snapshot, 'tools', 'unheard:of')).toBe('unheard:of');
    expect(lead(snapshot, 'file://tools.tollgate//README.md')).toBe(`tools ${README}`);
  });

  it('without a scheme is left alone', () => {
    const snapshot = snapshotOf(lists('a', README), lists('b', README));
    expect(expose(snapshot, 'b', 'README.md')).toBe('README.md');
  });
});

describe('a URI that nobody lists', () => {
  it(verifies('catalog:templates:lead-back'), () => {
    const shapes = [
      'repo://{owner}/{name}',
      'repo://mcp/{name}',
      'repo://{+path}',
      'repo:{+rest}',
      'x:{id}',
      'file:///{name}',
    ];
    const uris = ['repo://mcp/a', 'x:a', 'x:1', 'file:///a', 'file:///1', 'repo://a/a'];
    const server = (id: string): fc.Arbitrary<Described> =>
      fc
        .tuple(fc.subarray(shapes), fc.subarray(uris))
        .map(([templates, own]) => lists(id, ...templates, ...own));
    fc.assert(
      fc.property(
        server('a'),
        server('b'),
        server('c'),
        fc.constantFrom('a', '1', 'mcp'),
        (a, b, c, value) => {
          const snapshot = snapshotOf(a, b, c);
          const values = { owner: value, name: 'a', path: value, rest: value, id: value };
          for (const entry of snapshot.entries('template')) {
            const uri = new UriTemplate(entry.exposed).expand(values);
            const native = new UriTemplate(entry.native).expand(values);
            expect([uri, lead(snapshot, uri)]).toEqual([uri, `${entry.server} ${native}`]);
            expect(lead(snapshot, uri, only(entry.server))).toBe(`${entry.server} ${native}`);
          }
          for (const entry of snapshot.entries('resource')) {
            expect(lead(snapshot, entry.exposed)).toBe(`${entry.server} ${entry.native}`);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('that has the shape of one server’s template leads there, even where hosts see that template marked', () => {
    const snapshot = snapshotOf(lists('a', README), lists('c', 'file:///{path}', 'file:///{path}{?x}'));
    expect(snapshot.entries('template')[0]?.exposed).toBe('file://c.tollgate//{path}');
    expect(lead(snapshot, 'file:///other')).toBe('c file:///other');
    const shared = snapshotOf(lists('a', README), lists('b', 'file:///{p}'), lists('c', 'file:///{path}'));
    expect(lead(shared, 'file:///other')).toBe('nowhere');
    expect(lead(shared, 'file:///other', only('c'))).toBe('c file:///other');
  });

  it('goes to the one server that uses its scheme, else to the one that has resources, else nowhere', () => {
    const snapshot = snapshotOf(lists('a', 'x:1'), lists('b', 'y:1'), { id: 'tools', lists: { tool: [] } });
    expect(lead(snapshot, 'x:unlisted')).toBe('a x:unlisted');
    expect(lead(snapshot, 'z:unlisted')).toBe('nowhere');
    expect(lead(snapshot, 'z:unlisted', only('b', 'tools'))).toBe('b z:unlisted');
    expect(lead(snapshot, 'no scheme', only('b'))).toBe('b no scheme');
    const shared = snapshotOf(lists('a', 'x:1'), lists('b', 'x:2'));
    expect(lead(shared, 'x:3')).toBe('nowhere');
  });

  it('under its marked form is judged by the resource or template that its server has for it', () => {
    const snapshot = snapshotOf(
      lists('a', 'file:///{p}'),
      lists('b', 'file:///{p}', 'file:///b', 'file:///{p}/{q}'),
    );
    const entryOf = (uri: string): string | undefined => snapshot.resolveUri(uri, everyServer)?.entry?.native;
    expect(entryOf('file://b.tollgate//b')).toBe('file:///b');
    expect(entryOf('file://b.tollgate//c')).toBe('file:///{p}');
    expect(entryOf('file://b.tollgate//c/d')).toBe('file:///{p}/{q}');
    expect(entryOf('file://b.tollgate/host/c')).toBeUndefined();
  });
});
