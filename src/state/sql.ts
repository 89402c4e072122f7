export type SqlValue = string | number | bigint | Uint8Array | null;

/** Values by position: those of a statement's `?`, or those of a result's columns. */
export type SqlRow = readonly SqlValue[];

/** A statement to run once for each row of values; once without values when there are none. */
export interface Work {
  readonly sql: string;
  readonly rows?: readonly SqlRow[];
}

/** What the thread that owns the file is started with. */
export interface DatabaseThreadData {
  readonly path: string;
  readonly busyMs: number;
}

export type DatabaseRequest =
  | { readonly kind: 'all'; readonly sql: string; readonly values: SqlRow }
  | { readonly kind: 'write'; readonly work: readonly Work[] }
  | { readonly kind: 'close' };
