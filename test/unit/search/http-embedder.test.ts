import { describe, expect, it } from 'vitest';
import { createOllamaEmbedder, createOpenAiEmbedder } from '../../../src/search/index.ts';

/** A service that answers every request alike, and what it was asked. */
function service(body: unknown, status = 200) {
  const asked: { url: string; headers: Headers; body: unknown }[] = [];
  const fetch: typeof globalThis.fetch = (url, init) => {
    const sent = typeof init?.body === 'string' ? init.body : 'null';
    asked.push({ url: url as string, headers: new Headers(init?.headers), body: JSON.parse(sent) });
    return Promise.resolve(new Response(JSON.stringify(body), { status }));
  };
  return { asked, fetch };
}

describe('embedders over HTTP', () => {
  it('speak to Ollama', async () => {
    const { asked, fetch } = service({
      embeddings: [
        [1, 2],
        [3, 4],
      ],
    });
    const embedder = createOllamaEmbedder({
      url: 'http://127.0.0.1:11434/',
      model: 'nomic-embed-text',
      fetch,
    });
    expect(await embedder.embed(['a', 'b'])).toEqual([Float32Array.of(1, 2), Float32Array.of(3, 4)]);
    expect(asked).toMatchObject([
      { url: 'http://127.0.0.1:11434/api/embed', body: { model: 'nomic-embed-text', input: ['a', 'b'] } },
    ]);
    expect(asked[0]?.headers.has('authorization')).toBe(false);
  });

  it('speak to endpoints of the other form, whatever the order of their answer', async () => {
    const { asked, fetch } = service({
      data: [
        { index: 1, embedding: [2] },
        { index: 0, embedding: [1] },
      ],
    });
    const embedder = createOpenAiEmbedder({
      url: 'https://models.example/v1',
      model: 'm',
      apiKey: 'k',
      fetch,
    });
    expect(await embedder.embed(['a', 'b'])).toEqual([Float32Array.of(1), Float32Array.of(2)]);
    expect(asked[0]?.url).toBe('https://models.example/v1/embeddings');
    expect(asked[0]?.headers.get('authorization')).toBe('Bearer k');
  });

  it.each([
    [{ embeddings: [[1]] }, 200, 'did not answer with one vector for each text'],
    [{ embeddings: [[1], ['x']] }, 200, 'did not answer with one vector for each text'],
    [{ embeddings: [[1], []] }, 200, 'did not answer with one vector for each text'],
    [null, 200, 'did not answer with one vector for each text'],
    [{ error: 'secret' }, 401, 'answered 401'],
  ])('refuse what is no answer: %j', async (body, status, message) => {
    const { fetch } = service(body, status);
    const url = 'http://user:hidden@models.example/root';
    const failed = createOllamaEmbedder({ url, model: 'm', fetch }).embed(['a', 'b']);
    await expect(failed).rejects.toThrow(`the embeddings service at http://models.example ${message}`);
    await expect(failed).rejects.not.toThrow(/hidden|secret/);
  });
});
