import { describe, expect, it } from 'vitest';
import { idKey, readableId } from '../../../src/downstream/request-ids.ts';

describe('the key of an id', () => {
  it.each([
    ['1', '1.0'],
    ['1', '10e-1'],
    ['0', '-0'],
    ['"a"', '"\\u0061"'],
    ['"é"', '"\\u00e9"'],
    ['"/"', '"\\/"'],
  ])('is the same for %s and %s', (one, other) => {
    expect(idKey(other)).toBe(idKey(one));
  });

  it.each([
    ['1', '"1"'],
    ['1', '01'],
    ['"1"', '"01"'],
    ['1', '1.5'],
    ['9007199254740993', '9007199254740992'],
    ['123456789012345678901234567890', '123456789012345678901234567891'],
    ['""', '0'],
    ['"a"', '"A"'],
    ['"é"', '"e\\u0301"'],
  ])('is another for %s and %s', (one, other) => {
    expect(idKey(other)).not.toBe(idKey(one));
  });
});

describe('the id of a message that cannot be served', () => {
  const read = (text: string): string | undefined => readableId(Buffer.from(text), JSON.parse(text));

  it.each([
    ['{"id":1.50}', '1.50'],
    ['{"x":{"id":7},"id":"\\u0061"}', '"\\u0061"'],
    ['{"jsonrpc":"1.0","id":0,"params":[]}', '0'],
  ])('of %s is %s', (text, id) => {
    expect(read(text)).toBe(id);
  });

  it.each([
    '{}',
    '{"id":null}',
    '{"id":{}}',
    '{"id":true}',
    '[1]',
    '"id"',
    '{"id":1,"id":2}',
    '{"a":1,"a":2,"id":3}',
  ])('of %s cannot be read', (text) => {
    expect(read(text)).toBeUndefined();
  });
});
