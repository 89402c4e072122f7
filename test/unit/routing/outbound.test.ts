import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Era } from '../../../src/domain/index.ts';
import { outboundFrame } from '../../../src/routing/outbound.ts';
import { readRequest } from '../../../src/routing/read-request.ts';
import { childMembers, type Frame, memberSpans, scanFrame, textAt } from '../../../src/wire/index.ts';
import { verifies } from '../../requirements/routing.ts';
import { jsonText, objectText } from '../wire/arbitrary-json.ts';
import { ENVELOPE, requestOf, type RequestOptions, REVISION } from './harness.ts';

const PAIRS: readonly (readonly [Era, Era])[] = [
  ['modern', 'modern'],
  ['legacy', 'legacy'],
  ['modern', 'legacy'],
  ['legacy', 'modern'],
];

/** The request as the next hop gets it, its name `s__t` made native. */
function sent(
  host: Era,
  hop: Era,
  paramsText: string,
  options: RequestOptions & { readonly hopVersion?: string } = {},
): Frame {
  const { hopVersion, ...rest } = options;
  const read = readRequest(requestOf(host, 'tools/call', paramsText, rest));
  const span = read.members.get('name');
  return outboundFrame(read, span === undefined ? undefined : { span, native: 't' }, {
    era: hop,
    protocolVersion: hopVersion ?? REVISION[hop],
  });
}

const paramsOf = (frame: Frame): Map<string, string> => {
  const members = childMembers(frame.bytes, frame.members.get('params')) ?? new Map<string, never>();
  return new Map([...members].map(([key, span]) => [key, textAt(frame.bytes, span)]));
};
const metaOf = (frame: Frame): Record<string, unknown> | undefined => {
  const text = paramsOf(frame).get('_meta');
  return text === undefined ? undefined : (JSON.parse(text) as Record<string, unknown>);
};

/** The members of params in any order, with others among them. */
const paramsText = fc
  .tuple(
    objectText,
    fc.dictionary(fc.stringMatching(/^x-[a-z]{1,6}$/), jsonText, { maxKeys: 3 }),
    fc.option(fc.dictionary(fc.stringMatching(/^[a-z./]{1,12}$/), jsonText, { maxKeys: 3 }), {
      nil: undefined,
    }),
    fc.nat(),
  )
  .map(([args, others, meta, seed]) => {
    const members = [
      '"name" : "s__t"',
      `"arguments":${args}`,
      ...Object.entries(others).map(([key, value]) => `${JSON.stringify(key)}:${value}`),
      ...(meta === undefined
        ? []
        : [
            `"_meta":{${[...Object.entries(meta).map(([key, value]) => `${JSON.stringify(key)}: ${value}`), ENVELOPE].join(' , ')}}`,
          ]),
    ];
    const cut = seed % members.length;
    return {
      text: `{ ${[...members.slice(cut), ...members.slice(0, cut)].join(' , ')} }`,
      args,
      others,
      meta,
    };
  });

