import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Era } from '../../../src/domain/index.ts';
import type { Snapshot } from '../../../src/catalog/index.ts';
import { inboundResponse, needsInbound } from '../../../src/routing/inbound.ts';
import type { InboundContext } from '../../../src/routing/inbound-context.ts';
import { serverId } from '../../../src/domain/index.ts';
import { verifies } from '../../requirements/routing.ts';
import { jsonText, objectText } from '../wire/arbitrary-json.ts';
import { resource } from '../catalog/fake-server.ts';
import { snapshotOf } from '../catalog/snapshots.ts';
import { frameOf, requestOf } from './harness.ts';

/** Server `b` shares `file:///a` with the earlier server `a`. */
const SHARED: Snapshot = snapshotOf(
  { id: 'a', lists: { resource: [resource('file:///a')] }, capabilities: { resources: {} } },
  {
    id: 'b',
    lists: { resource: [resource('file:///a'), resource('b:own')] },
    capabilities: { resources: {} },
  },
);
const MARKED = 'file://b.tollgate//a';

interface Case {
  readonly host?: Era;
  readonly upstream?: Era;
  readonly method?: string;
  readonly params?: object;
  readonly uris?: Snapshot;
}

const contextOf = ({
  host = 'modern',
  upstream = 'modern',
  method = 'tools/call',
  params = {},
  uris,
}: Case): InboundContext => ({
  request: requestOf(host, method, params),
  server: serverId('b'),
  upstreamEra: upstream,
  uris,
});

const inbound = (frameText: string, context: Case): string =>
  inboundResponse(frameOf(frameText), contextOf(context)).toString();
const answer = (resultText: string): string => `{"jsonrpc":"2.0","id":7,"result":${resultText}}`;
/** The text of the result that the host gets. */
const resultOf = (resultText: string, context: Case): string => {
  const text = inbound(answer(resultText), context);
  expect(text.startsWith('{"jsonrpc":"2.0","id":7,"result":')).toBe(true);
  return text.slice('{"jsonrpc":"2.0","id":7,"result":'.length, -1);
};
const refusal = (errorText: string, context: Case): unknown =>
  (JSON.parse(inbound(`{"jsonrpc":"2.0","id":7,"error":${errorText}}`, context)) as { error: unknown }).error;

