import { createHash } from 'node:crypto';
import { bestOf } from './best-of.ts';
import type { Clock } from '../domain/index.ts';
import type { SearchDocument } from './document.ts';
import type { Embedder, VectorStore } from './embedder.ts';
import { firstWords } from './signature.ts';

/** Likeness of tools to a query, by key: the cosine of their vectors. */
export type Likeness = ReadonlyMap<string, number>;

/** Finds tools by meaning, as an addition to words that search never waits for longer than it was told. */
export interface Meanings {
  /**
   * Makes these the documents that can be found, and embeds those that have no vector yet, in the background.
   * Resolves when all are done; what fails stays without a vector and is tried again next time.
   */
  update(documents: readonly SearchDocument[]): Promise<void>;
  /** The nearest tools; nothing when the embedder does not answer in time. */
  likeness(query: string, timeoutMs: number): Promise<Likeness | undefined>;
}

export interface MeaningsDeps {
  readonly embedder: Embedder;
  readonly store: VectorStore;
  readonly clock: Clock;
  /** Told once for each failed batch or query; search goes on by words. */
  readonly onProblem: (error: unknown) => void;
}

const BATCH = 32;
const MAX_TEXT_CHARS = 400;
/** Tools nearer than all others by meaning alone that can join those found by words. */
const NEAREST = 100;

export function createMeanings({ embedder, store, clock, onProblem }: MeaningsDeps): Meanings {
  let vectors = new Map<string, Float32Array>();

  const storeKey = (text: string): string =>
    createHash('sha256').update(`${embedder.model}\n${text}`).digest('base64url');

  async function embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]> {
    return (await embedder.embed(texts, signal)).map(unit);
  }

  /** Embeds what is missing, batch by batch; `isCurrent` turns false when a newer update took over. */
  async function fill(missing: readonly SearchDocument[], isCurrent: () => boolean): Promise<void> {
    for (let from = 0; from < missing.length && isCurrent(); from += BATCH) {
      const batch = missing.slice(from, from + BATCH);
      try {
        const texts = batch.map(textOf);
        const found = await embed(texts);
        for (const [at, document] of batch.entries()) {
          const vector = found[at];
          if (vector === undefined) continue;
          store.set(storeKey(texts[at] ?? ''), vector);
          if (isCurrent()) vectors.set(document.key, vector);
        }
      } catch (error) {
        onProblem(error);
      }
    }
  }

  return {
    async update(documents) {
      const known = new Map<string, Float32Array>();
      const missing: SearchDocument[] = [];
      for (const document of documents) {
        const vector = store.get(storeKey(textOf(document)));
        if (vector === undefined) missing.push(document);
        else known.set(document.key, vector);
      }
      vectors = known;
      await fill(missing, () => vectors === known);
    },
    async likeness(query, timeoutMs) {
      try {
        const vector = await inTime((signal) => embed([query], signal), timeoutMs, clock);
        return vector === undefined ? undefined : nearest(vector, vectors);
      } catch (error) {
        onProblem(error);
        return undefined;
      }
    },
  };
}

/** The first vector, or an error when it takes too long, whether or not the embedder heeds the signal. */
async function inTime(
  work: (signal: AbortSignal) => Promise<readonly Float32Array[]>,
  timeoutMs: number,
  clock: Clock,
): Promise<Float32Array | undefined> {
  const abort = new AbortController();
  let stop = (): void => undefined;
  const late = new Promise<never>((_, reject) => {
    stop = clock.after(timeoutMs, () => {
      const error = new Error(`the embedder did not answer within ${timeoutMs} ms`);
      reject(error);
      abort.abort(error);
    });
  });
  try {
    const [vector] = await Promise.race([work(abort.signal), late]);
    return vector;
  } finally {
    stop();
  }
}

/** What is embedded of a tool: the beginning says what it is for. */
function textOf({ server, name, title, description }: SearchDocument): string {
  const names = `${server} ${title ?? name}`.replace(/[_\-./:]+|(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
  return `${names}: ${firstWords(description, MAX_TEXT_CHARS)}`;
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((part) => part / length);
}

function nearest(query: Float32Array, vectors: ReadonlyMap<string, Float32Array>): Likeness {
  const near = [...vectors].map(([key, vector]) => ({ key, cosine: dot(query, vector) }));
  const best = bestOf(
    near,
    NEAREST,
    (one, other) => one.cosine > other.cosine,
    ({ cosine }) => cosine > 0,
  );
  return new Map(best.map(({ key, cosine }) => [key, cosine]));
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}
