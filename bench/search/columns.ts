import { join } from 'node:path';

/** One column of the table: which corpora are searched with which queries. */
export interface Column {
  readonly name: string;
  readonly corpora: readonly string[];
  readonly queries: string;
}

const NPM = ['real-servers.json', 'real-servers-ms365.json.gz'];
const ALL = ['corpus-livemcp.jsonl', ...NPM, 'corpus-toucan.jsonl'];

/** The columns, in the order of the table: `@9k` means the three real corpora together. */
export const COLUMNS: readonly Column[] = [
  { name: 'L task', corpora: ['corpus-livemcp.jsonl'], queries: 'livemcp-task' },
  { name: 'L step', corpora: ['corpus-livemcp.jsonl'], queries: 'livemcp-step' },
  { name: 'L route', corpora: ['corpus-livemcp.jsonl'], queries: 'livemcp-route' },
  { name: 'L first', corpora: ['corpus-livemcp.jsonl'], queries: 'livemcp-first' },
  { name: 'N', corpora: NPM, queries: 'npmreal' },
  { name: 'L step @9k', corpora: ALL, queries: 'livemcp-step' },
  { name: 'L route @9k', corpora: ALL, queries: 'livemcp-route' },
  { name: 'N @9k', corpora: ALL, queries: 'npmreal' },
  { name: 'mcpverse @9k', corpora: ALL, queries: 'mcpverse' },
  { name: 'mcpbench @6k', corpora: ['corpus-toucan.jsonl'], queries: 'mcpbench' },
  { name: 'MetaTool 1', corpora: ['corpus-metatool.jsonl'], queries: 'metatool-single' },
  { name: 'MetaTool 2', corpora: ['corpus-metatool.jsonl'], queries: 'metatool-multi' },
  { name: 'Seal', corpora: ['corpus-sealtools.jsonl'], queries: 'sealtools' },
  { name: 'BFCL', corpora: ['corpus-bfcl.jsonl'], queries: 'bfcl' },
];

/** Where the parts of a column lie in a folder; `half` names the part of the queries. */
export function filesOf(
  column: Column,
  folder: string,
  half: string,
): { readonly corpora: readonly string[]; readonly queries: string; readonly equivalents: string } {
  return {
    corpora: column.corpora.map((file) => join(folder, file)),
    queries: join(folder, `queries-${column.queries}-${half}.jsonl`),
    equivalents: join(folder, 'equivalents.json'),
  };
}
