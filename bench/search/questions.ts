import { readFileSync } from 'node:fs';
import type { Corpus } from './corpora.ts';

/** A query with the tools that answer it: each group is one tool and those that count the same. */
export interface Question {
  readonly id: string;
  readonly query: string;
  readonly gold: readonly ReadonlySet<string>[];
}

interface QueryLine {
  readonly id: string;
  readonly query: string;
  readonly gold: readonly string[];
  readonly alt?: Readonly<Record<string, readonly string[]>>;
}

/** Tools of different servers that are the same tool, in both directions. */
export type Equivalents = ReadonlyMap<string, ReadonlySet<string>>;

export function readEquivalents(file: string): Equivalents {
  const pairs = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, readonly string[]>>;
  const both = new Map<string, Set<string>>();
  const add = (from: string, to: string): void => {
    const known = both.get(from);
    if (known === undefined) both.set(from, new Set([to]));
    else known.add(to);
  };
  for (const [key, same] of Object.entries(pairs))
    for (const other of same) {
      add(key, other);
      add(other, key);
    }
  return both;
}

/**
 * Reads queries and names their gold tools as the merged corpora do. A gold tool that no corpus holds stays:
 * what cannot be found counts as missed.
 */
export function readQuestions(
  file: string,
  corpora: readonly Corpus[],
  equivalents?: Equivalents,
): Question[] {
  const names = keyNames(corpora);
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const { id, query, gold, alt } = JSON.parse(line) as QueryLine;
      const groups = gold.map((key) => {
        const group = new Set<string>();
        for (const same of [key, ...(alt?.[key] ?? [])]) {
          group.add(names.merged(same));
          for (const other of equivalents?.get(names.labelled(same)) ?? []) group.add(names.merged(other));
        }
        return group;
      });
      return { id, query, gold: groups };
    });
}

/** Turns a key as a query file writes it into the one with its corpus, and into the one that is searched. */
function keyNames(corpora: readonly Corpus[]): {
  labelled(key: string): string;
  merged(key: string): string;
} {
  const labels = new Set(corpora.map(({ label }) => label));
  const home = new Map<string, string>();
  for (const { label, documents } of corpora)
    for (const { key } of documents) if (!home.has(key)) home.set(key, label);
  const split = (key: string): [string | undefined, string] => {
    const at = key.indexOf(':');
    const label = at < 0 ? '' : key.slice(0, at);
    return labels.has(label) ? [label, key.slice(at + 1)] : [home.get(key), key];
  };
  return {
    labelled: (key) =>
      split(key)
        .filter((part) => part !== undefined)
        .join(':'),
    merged: (key) =>
      corpora.length > 1
        ? split(key)
            .filter((part) => part !== undefined)
            .join(':')
        : split(key)[1],
  };
}
