import { loadCorpus } from './corpus.ts';
import type { Corpus } from './corpus.ts';
import { createPassageIndex } from './passage-index.ts';
import type { PassageIndex } from './passage-index.ts';

/** What every request is answered from. It is built once and shared by all server instances. */
export interface Site {
  readonly corpus: Corpus;
  readonly index: PassageIndex;
}

/** @throws CorpusError when `root` cannot be served. */
export async function loadSite(root: string): Promise<Site> {
  const corpus = await loadCorpus(root);
  return { corpus, index: createPassageIndex(corpus.chapters) };
}
