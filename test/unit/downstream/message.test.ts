import { describe, expect, it } from 'vitest';
import { readMessage } from '../../../src/downstream/message.ts';

const read = (text: string): ReturnType<typeof readMessage> =>
  readMessage(Buffer.from(text), JSON.parse(text));

describe('a message', () => {
  it('is read with its kind, its id as written, its params and its envelope', () => {
    const message = read('{"jsonrpc":"2.0","id":1.0,"method":"m","params":{"a":[1],"_meta":{"k":2}}}');
    expect(message.frame).toMatchObject({ kind: 'request', idText: '1.0', method: 'm' });
    expect([message.params, message.meta]).toEqual([{ a: [1], _meta: { k: 2 } }, { k: 2 }]);
    expect(message.paramsSpan).toBeDefined();
  });

  it('takes null in an optional place for absent', () => {
    const message = read('{"jsonrpc":"2.0","id":1,"method":"m","params":null}');
    expect([message.params, message.meta, message.paramsSpan]).toEqual([{}, {}, undefined]);
    expect(read('{"jsonrpc":"2.0","id":1,"method":"m","params":{"_meta":null}}').meta).toEqual({});
  });

  it('is a notification without an id, and where the id of a notification is null', () => {
    expect(read('{"jsonrpc":"2.0","method":"m"}').frame.kind).toBe('notification');
    expect(read('{"jsonrpc":"2.0","id":null,"method":"notifications/initialized"}').frame.kind).toBe(
      'notification',
    );
  });

  it.each([
    ['a list', '[]'],
    ['a number', '5'],
    ['null', 'null'],
    ['of no protocol', '{"id":1,"method":"m"}'],
    ['of another protocol', '{"jsonrpc":"1.0","id":1,"method":"m"}'],
    ['without a method, a result or an error', '{"jsonrpc":"2.0","id":1}'],
    ['with a method that is no text', '{"jsonrpc":"2.0","id":1,"method":1}'],
    ['with an id that is null', '{"jsonrpc":"2.0","id":null,"method":"tools/call"}'],
    ['with an id that is true', '{"jsonrpc":"2.0","id":true,"method":"m"}'],
    ['with an id that is a list', '{"jsonrpc":"2.0","id":[1],"method":"m"}'],
    ['with params in a list', '{"jsonrpc":"2.0","id":1,"method":"m","params":[1]}'],
    ['with params that are text', '{"jsonrpc":"2.0","id":1,"method":"m","params":"x"}'],
    ['with an envelope that is text', '{"jsonrpc":"2.0","id":1,"method":"m","params":{"_meta":"x"}}'],
    ['with two methods', '{"jsonrpc":"2.0","id":1,"method":"a","method":"b"}'],
    ['with two ids', '{"jsonrpc":"2.0","id":1,"id":2,"method":"a"}'],
    [
      'with params twice, once in disguise',
      '{"jsonrpc":"2.0","id":1,"method":"a","params":{},"par\\u0061ms":{}}',
    ],
  ])('%s is refused', (_what, text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code: 'REQUEST_INVALID' }) as Error);
  });
});
