import type { Changes } from './changes.ts';

/** Whether the `archive` tool is offered; the same for every connection of the process. */
export interface ArchiveMode {
  isOn(): boolean;
  /** Answers whether anything changed; only then the tool list changes. */
  set(on: boolean): boolean;
}

export function createArchiveMode(changes: Changes): ArchiveMode {
  let current = false;
  return {
    isOn: () => current,
    set(on) {
      if (on === current) return false;
      current = on;
      changes.publish({ kind: 'tools' });
      return true;
    },
  };
}
