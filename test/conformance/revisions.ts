/** Revisions of the protocol that the suite is run at. */
export type Revision = '2025-03-26' | '2025-11-25' | '2026-07-28';

/** Stateless requests with everything in their envelope, from this revision on. */
export function isModern(revision: Revision): boolean {
  return revision >= '2026-07-28';
}
