/** The authenticated caller that policy applies to. */
export interface Principal {
  /** Stable and printable; never a credential. */
  readonly id: string;
  /** Name of the view this principal gets. */
  readonly profile: string;
}

export const ANONYMOUS = 'anonymous';
export const DEFAULT_PROFILE = 'default';
