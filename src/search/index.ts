// Search: which tools of a catalogue answer a request in words.
// In: the tools of one snapshot, and queries. Out: ranked hits, and answers that fit a token allowance.
// No input or output happens here, apart from the optional embedders; the same words give the same answer.
export { type RenderedAnswer, renderAnswer } from './answer.ts';
export type { UpdateReport } from './collection.ts';
export type { SearchDocument } from './document.ts';
export { createMemoryVectorStore, type Embedder, type VectorStore } from './embedder.ts';
export { createOllamaEmbedder, createOpenAiEmbedder, type HttpEmbedderOptions } from './http-embedder.ts';
export { createMeanings, type Likeness, type Meanings, type MeaningsDeps } from './meanings.ts';
export { createOfflineEmbedder } from './offline-embedder.ts';
export {
  createSearchIndex,
  type SearchAnswer,
  type SearchHit,
  type SearchIndex,
  type SearchRequest,
} from './search-index.ts';
export { signatureOf } from './signature.ts';
