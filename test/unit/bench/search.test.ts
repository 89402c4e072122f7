import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { merged, readCorpora } from '../../../bench/search/corpora.ts';
import { measure } from '../../../bench/search/measure.ts';
import { quantile, qualityOf } from '../../../bench/search/measures.ts';
import { readEquivalents, readQuestions } from '../../../bench/search/questions.ts';
import { createSearchIndex } from '../../../src/search/index.ts';

let folder: string;
const at = (name: string): string => join(folder, name);
const lines = (...values: unknown[]): string =>
  `${values.map((value) => JSON.stringify(value)).join('\n')}\n`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bench-search-'));
  const files = {
    'corpus-alpha.jsonl': lines(
      { server: 'mail', name: 'send', description: 'Send a mail', inputSchema: {} },
      { server: 'mail', name: 'read', description: 'Read a mail', inputSchema: {} },
    ),
    'real-servers.json': JSON.stringify({
      mail: { tools: [{ name: 'send', description: 'Post a letter' }] },
    }),
    'real-servers-suite.json.gz': gzipSync(JSON.stringify([{ name: 'draw', description: 'Draw a shape' }])),
    'equivalents.json': JSON.stringify({ 'alpha:mail/send': ['npm:mail/send'] }),
    'queries.jsonl': lines(
      { id: '1', query: 'send mail', gold: ['mail/send'], alt: { 'mail/send': ['mail/read'] } },
      { id: '2', query: 'draw', gold: ['npm:suite/draw'] },
    ),
  };
  await Promise.all(Object.entries(files).map(([name, content]) => writeFile(at(name), content)));
});

afterAll(() => rm(folder, { recursive: true }));

describe('corpora', () => {
  it('keep their keys alone, and carry their corpus together', () => {
    expect(merged(readCorpora([at('corpus-alpha.jsonl')])).map(({ key }) => key)).toEqual([
      'mail/send',
      'mail/read',
    ]);
    const files = ['corpus-alpha.jsonl', 'real-servers.json', 'real-servers-suite.json.gz'].map(at);
    expect(merged(readCorpora(files)).map(({ key }) => key)).toEqual([
      'alpha:mail/send',
      'alpha:mail/read',
      'npm:mail/send',
      'npm:suite/draw',
    ]);
  });
});

describe('questions', () => {
  const golden = (files: readonly string[], equivalents?: string): string[][][] => {
    const known = equivalents === undefined ? undefined : readEquivalents(at(equivalents));
    return readQuestions(at('queries.jsonl'), readCorpora(files.map(at)), known).map(({ gold }) =>
      gold.map((group) => [...group]),
    );
  };

  it('count what their set calls the same', () => {
    expect(golden(['corpus-alpha.jsonl'])[0]).toEqual([['mail/send', 'mail/read']]);
  });

  it('count equivalents in the other corpora, in either direction', () => {
    const files = ['corpus-alpha.jsonl', 'real-servers.json', 'real-servers-suite.json.gz'];
    expect(golden(files, 'equivalents.json')).toEqual([
      [['alpha:mail/send', 'npm:mail/send', 'alpha:mail/read']],
      [['npm:suite/draw']],
    ]);
    expect(readEquivalents(at('equivalents.json')).get('npm:mail/send')).toEqual(
      new Set(['alpha:mail/send']),
    );
  });
});

describe('quality', () => {
  const question = (...gold: string[][]) => ({
    id: '',
    query: '',
    gold: gold.map((group) => new Set(group)),
  });

  it('is computed as defined', () => {
    const questions = [question(['a'], ['b', 'c']), question(['z'])];
    const quality = qualityOf(questions, [['x', 'c', 'y', 'w', 'v', 'a'], ['q']]);
    expect(quality.n).toBe(2);
    expect(quality.recall).toEqual({ 1: 0, 5: 0.25, 10: 0.5, 20: 0.5 });
    expect(quality.hit5).toBe(0.5);
    expect(quality.mrr).toBe(0.25);
    expect(quality.se5).toBeCloseTo(0.25);
    const gain = 1 / Math.log2(3) + 1 / Math.log2(7);
    expect(quality.ndcg10).toBeCloseTo(gain / (1 + 1 / Math.log2(3)) / 2);
  });

  it('has quantiles of what was measured, never between', () => {
    expect([0.5, 0.95, 0.99].map((share) => quantile([4, 1, 3, 2], share))).toEqual([2, 4, 4]);
    expect(quantile([], 0.5)).toBe(0);
  });
});

describe('a run', () => {
  it('tells what the index that serves answers', () => {
    const corpora = readCorpora(['corpus-alpha.jsonl', 'real-servers-suite.json.gz'].map(at));
    const outcome = measure(
      merged(corpora),
      readQuestions(at('queries.jsonl'), corpora),
      { limit: 5, allowanceTokens: 20 },
      { createIndex: createSearchIndex, countTokens: (text) => text.length },
    );
    expect(Object.keys(outcome)).toEqual([
      'n',
      'recall',
      'se5',
      'hit5',
      'ndcg10',
      'mrr',
      'answerTokens',
      'buildMs',
      'queryMs',
    ]);
    expect(outcome).toMatchObject({ n: 2, recall: { 1: 1, 5: 1, 10: 1, 20: 1 }, se5: 0, hit5: 1, mrr: 1 });
    expect(outcome.answerTokens.p95).toBeLessThanOrEqual(20);
    expect(outcome.buildMs).toBeGreaterThan(0);
    expect(outcome.queryMs.p99).toBeGreaterThanOrEqual(outcome.queryMs.p50);
  });
});