describe('a result on its way to the host', () => {
  it(verifies('routing:inbound:unchanged'), () => {
    fc.assert(
      fc.property(objectText, fc.constantFrom<Era>('modern', 'legacy'), (result, era) => {
        const frame = frameOf(answer(result));
        expect(needsInbound(contextOf({ host: era, upstream: era }))).toBe(false);
        expect(inboundResponse(frame, contextOf({ host: era, upstream: era }))).toBe(frame.bytes);
      }),
    );
    const everything =
      '{"content":[{"type":"audio","data":"AA==","mimeType":"audio/wav","annotations":{"priority":1.0}},{"type":"future","x":[9007199254740993,null]},{"type":"text","text":""}],"structuredContent":{"uri":"file:///a","n":1.0,"\\u0061":null},"x-unknown":{},"_meta":{"com.example/k":1e2},"isError":true}';
    expect(resultOf(everything, { uris: SHARED })).toBe(everything);
    expect(resultOf(everything, { host: 'modern', upstream: 'legacy' })).toBe(
      `{"resultType":"complete",${everything.slice(1)}`,
    );
    expect(resultOf(everything, { host: 'legacy', upstream: 'modern' })).toBe(everything);
  });

  it('keeps the bytes of every member across eras', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), jsonText), (members) => {
        const inner = Object.entries(members)
          .map(([key, value]) => `"x-${key}" :${value}`)
          .join(',');
        const stamped = resultOf(`{${inner}}`, { host: 'modern', upstream: 'legacy' });
        expect(stamped).toBe(
          inner === '' ? '{"resultType":"complete"}' : `{"resultType":"complete",${inner}}`,
        );
        const bare = inner === '' ? '{"resultType":"complete"}' : `{"resultType":"complete",${inner}}`;
        expect(resultOf(bare, { host: 'legacy', upstream: 'modern' })).toBe(`{${inner}}`);
      }),
    );
  });

  it(verifies('routing:inbound:result-type'), () => {
    const up: Case = { host: 'modern', upstream: 'legacy' };
    expect(resultOf('{"content":[]}', up)).toBe('{"resultType":"complete","content":[]}');
    expect(resultOf('{"resultType":"odd","content":[]}', up)).toBe('{"resultType":"complete","content":[]}');
    expect(resultOf('{"contents":[]}', { ...up, method: 'resources/read' })).toBe(
      '{"resultType":"complete","ttlMs":0,"cacheScope":"private","contents":[]}',
    );
    expect(
      resultOf('{"ttlMs":9,"contents":[],"cacheScope":"public"}', { ...up, method: 'resources/read' }),
    ).toBe('{"resultType":"complete","ttlMs":0,"cacheScope":"private","contents":[]}');
    const down: Case = { host: 'legacy', upstream: 'modern' };
    expect(resultOf('{"content":[],"resultType":"complete"}', down)).toBe('{"content":[]}');
    expect(resultOf('{"resultType":"complete"}', down)).toBe('{}');
    expect(
      resultOf('{"resultType":"complete","ttlMs":9,"cacheScope":"public","contents":[]}', {
        ...down,
        method: 'resources/read',
      }),
    ).toBe('{"contents":[]}');
    // Elsewhere these are a server's own members.
    expect(resultOf('{"ttlMs":9,"content":[]}', down)).toBe('{"ttlMs":9,"content":[]}');
  });

  it('that asks for input fails towards a host that cannot be asked so', () => {
    const asking = answer('{"resultType":"input_required","inputRequests":{}}');
    expect(() => inbound(asking, { host: 'legacy', upstream: 'modern' })).toThrow(
      'needs an answer from the user',
    );
    expect(inbound(asking, { host: 'modern', upstream: 'modern' })).toBe(asking);
  });

  it(verifies('routing:inbound:structured-for-legacy'), () => {
    const down: Case = { host: 'legacy', upstream: 'modern' };
    const block = '[{"type":"text","text":"t"}]';
    for (const value of ['[1,2]', '7', 'null', 'false', '0', '""', '"x"']) {
      expect(resultOf(`{"content":${block},"structuredContent":${value}}`, down)).toBe(
        `{"content":${block}}`,
      );
      const silent = JSON.parse(
        resultOf(`{"structuredContent":${value},"content":[],"isError":false}`, down),
      ) as object;
      expect(silent).toEqual({ content: [{ type: 'text', text: value }], isError: false });
    }
    expect(resultOf('{"structuredContent":[1]}', down)).toBe('{"content":[{"type":"text","text":"[1]"}]}');
    const sound = '{"content":[],"structuredContent":{"a":[1]}}';
    expect(resultOf(sound, down)).toBe(sound);
    // A host of the stateless revision takes any value, falsy ones included.
    expect(resultOf('{"structuredContent":false}', { host: 'modern', upstream: 'legacy' })).toBe(
      '{"resultType":"complete","structuredContent":false}',
    );
  });

  it(verifies('routing:inbound:uris-exposed'), () => {
    const own: Case = { uris: SHARED };
    const places: readonly (readonly [string, string])[] = [
      ['resources/read', '{"contents":[{"uri":"URI","text":"file:///a"},{"uri":"URI","blob":"AA=="}]}'],
      ['tools/call', '{"content":[{"type":"resource_link","uri":"URI","name":"file:///a"}]}'],
      ['tools/call', '{"content":[{"type":"resource","resource":{"uri":"URI","text":"uri: file:///a"}}]}'],
      [
        'prompts/get',
        '{"messages":[{"role":"user","content":{"type":"resource","resource":{"uri":"URI","text":""}}}]}',
      ],
      ['prompts/get', '{"messages":[{"role":"user","content":[{"type":"resource_link","uri":"URI"}]}]}'],
    ];
    for (const [method, text] of places) {
      expect(resultOf(text.replaceAll('URI', 'file:///a'), { ...own, method })).toBe(
        text.replaceAll('URI', MARKED),
      );
      expect(resultOf(text.replaceAll('URI', 'b:own'), { ...own, method })).toBe(
        text.replaceAll('URI', 'b:own'),
      );
      // A spelling with escapes is the same URI.
      expect(resultOf(text.replaceAll('URI', 'file:\\/\\/\\/a'), { ...own, method })).toBe(
        text.replaceAll('URI', MARKED),
      );
    }
  });

  it('keeps URIs as they are where they are not the protocol’s', () => {
    for (const text of [
      '{"content":[{"type":"text","text":"see file:///a","uri":"file:///a"}]}',
      '{"content":[],"structuredContent":{"uri":"file:///a","content":[{"type":"resource_link","uri":"file:///a"}]}}',
      '{"content":[{"type":"future","uri":"file:///a"}]}',
      '{"content":[{"type":"resource_link","uri":7},{"type":"resource","resource":"uri"},"uri",null]}',
      '{"content":"uri","contents":{"uri":"file:///a"},"messages":[7,{"content":"uri"}]}',
      '{"_meta":{"uri":"file:///a"},"content":[{"type":"resource_link","uri":"README.md"}]}',
    ]) {
      expect(resultOf(text, { uris: SHARED })).toBe(text);
    }
  });

  it(verifies('routing:inbound:malformed'), () => {
    for (const text of ['7', 'null', '[]', '"x"']) {
      expect(() => inbound(answer(text), { host: 'modern', upstream: 'legacy' })).toThrow(
        'a result that is not an object',
      );
    }
    for (const text of [
      '{"content":[],"content":[]}',
      '{"content":[{"type":"resource_link","uri":"file:///a","uri":"b:own"}]}',
      '{"contents":[{"uri":"file:///a","uri":"b:own"}]}',
    ]) {
      expect(() => inbound(answer(text), { uris: SHARED })).toThrow('stands twice');
    }
  });
});

