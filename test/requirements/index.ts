/**
 * The behaviours this project promises, one sentence each. A test that proves one is titled with
 * `verifies(id)`; `test/unit/requirements.test.ts` fails on an entry that no test cites.
 */
export interface Requirement {
  /** `area:topic:behaviour`. */
  readonly id: string;
  /** Dated page of the specification, or another normative source. */
  readonly spec?: string;
  /** Ids of docs/reliability.md that this entry keeps from coming back. */
  readonly cases?: readonly string[];
  readonly sentence: string;
}

/** Builds the `verifies` function of one area: unknown ids do not compile. */
export function verifiesOf<const T extends readonly Requirement[]>(
  entries: T,
): (id: T[number]['id']) => string {
  const sentences = new Map(entries.map((entry) => [entry.id, entry.sentence]));
  return (id) => `${sentences.get(id) ?? 'unknown requirement'} [${id}]`;
}
