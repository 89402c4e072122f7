import { describe, expect, it } from 'vitest';
import { stem } from '../../../src/search/stem.ts';

describe('stemming', () => {
  it.each([
    ['create creates created creating', 'creat'],
    ['query queries', 'queri'],
    ['repository repositories', 'repositori'],
    ['file files filed filing', 'file'],
    ['relational', 'relat'],
    ['hopping', 'hop'],
    ['caresses', 'caress'],
    ['agreed', 'agre'],
    ['bled', 'bled'],
    ['sky', 'sky'],
    ['triplicate', 'triplic'],
    ['adoption', 'adopt'],
    ['controll', 'control'],
    ['generalizations', 'gener'],
  ])('brings forms of a word together: %s', (words, expected) => {
    expect(new Set(words.split(' ').map(stem))).toEqual(new Set([expected]));
  });

  it.each(['is', 'задачами', 'tâches', 's3', '天气', ''])('leaves other words alone: "%s"', (word) => {
    expect(stem(word)).toBe(word);
  });
});
