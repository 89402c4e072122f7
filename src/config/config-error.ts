/** One fault of a configuration file, where it is and, where one is known, its cure. */
export interface ConfigProblem {
  /** The file, as it was named. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** Dotted path of the key, such as `servers.files.timeouts.connectMs`; empty for the whole file. */
  readonly key: string;
  readonly message: string;
  readonly fix?: string;
}

/** Something accepted that has no effect, or that deserves a second look. */
export type ConfigNotice = Omit<ConfigProblem, 'fix'>;

/** A configuration that cannot be used, with every problem that was found. */
export class ConfigError extends Error {
  readonly code = 'CONFIG_INVALID';
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[], options?: { readonly cause?: unknown }) {
    super(problems.map(formatProblem).join('\n'), options);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** One line a problem: `gateway.config.yaml:12:5  servers.files.comand  unknown key; did you mean "command"?` */
export function formatProblems(error: { readonly problems: readonly ConfigProblem[] }): string {
  return error.problems.map(formatProblem).join('\n');
}

/** The same form for a notice. */
export function formatProblem(problem: ConfigProblem | ConfigNotice): string {
  const fix = 'fix' in problem && problem.fix !== undefined ? `; ${problem.fix}` : '';
  const where = `${problem.path}:${problem.line}:${problem.column}`;
  return [where, problem.key, `${problem.message}${fix}`].filter((part) => part !== '').join('  ');
}
