import { type Requirement } from '../requirements/index.ts';

export interface Evidence {
  readonly requirements: readonly Requirement[];
  /** The ids that tests cite. */
  readonly cited: ReadonlySet<string>;
  /** The ids of the cases that docs/reliability.md explains. */
  readonly documentedCases: ReadonlySet<string>;
}

const idShape = /^[a-z0-9]+(?:-[a-z0-9]+)*(?::[a-z0-9]+(?:-[a-z0-9]+)*){2}$/;

/** The ids that a test file cites: only a literal counts, because a reader has to find it by searching. */
export function citationsIn(source: string): readonly string[] {
  return [...source.matchAll(/\bverifies\(\s*['"`]([^'"`]+)['"`]/g)].flatMap(([, id]) => id ?? []);
}

/** The ids of the cases in the table of docs/reliability.md. */
export function casesIn(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^\| (B\d{2}) /gm)].flatMap(([, id]) => id ?? []);
}

/** Everything that is wrong with the requirements, one sentence each; empty when they are in order. */
export function requirementProblems({ requirements, cited, documentedCases }: Evidence): readonly string[] {
  const known = new Set(requirements.map(({ id }) => id));
  const seen = new Set<string>();
  const problems: string[] = [];
  for (const { id, cases = [], sentence } of requirements) {
    if (seen.has(id)) problems.push(`${id} is declared twice.`);
    seen.add(id);
    if (!idShape.test(id)) problems.push(`${id} is not of the form area:topic:behaviour.`);
    if (sentence.trim() === '') problems.push(`${id} says nothing.`);
    if (!cited.has(id)) problems.push(`${id} is cited by no test.`);
    for (const name of cases) {
      if (!documentedCases.has(name)) problems.push(`${id} names ${name}, which docs/reliability.md lacks.`);
    }
  }
  for (const id of cited) {
    if (!known.has(id)) problems.push(`${id} is cited by a test but declared nowhere.`);
  }
  return problems;
}
