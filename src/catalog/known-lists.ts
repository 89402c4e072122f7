import {
  DEFINITION_KINDS,
  type DefinitionKind,
  type Diagnostic,
  type RawDefinition,
  type ServerDefinitions,
} from '../domain/index.ts';
import { memberSpans, rootSpan, stringAt } from '../wire/index.ts';
import { IDENTITY } from './definition.ts';

/** What is known of one list of a server. */
interface KnownList {
  readonly entries: readonly RawDefinition[];
  readonly diagnostics: readonly Diagnostic[];
  readonly isComplete: boolean;
}

/** The last known lists of one server. */
export interface KnownLists {
  /** Puts freshly walked lists in place of the old ones. */
  take(found: ServerDefinitions, kinds: readonly DefinitionKind[]): void;
  /** Everything known, the same object until something changes; undefined before the first answer. */
  current(): ServerDefinitions | undefined;
}

/**
 * A partial answer never replaces a fuller one: it adds to what is known, and what a failed page would have
 * held stays as it was. Only an answer that was walked to its end takes something away.
 */
export function createKnownLists(): KnownLists {
  const lists = new Map<DefinitionKind, KnownList>();
  let merged: ServerDefinitions | undefined;

  const merge = (): ServerDefinitions => {
    const all = DEFINITION_KINDS.flatMap((kind) => lists.get(kind) ?? []);
    return {
      entries: all.flatMap((list) => list.entries),
      complete: all.every((list) => list.isComplete),
      diagnostics: all.flatMap((list) => list.diagnostics),
    };
  };

  return {
    current: () => merged,
    take: (found, kinds) => {
      for (const kind of kinds) {
        const next = listOf(kind, found);
        const known = lists.get(kind);
        lists.set(kind, next.isComplete || known === undefined ? next : added(known, next, kind));
      }
      const next = merge();
      if (merged === undefined || !isSame(next, merged)) merged = next;
    },
  };
}

function listOf(kind: DefinitionKind, found: ServerDefinitions): KnownList {
  const diagnostics = found.diagnostics.filter((item) => item.kind === kind);
  // A list that was cut says so in a diagnostic; where none is about a list, any of them may have been.
  const isNamed = found.diagnostics.every((item) => item.kind !== undefined) && found.diagnostics.length > 0;
  return {
    entries: found.entries.filter((entry) => entry.kind === kind),
    diagnostics,
    isComplete: found.complete || (isNamed && diagnostics.length === 0),
  };
}

function added(known: KnownList, next: KnownList, kind: DefinitionKind): KnownList {
  const seen = new Set(next.entries.map((entry) => identityOf(entry, kind)));
  const kept = known.entries.filter((entry) => !seen.has(identityOf(entry, kind)));
  return { ...next, entries: [...next.entries, ...kept] };
}

/** The native name or URI; the whole text of an entry that has none. */
function identityOf(entry: RawDefinition, kind: DefinitionKind): string {
  try {
    const span = memberSpans(entry.json, rootSpan(entry.json)).get(IDENTITY[kind]);
    return stringAt(entry.json, span) ?? entry.json.toString('latin1');
  } catch {
    // What cannot be read is judged elsewhere; here it only has to differ from the others.
    return entry.json.toString('latin1');
  }
}

function isSame(a: ServerDefinitions, b: ServerDefinitions): boolean {
  const isSameEntry = (entry: RawDefinition, index: number): boolean => {
    const other = b.entries[index];
    return other !== undefined && entry.kind === other.kind && entry.json.equals(other.json);
  };
  return (
    a.complete === b.complete &&
    a.entries.length === b.entries.length &&
    a.entries.every(isSameEntry) &&
    JSON.stringify(a.diagnostics) === JSON.stringify(b.diagnostics)
  );
}
