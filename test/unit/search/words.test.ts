import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunksOf, wordsOf } from '../../../src/search/words.ts';

const split = (text: string): string[] => chunksOf(text).flatMap(wordsOf);

describe('words', () => {
  it.each([
    ['addPerson', 'add person'],
    ['appTableRecord_search', 'app table record search'],
    ['XMLParser', 'xml parser'],
    ['list-issues/v2.get', 'list issues v 2 get'],
    ['getHTTP2Stream', 'get http 2 stream'],
    ['GitHub GITHUB github', 'git hub github github'],
    ['ｇｅｔＵｓｅｒ ﬁle', 'get user file'],
    ['naïve Über señor', 'naive uber senor'],
    ['создатьЗадачу', 'создать задачу'],
    ['й ё', 'й ё'],
    ['問題を作成', '問題 題を を作 作成'],
    ['查询weather预报', '查询 weather 预报'],
    ['don’t', 'don t'],
    ['', ''],
  ])('of "%s" are "%s"', (text, expected) => {
    expect(split(text).join(' ')).toBe(expected);
  });

  it('of a composed and a decomposed text are the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(split(text.normalize('NFD'))).toEqual(split(text.normalize('NFC')));
      }),
    );
  });

  it('have neither space nor capital', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const word of split(text)) expect(word).not.toMatch(/\s|[A-Z]/u);
      }),
    );
  });
});
