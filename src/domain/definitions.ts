import type { ServerId } from './ids.ts';

/** The four things a server lists. */
export type DefinitionKind = 'tool' | 'prompt' | 'resource' | 'template';

export const DEFINITION_KINDS: readonly DefinitionKind[] = ['tool', 'prompt', 'resource', 'template'];

/** The list method of each kind, and the member of its result that holds the entries. */
export const LISTS: Readonly<Record<DefinitionKind, { readonly method: string; readonly member: string }>> = {
  tool: { method: 'tools/list', member: 'tools' },
  prompt: { method: 'prompts/list', member: 'prompts' },
  resource: { method: 'resources/list', member: 'resources' },
  template: { method: 'resources/templates/list', member: 'resourceTemplates' },
};

/** One entry of an upstream's list exactly as it was declared. */
export interface RawDefinition {
  readonly kind: DefinitionKind;
  /** The JSON text of the entry, byte for byte. */
  readonly json: Buffer;
}

/** Why an entry or a whole list of a server is not, or not fully, in the catalog. */
export interface Diagnostic {
  readonly server: ServerId;
  readonly kind?: DefinitionKind;
  /** The entry's native name or URI, where it has one. */
  readonly entry?: string;
  readonly reason: string;
}

/** What one server lists, walked to the end. */
export interface ServerDefinitions {
  readonly entries: readonly RawDefinition[];
  /** False when a page was missing, a bound was hit or a list failed: never to replace a fuller answer. */
  readonly complete: boolean;
  readonly diagnostics: readonly Diagnostic[];
}
