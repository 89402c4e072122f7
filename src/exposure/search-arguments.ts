import { DEFAULT_LIMIT, type Detail, DETAILS, MAX_LIMIT, MAX_QUERIES } from './meta-tools.ts';

/** What a search asks for. */
export interface SearchArguments {
  readonly queries: readonly string[];
  readonly server: string | undefined;
  readonly limit: number;
  /** Undefined leaves it to the answer: the best in full, as far as there is room. */
  readonly detail: Detail | undefined;
}

const MAX_QUERY_CHARS = 1_000;

/** Says what is wrong with an argument. */
class Unreadable extends Error {}

/** Reads the arguments of a search; a text says what is wrong with them. */
export function readSearch(value: unknown): SearchArguments | string {
  try {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new Unreadable('the arguments must be an object');
    const { query, queries, server, limit, detail } = value as Record<string, unknown>;
    return {
      queries: queriesOf([query ?? [], queries ?? []].flat()),
      server: serverOf(server ?? ''),
      limit: limitOf(limit ?? DEFAULT_LIMIT),
      detail: detailOf(detail ?? undefined),
    };
  } catch (thrown) {
    if (thrown instanceof Unreadable) return thrown.message;
    throw thrown;
  }
}

function queriesOf(asked: readonly unknown[]): readonly string[] {
  if (!asked.every((text) => typeof text === 'string'))
    throw new Unreadable('query must be text, queries a list of texts');
  const texts = asked.filter((text) => text.trim() !== '').map((text) => text.slice(0, MAX_QUERY_CHARS));
  if (texts.length === 0) throw new Unreadable('give a query: a few words for the action and its object');
  if (texts.length > MAX_QUERIES) throw new Unreadable(`give ${MAX_QUERIES} queries at most`);
  return texts;
}

function serverOf(server: unknown): string | undefined {
  if (typeof server !== 'string') throw new Unreadable('server must be text');
  return server === '' ? undefined : server;
}

function limitOf(limit: unknown): number {
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1)
    throw new Unreadable('limit must be a whole number from 1');
  return Math.min(limit, MAX_LIMIT);
}

function detailOf(detail: unknown): Detail | undefined {
  const known = DETAILS.find((name) => name === detail);
  if (detail !== undefined && known === undefined)
    throw new Unreadable(`detail must be one of ${DETAILS.join(', ')}`);
  return known;
}
