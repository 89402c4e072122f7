import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLineSplitter } from '../../../src/wire/index.ts';
import { verifies } from '../../requirements/wire.ts';

/** What comes out of a stream that arrives in the given pieces. */
function linesOf(
  pieces: readonly Buffer[],
  maxLineBytes = 1_000_000,
): { lines: string[]; tooLong: number[] } {
  const lines: string[] = [];
  const tooLong: number[] = [];
  const splitter = createLineSplitter({
    maxLineBytes,
    onLine: (line) => lines.push(line.toString('utf8')),
    onTooLong: (bytes) => tooLong.push(bytes),
  });
  for (const piece of pieces) splitter.push(piece);
  return { lines, tooLong };
}

const byteWise = (text: string): Buffer[] => [...Buffer.from(text)].map((byte) => Buffer.from([byte]));

/** Cuts at arbitrary places, inside characters as well. */
const cut = (bytes: Buffer, at: readonly number[]): Buffer[] => {
  const places = [
    0,
    ...at.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b),
    bytes.length,
  ];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
};

describe('a stream of lines', () => {
  it(verifies('wire:lines:bytes-not-characters'), () => {
    const text = '\uFEFF{"a":"😀 漢字 é"}\r\n{"b":"\u2028\u2029\u0085"}\n\n{"c":1}\r\n';
    const expected = ['{"a":"😀 漢字 é"}', '{"b":"\u2028\u2029\u0085"}', '{"c":1}'];
    expect(linesOf(byteWise(text)).lines).toEqual(expected);
    expect(linesOf([Buffer.from(text)]).lines).toEqual(expected);
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ unit: 'binary', minLength: 1 }).map((line) => line.replaceAll(/[\r\n\uFEFF]/g, 'x')),
        ),
        fc.array(fc.nat()),
        (lines, places) => {
          const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
          const expected = lines.map((line) => Buffer.from(line).toString());
          expect(linesOf(cut(bytes, places)).lines).toEqual(expected);
        },
      ),
    );
  });

  it(verifies('wire:lines:bounded'), () => {
    const long = 'x'.repeat(101);
    const { lines, tooLong } = linesOf(byteWise(`${long}\nok\n${'y'.repeat(100)}\n`), 100);
    expect(lines).toEqual(['ok', 'y'.repeat(100)]);
    expect(tooLong).toEqual([101]);
    expect(linesOf([Buffer.from(`${long}\nok\n`)], 100)).toEqual({ lines: ['ok'], tooLong: [101] });
  });

  it('never reports a line that no LF ended', () => {
    expect(linesOf([Buffer.from('{"a":1}')]).lines).toEqual([]);
  });

  it('drops the mark at the start of the stream only', () => {
    expect(linesOf([Buffer.from('\uFEFFa\n\uFEFFb\n')]).lines).toEqual(['a', '\uFEFFb']);
  });
});
