/** What other connections must hear about after one of them changed something. */
export type Change =
  | { readonly kind: 'ticket'; readonly id: string }
  | { readonly kind: 'ticket-list' }
  | { readonly kind: 'tools' };

export interface Changes {
  publish(change: Change): void;
  /** Returns the function that stops the listening. */
  subscribe(listener: (change: Change) => void): () => void;
}

/** One per process: every connection publishes here and listens here. */
export function createChanges(): Changes {
  const listeners = new Set<(change: Change) => void>();
  return {
    publish(change) {
      for (const listener of listeners) listener(change);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