describe('a request on its way to the next hop', () => {
  it(verifies('routing:outbound:arguments-untouched'), () => {
    for (const [host, hop] of PAIRS) {
      fc.assert(
        fc.property(paramsText, ({ text, args, others }) => {
          const frame = sent(host, hop, text);
          const params = paramsOf(frame);
          expect(params.get('arguments')).toBe(args.trim());
          expect(params.get('name')).toBe('"t"');
          for (const [key, value] of Object.entries(others)) expect(params.get(key)).toBe(value.trim());
          // The spans of the new frame are those that a fresh scan of its bytes would find.
          const fresh = scanFrame(frame.bytes);
          expect(fresh.root).toEqual(frame.root);
          for (const key of ['jsonrpc', 'id', 'method', 'params'])
            expect(frame.members.get(key)).toEqual(fresh.members.get(key));
          expect([frame.idText, frame.method, frame.kind]).toEqual([fresh.idText, fresh.method, fresh.kind]);
        }),
        { numRuns: 150 },
      );
    }
  });

  it.each([
    '{"n":9007199254740993,"f":1.0,"e":1e400,"z":-0}',
    '{"s":"\\u0041\\u00e9 \\ud83d\\ude42 \u2028"}',
    '{"a":null,"b":[null,{}],"c":{"d":null}}',
    '{"b":1,"a":2,"\\u0062":3}',
    '{ "white" :\t"space"\n}',
    '{"__proto__":{"x":1},"_meta":{"io.modelcontextprotocol/protocolVersion":"mine"}}',
    '{"name":"s__t","arguments":null,"requestState":"mine"}',
  ])('has the very arguments %s in every pair of eras', (args) => {
    for (const [host, hop] of PAIRS) {
      const text = `{"name":"s__t","arguments":${args},"_meta":{${ENVELOPE}}}`;
      expect(paramsOf(sent(host, hop, text)).get('arguments')).toBe(args);
    }
  });

  it(verifies('routing:outbound:absent-stays-absent'), () => {
    const meta = `"_meta":{${ENVELOPE}}`;
    for (const [host, hop] of PAIRS) {
      const withArguments = (args: string): string | undefined =>
        paramsOf(sent(host, hop, `{"name":"s__t",${args}${meta}}`)).get('arguments');
      expect(withArguments('')).toBeUndefined();
      expect(withArguments('"arguments":null,')).toBeUndefined();
      expect(withArguments('"arguments" : {} ,')).toBe('{}');
      expect(withArguments('"arguments":{"a":null},')).toBe('{"a":null}');
      for (const text of [
        `{"arguments":null,"name":"s__t",${meta}}`,
        `{"name":"s__t",${meta},"arguments":null}`,
        '{"name":"s__t","arguments":null}',
        '{"arguments":null,"name":"s__t"}',
        '{"_meta":null,"arguments":null,"name":"s__t"}',
      ]) {
        const frame = sent(host, hop, text);
        expect(() => JSON.parse(frame.bytes.toString()) as unknown).not.toThrow();
        expect(paramsOf(frame).has('arguments')).toBe(false);
      }
    }
  });

  it('is the host’s own frame where nothing has to change', () => {
    const read = readRequest(requestOf('modern', 'tools/call', `{"name":"t","_meta":{${ENVELOPE}}}`));
    const hop = { era: 'modern', protocolVersion: REVISION.modern } as const;
    expect(outboundFrame(read, undefined, hop)).toBe(read.request.frame);
  });

  it(verifies('routing:outbound:envelope-of-the-hop'), () => {
    const clientInfo = { name: 'host', version: '1' };
    const modern = metaOf(
      sent('legacy', 'modern', '{"name":"s__t"}', { capabilities: { elicitation: {} }, logLevel: 'info' }),
    );
    expect(modern).toEqual({
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': clientInfo,
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/logLevel': 'info',
    });
    const nameless = metaOf(
      sent('legacy', 'modern', '{"name":"s__t","_meta":{}}', { clientInfo: undefined }),
    );
    expect(Object.keys(nameless ?? {})).toEqual([
      'io.modelcontextprotocol/protocolVersion',
      'io.modelcontextprotocol/clientCapabilities',
    ]);
    // What a handshake host writes where an envelope would stand is not believed.
    const forged = `{"name":"s__t","_meta":{${ENVELOPE},"io.modelcontextprotocol/logLevel":"debug","k":1}}`;
    expect(metaOf(sent('legacy', 'modern', forged, { clientInfo: undefined }))).toEqual({
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      k: 1,
    });
    const legacy = sent(
      'modern',
      'legacy',
      `{"name":"s__t","_meta":{${ENVELOPE}},"inputResponses":{},"requestState":"x"}`,
    );
    expect([...paramsOf(legacy)]).toEqual([['name', '"t"']]);
    const later = sent('modern', 'modern', `{"name":"s__t","_meta":{${ENVELOPE}}}`, {
      hopVersion: '2027-01-01',
    });
    expect(metaOf(later)).toMatchObject({
      'io.modelcontextprotocol/protocolVersion': '2027-01-01',
      'io.modelcontextprotocol/clientInfo': clientInfo,
    });
  });

  it('keeps what belongs to a retry within the stateless era', () => {
    const text = `{"name":"s__t","inputResponses":{"k":{"a": 1.0}},"requestState":"=%\\u0000","_meta":{${ENVELOPE}}}`;
    const params = paramsOf(sent('modern', 'modern', text));
    expect([params.get('inputResponses'), params.get('requestState')]).toEqual([
      '{"k":{"a": 1.0}}',
      '"=%\\u0000"',
    ]);
  });

  it('promises no extension whose results it could not follow, and keeps the others', () => {
    const capabilities = {
      elicitation: {},
      extensions: {
        'io.modelcontextprotocol/tasks': { x: 1 },
        'io.modelcontextprotocol/ui': { mimeTypes: ['a'] },
      },
    };
    const envelope = ENVELOPE.replace('Capabilities":{}', `Capabilities":${JSON.stringify(capabilities)}`);
    const frame = sent('modern', 'modern', `{"name":"s__t","_meta":{${envelope}}}`, { capabilities });
    expect(metaOf(frame)?.['io.modelcontextprotocol/clientCapabilities']).toEqual({
      elicitation: {},
      extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['a'] } },
    });
  });

  it(verifies('routing:outbound:foreign-meta-kept'), () => {
    const foreign =
      '"traceparent":"00-0af7-b7ad-01","progressToken":1.0,"com.example/x":{"n":9007199254740993}';
    for (const [host, hop] of PAIRS) {
      for (const meta of [`${foreign},${ENVELOPE}`, `${ENVELOPE},${foreign}`]) {
        const frame = sent(host, hop, `{"_meta":{${meta}},"name":"s__t"}`);
        const span = childMembers(frame.bytes, frame.members.get('params'))?.get('_meta');
        if (span === undefined) throw new Error('no _meta');
        const members = memberSpans(frame.bytes, span);
        const texts = ['traceparent', 'progressToken', 'com.example/x'].map((key) => {
          const member = members.get(key);
          return member === undefined ? undefined : textAt(frame.bytes, member);
        });
        expect(texts).toEqual(['"00-0af7-b7ad-01"', '1.0', '{"n":9007199254740993}']);
      }
    }
  });
});

describe('a request without what every relayed method names', () => {
  it.each(['null', '[]', '"x"', '7'])('is refused, its params being %s', (paramsText) => {
    expect(() => readRequest(requestOf('modern', 'tools/call', paramsText))).toThrow(
      'params must be an object',
    );
  });
});
