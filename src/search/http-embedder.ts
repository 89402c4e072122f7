import type { Embedder } from './embedder.ts';

export interface HttpEmbedderOptions {
  /** Root of the service: `http://127.0.0.1:11434` for Ollama, `https://host/v1` for the other form. */
  readonly url: string;
  readonly model: string;
  /** Sent as a bearer token when given. */
  readonly apiKey?: string;
  readonly fetch?: typeof fetch;
}

/** A model served by Ollama, for instance `nomic-embed-text`. */
export function createOllamaEmbedder(options: HttpEmbedderOptions): Embedder {
  return createEmbedder(options, 'api/embed', (body) => (body as { embeddings?: unknown }).embeddings);
}

/** A model behind any endpoint of the form that OpenAI's embeddings have. */
export function createOpenAiEmbedder(options: HttpEmbedderOptions): Embedder {
  return createEmbedder(options, 'embeddings', (body) => {
    const { data } = body as { data?: unknown };
    if (!Array.isArray(data)) return undefined;
    return (data as readonly { index?: number; embedding?: unknown }[])
      .map(({ index, embedding }, at) => ({ at: index ?? at, embedding }))
      .toSorted((one, other) => one.at - other.at)
      .map(({ embedding }) => embedding);
  });
}

function createEmbedder(
  options: HttpEmbedderOptions,
  path: string,
  vectorsIn: (body: object) => unknown,
): Embedder {
  const { url, model, apiKey, fetch: send = fetch } = options;
  const address = `${url.replace(/\/+$/, '')}/${path}`;
  // A key or password could be part of the address: messages name the origin alone.
  const { origin } = new URL(address);
  return {
    model,
    async embed(texts, signal) {
      const response = await send(address, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
        },
        body: JSON.stringify({ model, input: texts }),
        ...(signal === undefined ? {} : { signal }),
      });
      if (!response.ok) throw new Error(`the embeddings service at ${origin} answered ${response.status}`);
      const body: unknown = await response.json();
      const vectors = typeof body === 'object' && body !== null ? vectorsIn(body) : undefined;
      if (!Array.isArray(vectors) || vectors.length !== texts.length || !vectors.every(isVector))
        throw new Error(`the embeddings service at ${origin} did not answer with one vector for each text`);
      return vectors.map((vector) => Float32Array.from(vector));
    },
  };
}

function isVector(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'number');
}