describe('an error on its way to the host', () => {
  it(verifies('routing:inbound:error-codes'), () => {
    const read = { method: 'resources/read', params: { uri: 'x:1' } };
    const up: Case = { host: 'modern', upstream: 'legacy', ...read };
    expect(refusal('{"code":-32002,"message":"Resource not found"}', up)).toEqual({
      code: -32602,
      message: 'Resource not found',
      data: { uri: 'x:1' },
    });
    expect(refusal('{"message":"no","data":{"uri":"x:1","more":[1]},"code":-32002}', up)).toEqual({
      code: -32602,
      message: 'no',
      data: { uri: 'x:1', more: [1] },
    });
    const named = '{"jsonrpc":"2.0","id":7,"error":{"code":-32002,"message":"no","data":null}}';
    expect(inbound(named, up)).toBe(named.replace('-32002', '-32602'));
    expect(refusal('{"code":-32002,"message":"no"}', { host: 'modern', upstream: 'legacy' })).toEqual({
      code: -32602,
      message: 'no',
    });
    const urls = { elicitations: [{ mode: 'url', url: 'https://example.com' }] };
    expect(refusal(`{"code":-32042,"message":"open it","data":${JSON.stringify(urls)}}`, up)).toEqual({
      code: -32603,
      message: 'open it',
      data: urls,
    });
    // What a handshake server means by a code that was reserved later is not what a stateless host would read.
    for (const code of [-32020, -32021, -32022, -32099]) {
      expect(refusal(`{"code":${code},"message":"own"}`, up)).toEqual({ code: -32603, message: 'own' });
    }
  });

  it('keeps every other code, message and data, byte for byte', () => {
    for (const error of [
      '{"code":-32602,"message":"bad","data":{"n":1.0}}',
      '{"code":-32000,"message":"","data":null}',
      '{"code":-32019,"message":"x"}',
      '{"code":-32100,"message":"x"}',
      '{"code":42,"message":"x","more":[]}',
      '{"message":"no code"}',
    ]) {
      for (const host of ['modern', 'legacy'] as const) {
        for (const upstream of ['modern', 'legacy'] as const) {
          const text = `{"jsonrpc":"2.0","id":7,"error":${error}}`;
          expect(inbound(text, { host, upstream })).toBe(text);
        }
      }
    }
    const kept = '{"jsonrpc":"2.0","id":7,"error":{"code":-32021,"message":"x"}}';
    expect(inbound(kept, { host: 'modern', upstream: 'modern' })).toBe(kept);
    const old = '{"jsonrpc":"2.0","id":7,"error":{"code":-32002,"message":"x"}}';
    expect(inbound(old, { host: 'legacy', upstream: 'legacy' })).toBe(old);
  });

  it('names a missing resource by the URI that its host knows', () => {
    const text = '{"code":-32602,"message":"Resource not found","data":{"uri":"file:///a"}}';
    const context: Case = { method: 'resources/read', params: { uri: MARKED }, uris: SHARED };
    expect(refusal(text, context)).toMatchObject({ data: { uri: MARKED } });
    expect(refusal(text.replace('-32602', '-32002'), { ...context, upstream: 'legacy' })).toEqual({
      code: -32602,
      message: 'Resource not found',
      data: { uri: MARKED },
    });
  });
});
