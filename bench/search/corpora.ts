import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { SearchDocument } from '../../src/search/index.ts';

/** A tool of a corpus file. */
interface CorpusTool {
  readonly server: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: unknown;
}

/** One corpus: its tools, and the name its keys carry when several are merged. */
export interface Corpus {
  readonly label: string;
  readonly documents: readonly SearchDocument[];
}

function textOf(file: string): string {
  const bytes = readFileSync(file);
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}

/** `corpus-toucan.jsonl` is `toucan`; the dumps of published servers are `npm`. */
function labelOf(file: string): string {
  const name = basename(file)
    .replace(/\.gz$/, '')
    .replace(/\.jsonl?$/, '');
  return name.startsWith('real-servers') ? 'npm' : name.replace(/^corpus-/, '');
}

function toolsOf(file: string): CorpusTool[] {
  const text = textOf(file);
  if (/\.jsonl(\.gz)?$/.test(file))
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line) as CorpusTool);
  const parsed = JSON.parse(text) as CorpusTool[] | Readonly<Record<string, { tools?: CorpusTool[] }>>;
  // One server's tools in a file of their own: the part after the last hyphen names the server.
  if (Array.isArray(parsed)) {
    const server = /-([^-.]+)\.json(\.gz)?$/.exec(basename(file))?.[1] ?? 'server';
    return parsed.map((tool) => ({ ...tool, server }));
  }
  return Object.entries(parsed).flatMap(([server, { tools }]) =>
    (tools ?? []).map((tool) => ({ ...tool, server })),
  );
}

/** Reads corpus files; files with the same label become one corpus. */
export function readCorpora(files: readonly string[]): Corpus[] {
  const byLabel = new Map<string, SearchDocument[]>();
  for (const file of files) {
    const label = labelOf(file);
    const documents = byLabel.get(label) ?? [];
    byLabel.set(label, documents);
    for (const tool of toolsOf(file)) documents.push(documentOf(tool));
  }
  return [...byLabel].map(([label, documents]) => ({ label, documents }));
}

function documentOf(tool: CorpusTool): SearchDocument {
  return {
    key: `${tool.server}/${tool.name}`,
    server: tool.server,
    name: tool.name,
    ...(tool.title === undefined ? {} : { title: tool.title }),
    description: tool.description ?? '',
    inputSchema: tool.inputSchema,
  };
}

/** The documents of all corpora; keys are prefixed by the corpus when there are several. */
export function merged(corpora: readonly Corpus[]): SearchDocument[] {
  const [only, ...others] = corpora;
  if (only !== undefined && others.length === 0) return [...only.documents];
  return corpora.flatMap(({ label, documents }) =>
    documents.map((document) => ({
      ...document,
      key: `${label}:${document.key}`,
    })),
  );
}
