import { describe, expect, it } from 'vitest';
import { parseChapter } from '../../../servers/site-search/chapter.ts';
import { createPassageIndex } from '../../../servers/site-search/passage-index.ts';
import { normalizeTerm, tokenize } from '../../../servers/site-search/terms.ts';
import { verifies } from '../../requirements/site-search.ts';

const CHAPTERS = [
  parseChapter(
    'bread',
    '01-dough',
    '# Dough\n\n## Flour\n\nStrong flour makes an elastic dough.\n\n## Water\n\nCold water slows yeast.',
  ),
  parseChapter(
    'bread',
    '02-ovens',
    '# Ovens\n\n## Heat\n\nA hot oven gives spring; steam keeps the crust soft.',
  ),
  parseChapter(
    'tea',
    '01-water',
    '# Water for tea\n\n## Heat\n\nGreen tea wants water at 70 degrees.\n\n## Yeast\n\nNone here.',
  ),
  ...Array.from({ length: 8 }, (_, at) =>
    parseChapter('notes', `0${at}-cups`, `# Cup ${at}\n\n## Clay\n\nA cup of clay number ${at}.`),
  ),
];
const index = createPassageIndex(CHAPTERS);
const find = (query: string, track?: string, limit = 5) =>
  index.search(query, { track, limit }).map(({ chapter, passage }) => `${chapter.id} ${passage.heading}`);

describe('searching passages', () => {
  it(verifies('site-search:search:five-best'), () => {
    expect(find('clay cup')).toEqual(
      ['00-cups', '01-cups', '02-cups', '03-cups', '04-cups'].map((id) => `${id} Clay`),
    );
    expect(find('elastic dough')[0]).toBe('01-dough Flour');
    const scores = index.search('water heat', { limit: 5 }).map((hit) => hit.score);
    expect(scores).toEqual([...scores].toSorted((a, b) => b - a));
  });

  it(verifies('site-search:search:track'), () => {
    expect(find('water', 'tea').every((place) => place.startsWith('01-water'))).toBe(true);
    expect(find('water', 'tea')).not.toEqual([]);
    expect(find('dough', 'tea')).toEqual([]);
  });

  it('understands a question in plain words, plurals, accents and a small slip', () => {
    expect(find('What is it that makes the doughs elastic?')[0]).toBe('01-dough Flour');
    expect(find('elastc flöur')[0]).toBe('01-dough Flour');
  });

  it('answers an empty list for words that occur nowhere and for nothing but common words', () => {
    expect(find('zeppelin')).toEqual([]);
    expect(find('what is it?')).toEqual([]);
    expect(find('!?')).toEqual([]);
  });

  it('indexes each neighbouring pair in scripts without spaces', () => {
    const chapter = parseChapter('ja', '01', '# 紅茶\n\n## お湯\n\n紅茶には沸騰したお湯を使います。');
    const japanese = createPassageIndex([chapter]);
    expect(japanese.search('沸騰', { limit: 5 })).toHaveLength(1);
    expect(tokenize('heap 配列木')).toEqual(['heap', '配列', '列木']);
  });
});

describe('normal forms of terms', () => {
  it.each([
    ['Heaps', 'heap'],
    ['queries', 'query'],
    ['class', 'class'],
    ['analysis', 'analysis'],
    ['bus', 'bus'],
    ['string', 'string'],
    ['speed', 'speed'],
    ['Ångström', 'angstrom'],
    ['деревья', 'деревья'],
    ['the', null],
  ])('%s becomes %s', (term, expected) => {
    expect(normalizeTerm(term)).toBe(expected);
  });

  it.each([
    [['delete', 'deletes', 'deleted', 'deleting', 'deletion']],
    [['cache', 'caches', 'caching', 'cached']],
    [['run', 'running']],
    [['invalidate', 'invalidation']],
  ])('are one for %j', (forms) => {
    expect(new Set(forms.map(normalizeTerm)).size).toBe(1);
  });
});
