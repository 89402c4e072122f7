import MiniSearch from 'minisearch';
import type { Chapter } from './chapter.ts';
import { cutPassages } from './passages.ts';
import type { Passage } from './passages.ts';
import { normalizeTerm, tokenize } from './terms.ts';

export interface Hit {
  readonly chapter: Chapter;
  readonly passage: Passage;
  /** Higher is better; comparable within one answer only. */
  readonly score: number;
}

export interface PassageIndex {
  readonly passageCount: number;
  /** The best passages, best first; empty when no word of the query stands anywhere in the track. */
  search(query: string, options: { readonly track?: string | undefined; readonly limit: number }): Hit[];
}

interface Entry {
  readonly id: number;
  readonly title: string;
  readonly heading: string;
  readonly text: string;
}

/** Cuts every chapter and indexes the pieces in memory. Equal scores keep the order of the site. */
export function createPassageIndex(chapters: readonly Chapter[]): PassageIndex {
  const sources = chapters.flatMap((chapter) =>
    cutPassages(chapter.markdown).map((passage) => ({ chapter, passage })),
  );
  const index = new MiniSearch<Entry>({
    fields: ['title', 'heading', 'text'],
    tokenize,
    processTerm: normalizeTerm,
    searchOptions: {
      // Short terms match too much by prefix, and too much else by one wrong letter.
      prefix: (term) => term.length >= 4,
      fuzzy: (term) => (term.length >= 5 ? 0.2 : false),
      weights: { prefix: 0.4, fuzzy: 0.2 },
    },
  });
  index.addAll(
    sources.map(({ chapter, passage }, id) => ({
      id,
      title: chapter.title,
      heading: passage.heading,
      text: passage.text,
    })),
  );

  return {
    passageCount: sources.length,
    search(query, { track, limit }) {
      return index
        .search(query)
        .flatMap(({ id, score }) => {
          const source = sources[id as number];
          if (source === undefined || (track !== undefined && source.chapter.track !== track)) return [];
          return [{ id: id as number, hit: { ...source, score: Math.round(score * 1000) / 1000 } }];
        })
        .toSorted((a, b) => b.hit.score - a.hit.score || a.id - b.id)
        .slice(0, limit)
        .map(({ hit }) => hit);
    },
  };
}
