import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Finding } from './compare.ts';
import type { Revision } from './revisions.ts';

export type Face = 'server' | 'client';

/** Findings told apart by what a committed file says about them. */
export interface Verdict {
  readonly unexpected: readonly Finding[];
  readonly expected: readonly Finding[];
  /** Entries that no finding matches: the failure is gone, so the entry must go. */
  readonly stale: readonly string[];
}

/** Entries are `scenario`, for all of its checks, or `scenario:check-id`. */
export function judge(findings: readonly Finding[], entries: readonly string[]): Verdict {
  const matches = (entry: string, { scenario, id }: Finding) =>
    entry === scenario || entry === `${scenario}:${id}`;
  const isExpected = (finding: Finding) => entries.some((entry) => matches(entry, finding));
  return {
    unexpected: findings.filter((finding) => !isExpected(finding)),
    expected: findings.filter(isExpected),
    stale: entries.filter((entry) => !findings.some((finding) => matches(entry, finding))),
  };
}

/** Reads the entries of one face from `expected-failures-<revision>.yaml`; without a file there are none. */
export async function readExpectedFailures(
  folder: string,
  revision: Revision,
  face: Face,
): Promise<string[]> {
  const file = join(folder, `expected-failures-${revision}.yaml`);
  if (!existsSync(file)) return [];
  return parseExpectedFailures(await readFile(file, 'utf8'), face, file);
}

export function parseExpectedFailures(text: string, face: Face, file: string): string[] {
  const document: unknown = parse(text);
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new Error(`${file}: expected the keys server and client, each a list`);
  }
  const unknownKey = Object.keys(document).find((key) => key !== 'server' && key !== 'client');
  if (unknownKey !== undefined) throw new Error(`${file}: unknown key ${unknownKey}; use server and client`);
  const entries: unknown = (document as Record<string, unknown>)[face] ?? [];
  if (!Array.isArray(entries)) throw new Error(`${file}: ${face} must be a list`);
  return entries.map((entry: unknown, index) => {
    if (typeof entry === 'string' && entry !== '') return entry;
    throw new Error(
      `${file}: entry ${index + 1} of ${face} must be scenario or scenario:check-id, without a space after the colon`,
    );
  });
}
