import { createSearchIndex, type SearchDocument, type SearchIndex } from '../../../src/search/index.ts';

/** A tool as tests write it. */
export function tool(
  server: string,
  name: string,
  description = '',
  inputSchema: unknown = {},
): SearchDocument {
  return { key: `${server}__${name}`, server, name, description, inputSchema };
}

/** An index that holds the given tools. */
export function indexOf(...tools: readonly SearchDocument[]): SearchIndex {
  const index = createSearchIndex();
  index.update(tools);
  return index;
}

/** The keys that a query finds, best first. */
export function keysFor(index: SearchIndex, query: string, limit = 10): string[] {
  return index.query({ queries: [query], limit }).hits.map(({ document }) => document.key);
}
