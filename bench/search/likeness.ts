import { systemClock } from '../../src/domain/index.ts';
import {
  createMeanings,
  createMemoryVectorStore,
  createOfflineEmbedder,
  type Likeness,
  type SearchDocument,
} from '../../src/search/index.ts';
import type { Question } from './questions.ts';

/** Long enough for any machine: what is measured is the ranking, not the encoder's speed. */
const TIMEOUT_MS = 60_000;

/** What the offline encoder says of each question; throws when a text could not be encoded. */
export async function likenessOf(
  documents: readonly SearchDocument[],
  questions: readonly Question[],
): Promise<(Likeness | undefined)[]> {
  const problems: unknown[] = [];
  const meanings = createMeanings({
    embedder: await createOfflineEmbedder(),
    store: createMemoryVectorStore(),
    clock: systemClock,
    onProblem: (error) => problems.push(error),
  });
  await meanings.update(documents);
  const found: (Likeness | undefined)[] = [];
  for (const { query } of questions) found.push(await meanings.likeness(query, TIMEOUT_MS));
  if (problems.length > 0) throw problems[0];
  return found;
}
