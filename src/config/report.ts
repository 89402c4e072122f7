import type { ConfigNotice, ConfigProblem } from './config-error.ts';
import { formatKey, type Path, pathKey } from './tree.ts';

export interface Spot {
  readonly line: number;
  readonly column: number;
}

/** Finds a place in the file: the key itself, or its value. */
export type Locate = (path: Path, at: 'key' | 'value') => Spot;

export interface ProblemOptions {
  readonly fix?: string | undefined;
  /** `value` by default; `key` where the key is what is wrong. */
  readonly at?: 'key' | 'value';
  /** The value is unusable, and what else may be wrong with it is a consequence. */
  readonly spoilsValue?: boolean;
  /** For what is missing: in a text that broke off it may only be unread, and nothing is said. */
  readonly isAbsence?: boolean;
  /** For faults that belong to a place rather than to a key. */
  readonly spot?: Spot;
}

/** Gathers everything that is to be said about one file. A spoilt value is complained about once only. */
export interface Report {
  problem(path: Path, message: string, options?: ProblemOptions): void;
  notice(path: Path, message: string, at?: 'key' | 'value'): void;
  /** In file order, each once. */
  problems(): readonly ConfigProblem[];
  notices(): readonly ConfigNotice[];
}

const byPlace = (one: ConfigNotice, other: ConfigNotice): number =>
  one.line - other.line || one.column - other.column;

function inOrder<T extends ConfigNotice>(found: readonly T[]): readonly T[] {
  const unique = new Map(
    found.map((item) => [`${item.line}:${item.column}:${item.key}:${item.message}`, item]),
  );
  return [...unique.values()].toSorted(byPlace);
}

export interface ReportDeps {
  /** The file, as it was named. */
  readonly filePath: string;
  readonly locate: Locate;
  /** False where the text broke off before its end. */
  readonly isWhole: boolean;
}

export function createReport({ filePath, locate, isWhole }: ReportDeps): Report {
  const problems: ConfigProblem[] = [];
  const notices: ConfigNotice[] = [];
  const spoilt = new Set<string>();
  return {
    problem(path, message, options = {}) {
      const { fix, at = 'value', isAbsence = false, spoilsValue = false, spot = locate(path, at) } = options;
      if (spoilsValue) spoilt.add(pathKey(path));
      else if ((isAbsence && !isWhole) || spoilt.has(pathKey(path))) return;
      const problem = { path: filePath, ...spot, key: formatKey(path), message };
      problems.push(fix === undefined ? problem : { ...problem, fix });
    },
    notice(path, message, at = 'value') {
      notices.push({ path: filePath, ...locate(path, at), key: formatKey(path), message });
    },
    problems: () => inOrder(problems),
    notices: () => inOrder(notices),
  };
}
