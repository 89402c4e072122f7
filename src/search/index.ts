// Search: which tools of a catalogue answer a request in words.
// In: the tools of one snapshot, and queries. Out: ranked hits, and answers that fit a token allowance.
// Nothing here does input or output, apart from the optional embedders; the same words give the same answer.
export { type RenderedAnswer, renderAnswer } from './answer.ts';
export type { UpdateReport } from './collection.ts';
export type { SearchDocument } from './document.ts';
export {
  createSearchIndex,
  type SearchAnswer,
  type SearchHit,
  type SearchIndex,
  type SearchRequest,
} from './search-index.ts';
