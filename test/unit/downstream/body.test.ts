import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { parseJson, readBody } from '../../../src/downstream/body.ts';

function reading(maxBytes: number): { readonly input: PassThrough; readonly seen: string[] } {
  const input = new PassThrough();
  const seen: string[] = [];
  readBody(input as unknown as IncomingMessage, maxBytes, {
    done: (body) => seen.push(body.toString('utf8')),
    tooLarge: () => seen.push('too large'),
  });
  return { input, seen };
}

const ended = (input: PassThrough): Promise<void> =>
  new Promise((resolve) => {
    input.on('end', resolve);
    input.end();
  });

describe('a request body', () => {
  it('is the same whether it arrives at once or one byte at a time', async () => {
    const text = '{"a":"é日本😀"}';
    const bytes = Buffer.from(text);
    for (const step of [bytes.length, 1, 3]) {
      const { input, seen } = reading(100);
      for (let at = 0; at < bytes.length; at += step) input.write(bytes.subarray(at, at + step));
      await ended(input);
      expect(seen).toEqual([text]);
    }
  });

  it('may be as large as the limit and not a byte larger', async () => {
    const exact = reading(4);
    exact.input.write('1234');
    await ended(exact.input);
    expect(exact.seen).toEqual(['1234']);
    const larger = reading(4);
    for (const chunk of ['123', '45', '6']) larger.input.write(chunk);
    await ended(larger.input);
    expect(larger.seen).toEqual(['too large']);
  });

  it('may be empty', async () => {
    const { input, seen } = reading(4);
    await ended(input);
    expect(seen).toEqual(['']);
  });

  it('is left to its response when the connection breaks', () => {
    const { input, seen } = reading(4);
    input.write('12');
    input.destroy(new Error('read ECONNRESET'));
    expect(seen).toEqual([]);
  });
});

describe('JSON', () => {
  it.each([
    ['that is cut off', Buffer.from('{"a":')],
    ['that is none', Buffer.from('hello')],
    ['with something after it', Buffer.from('{} {}')],
    ['that is empty', Buffer.alloc(0)],
    ['in another encoding', Buffer.from('{"a":"é"}', 'latin1')],
    ['with half a character', Buffer.from('{"a":"é"}').subarray(0, 7)],
  ])('%s is a parse error', (_what, bytes) => {
    expect(() => parseJson(bytes)).toThrow(expect.objectContaining({ code: 'PARSE_ERROR' }) as Error);
  });

  it('is read as UTF-8', () => {
    expect(parseJson(Buffer.from('{"a":"é"}'))).toEqual({ a: 'é' });
  });
});
