import { parseArgs } from 'node:util';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { createSearchIndex } from '../../src/search/index.ts';
import { merged, readCorpora } from './corpora.ts';
import { likenessOf } from './likeness.ts';
import { measure, type Outcome } from './measure.ts';
import { readEquivalents, readQuestions } from './questions.ts';

const usage = `npm run bench:search -- --corpus FILE [--corpus FILE…] --queries FILE [--equivalents FILE] [--json]

  --corpus FILE       tools: JSONL of {server, name, description, inputSchema}, or the dumps of published
                      servers (JSON, also gzipped); several are searched together
  --queries FILE      JSONL of {id, query, gold, alt?}
  --equivalents FILE  JSON of keys that count as the same tool
  --limit N           hits in an answer (default 10)
  --allowance N       tokens an answer may cost (default 900)
  --encoder offline   rank by meaning too, with the encoder of the optional packages
  --json              one line of JSON instead of the table
`;

function readOptions() {
  const { values } = parseArgs({
    options: {
      corpus: { type: 'string', multiple: true, default: [] },
      queries: { type: 'string' },
      equivalents: { type: 'string' },
      limit: { type: 'string', default: '10' },
      allowance: { type: 'string', default: '900' },
      encoder: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const { queries, equivalents, encoder } = values;
  if (values.corpus.length === 0 || queries === undefined)
    throw new Error('--corpus and --queries are both needed');
  if (encoder !== undefined && encoder !== 'offline')
    throw new Error(`--encoder takes offline, not ${encoder}`);
  return {
    corpora: values.corpus,
    queries,
    equivalents,
    encoder,
    json: values.json,
    shape: {
      limit: positive('--limit', values.limit),
      allowanceTokens: positive('--allowance', values.allowance),
    },
  };
}

function positive(name: string, value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1)
    throw new Error(`${name} takes a whole number from 1, not ${value}`);
  return number;
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`;

function tableOf(outcome: Outcome, tools: number): string {
  const { recall, answerTokens, queryMs } = outcome;
  const rows: [string, string][] = [
    ['tools', String(tools)],
    ['queries', String(outcome.n)],
    ['recall@1', percent(recall[1])],
    ['recall@5', `${percent(recall[5])} (standard error ${percent(outcome.se5)})`],
    ['recall@10', percent(recall[10])],
    ['recall@20', percent(recall[20])],
    ['hit@5', percent(outcome.hit5)],
    ['NDCG@10', outcome.ndcg10.toFixed(3)],
    ['MRR', outcome.mrr.toFixed(3)],
    ['tokens an answer', `median ${answerTokens.median}, p95 ${answerTokens.p95} (o200k_base)`],
    ['build', ms(outcome.buildMs)],
    ['query', `p50 ${ms(queryMs.p50)}, p99 ${ms(queryMs.p99)}`],
  ];
  return rows.map(([name, value]) => `${name.padEnd(18)}${value}`).join('\n');
}

try {
  const options = readOptions();
  const corpora = readCorpora(options.corpora);
  const documents = merged(corpora);
  const equivalents = options.equivalents === undefined ? undefined : readEquivalents(options.equivalents);
  const questions = readQuestions(options.queries, corpora, equivalents);
  const likeness = options.encoder === undefined ? {} : { likeness: await likenessOf(documents, questions) };
  const deps = { createIndex: createSearchIndex, countTokens, ...likeness };
  const outcome = measure(documents, questions, options.shape, deps);
  console.log(options.json ? JSON.stringify(outcome) : tableOf(outcome, documents.length));
} catch (error) {
  console.error(`bench:search: ${(error as Error).message}\n\n${usage}`);
  process.exitCode = 2;
}
