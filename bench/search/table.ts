import { parseArgs } from 'node:util';
import MiniSearch from 'minisearch';
import { createSearchIndex, type SearchDocument } from '../../src/search/index.ts';
import { type Column, COLUMNS, filesOf } from './columns.ts';
import { type Corpus, merged, readCorpora } from './corpora.ts';
import { type Quality, qualityOf } from './measures.ts';
import { readEquivalents, readQuestions } from './questions.ts';

const usage = `tsx bench/search/table.ts FOLDER [--half dev] [--engine tollgate|minisearch]

Prints recall at 1, 5 and 10 for every pair of corpus and queries in FOLDER.
`;

/** Ranks tools of one corpus for a query: their keys, best first. */
type Ranks = (query: string) => readonly string[];

const ENGINES: ReadonlyMap<string, (documents: readonly SearchDocument[]) => Ranks> = new Map([
  [
    'tollgate',
    (documents) => {
      const index = createSearchIndex();
      index.update(documents);
      return (query) => index.query({ queries: [query], limit: 20 }).hits.map(({ document }) => document.key);
    },
  ],
  [
    'minisearch',
    (documents) => {
      const index = new MiniSearch({ idField: 'key', fields: ['name', 'description'] });
      index.addAll(documents.map(({ key, name, description }) => ({ key, name, description })));
      return (query) =>
        index
          .search(query)
          .slice(0, 20)
          .map(({ id }) => id as string);
    },
  ],
]);

const corporaRead = new Map<string, Corpus[]>();

function corporaFrom(files: readonly string[]): Corpus[] {
  const id = files.join();
  let corpora = corporaRead.get(id);
  if (corpora === undefined) corporaRead.set(id, (corpora = readCorpora(files)));
  return corpora;
}

const rankers = new Map<Corpus[], Ranks>();

function qualityIn(column: Column, folder: string, half: string, engine: string): Quality {
  const files = filesOf(column, folder, half);
  const corpora = corporaFrom(files.corpora);
  let ranks = rankers.get(corpora);
  const create = ENGINES.get(engine);
  if (create === undefined)
    throw new Error(`unknown engine ${engine}: one of ${[...ENGINES.keys()].join(', ')}`);
  if (ranks === undefined) rankers.set(corpora, (ranks = create(merged(corpora))));
  const equivalents = corpora.length > 1 ? readEquivalents(files.equivalents) : undefined;
  const questions = readQuestions(files.queries, corpora, equivalents);
  return qualityOf(
    questions,
    questions.map(({ query }) => ranks(query)),
  );
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      half: { type: 'string', default: 'dev' },
      engine: { type: 'string', default: 'tollgate' },
    },
  });
  const [folder] = positionals;
  if (folder === undefined) throw new Error('the folder with corpora and queries is missing');
  console.log('| column | n | R@1 | R@5 | se | R@10 | NDCG@10 | MRR |\n|---|---|---|---|---|---|---|---|');
  for (const column of COLUMNS) {
    const { n, recall, se5, ndcg10, mrr } = qualityIn(column, folder, values.half, values.engine);
    const shares = [recall[1], recall[5], se5, recall[10], ndcg10, mrr].map((share) =>
      (100 * share).toFixed(1),
    );
    console.log(`| ${[column.name, n, ...shares].join(' | ')} |`);
  }
} catch (error) {
  console.error(`table: ${(error as Error).message}\n\n${usage}`);
  process.exitCode = 2;
}
