import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  errorFrame,
  JsonScanError,
  notificationFrame,
  requestFrame,
  resultFrame,
  scanFrame,
  textAt,
  withId,
} from '../../../src/wire/index.ts';
import { verifies } from '../../requirements/wire.ts';
import { jsonText, objectText } from './arbitrary-json.ts';

const scan = (text: string): ReturnType<typeof scanFrame> => scanFrame(Buffer.from(text));

function isRefused(text: string): boolean {
  try {
    scan(text);
    return false;
  } catch (error) {
    return error instanceof JsonScanError;
  }
}

/** Ids as JSON text: every spelling that a peer may choose. */
const idText = fc.oneof(
  fc.constantFrom(
    '0',
    '"0"',
    '"1"',
    '"01"',
    '1.5',
    '1.0',
    '-3',
    '1e3',
    '9007199254740991',
    '9007199254740993',
    '""',
  ),
  fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
  fc.string({ minLength: 2_000, maxLength: 2_100 }).map((text) => JSON.stringify(text)),
  fc.integer().map(String),
);

describe('a frame', () => {
  it.each([
    ['request', '{"jsonrpc":"2.0","id":1,"method":"m"}', '1', 'm'],
    ['request', '{"method":"m","id":"a","jsonrpc":"2.0","params":null}', '"a"', 'm'],
    ['notification', '{"jsonrpc":"2.0","method":"m"}', undefined, 'm'],
    ['notification', '{"jsonrpc":"2.0","method":"m","id":null}', undefined, 'm'],
    ['response', '{"jsonrpc":"2.0","id":1,"result":{}}', '1', undefined],
    ['response', '{"result":null,"jsonrpc":"2.0","id":1}', '1', undefined],
    ['error', '{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}', undefined, undefined],
  ])('is a %s by its members', (kind, text, id, method) => {
    expect(scan(text)).toMatchObject({ kind, idText: id, method });
  });

  it(verifies('wire:frames:not-a-message'), () => {
    const junk = [
      'null',
      '123',
      '"text"',
      '[]',
      '{}',
      '{"level":"info"}',
      '{"jsonrpc":"1.0","id":1,"result":{}}',
      '{"jsonrpc":2.0,"id":1,"result":{}}',
      '{"jsonrpc":"2.0","id":1}',
      '{"jsonrpc":"2.0","id":1,"method":7}',
      '{"jsonrpc":"2.0","id":1,"result":{}}{"jsonrpc":"2.0","id":2,"result":{}}',
      'Starting server…{"jsonrpc":"2.0","id":1,"result":{}}',
      '\u001B[2J{"jsonrpc":"2.0","id":1,"result":{}}',
      '{"jsonrpc":"2.0","id":1,"result":{}',
      '{"jsonrpc":"2.0","method":"a\nb"}',
      '',
    ];
    expect(junk.filter((text) => !isRefused(text))).toEqual([]);
  });

  it('is written so that it reads back', () => {
    expect(scan(resultFrame('"x"', '{"a":1}'))).toMatchObject({ kind: 'response', idText: '"x"' });
    expect(scan(requestFrame('1', 'tools/call', '{}'))).toMatchObject({
      kind: 'request',
      method: 'tools/call',
    });
    expect(scan(notificationFrame('n/"m"'))).toMatchObject({ kind: 'notification', method: 'n/"m"' });
    expect(scan(notificationFrame('n', '[1]')).members.has('params')).toBe(true);
    expect(JSON.parse(errorFrame(undefined, -1, 'm'))).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -1, message: 'm' },
    });
    expect(JSON.parse(errorFrame('"7"', -1, 'm', { a: 1 }))).toMatchObject({
      id: '7',
      error: { data: { a: 1 } },
    });
  });
});

describe('the id of a frame', () => {
  it(verifies('wire:frames:ids-keep-spelling'), () => {
    fc.assert(
      fc.property(idText, idText, jsonText, fc.boolean(), (before, after, result, isLast) => {
        const text = isLast
          ? `{"jsonrpc":"2.0", "result":${result},"id" : ${before} }`
          : ` {"id":${before},"result":${result},"jsonrpc":"2.0"}\n`;
        const frame = scan(text);
        expect(frame.idText).toBe(before);
        const changed = withId(frame, after);
        // What the splice says of its own result is what reading it again says.
        const reread = scanFrame(changed.bytes);
        expect(changed).toEqual(reread);
        expect(changed.idText).toBe(after);
        const there = (span: { start: number; end: number } | undefined): string =>
          span === undefined ? '' : textAt(changed.bytes, span);
        expect(there(changed.members.get('result'))).toBe(
          textAt(frame.bytes, frame.members.get('result') ?? frame.root),
        );
        expect(withId(changed, before).bytes).toEqual(frame.bytes);
      }),
    );
  });

  it('is put in where there was none, or null', () => {
    fc.assert(
      fc.property(objectText, (error) => {
        for (const text of [
          `{"error":${error},"jsonrpc":"2.0"}`,
          `{"jsonrpc":"2.0","id":null,"error":${error}}`,
        ]) {
          const changed = withId(scan(text), '"ä"');
          expect(changed).toEqual(scanFrame(changed.bytes));
          expect(changed.idText).toBe('"ä"');
        }
      }),
    );
  });

  it('that is the same already leaves the frame alone', () => {
    const frame = scan('{"jsonrpc":"2.0","id":1,"result":{}}');
    expect(withId(frame, '1')).toBe(frame);
  });
});
