/**
 * Turns texts into vectors of one length. Where texts are meant alike their vectors point alike. Vectors need
 * not be normalised.
 */
export interface Embedder {
  /** Names the model: vectors of different models are never compared. */
  readonly model: string;
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]>;
}

/** Where vectors are kept between runs, by model and digest of the text. */
export interface VectorStore {
  get(key: string): Float32Array | undefined;
  set(key: string, vector: Float32Array): void;
}

/** A store that forgets with the process. */
export function createMemoryVectorStore(): VectorStore {
  const vectors = new Map<string, Float32Array>();
  return {
    get: (key) => vectors.get(key),
    set: (key, vector) => void vectors.set(key, vector),
  };
}
