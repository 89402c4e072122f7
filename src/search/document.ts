/** One tool as it is searched. */
export interface SearchDocument {
  /** The name that hosts call it by: unique among the documents. */
  readonly key: string;
  /** The namespace, or the id of the server where it has none. */
  readonly server: string;
  /** The name that its server gave it. */
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** The parsed input schema. */
  readonly inputSchema: unknown;
  /** Changes when anything of the definition does; documents without one are compared by their parts. */
  readonly digest?: string;
}

/** Whether two versions of a document say the same; false when that cannot be told cheaply. */
export function saysTheSame(before: SearchDocument, after: SearchDocument): boolean {
  if (before === after) return true;
  const named = before.server === after.server && before.name === after.name && before.title === after.title;
  if (!named) return false;
  if (before.digest !== undefined && after.digest !== undefined) return before.digest === after.digest;
  return before.description === after.description && before.inputSchema === after.inputSchema;
}
