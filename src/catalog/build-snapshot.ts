import {
  DEFINITION_KINDS,
  type DefinitionKind,
  type Diagnostic,
  type RawDefinition,
  type ServerDefinitions,
  type ServerId,
} from '../domain/index.ts';
import { withExposedPage } from './app-pages.ts';
import { type Claims, createClaims, createEntry } from './claims.ts';
import { type AcceptedDefinition, type DefinitionVerdict, judgeDefinition } from './definition.ts';
import type { CatalogEntry, ServerView, Snapshot } from './snapshot.ts';
import { createUriLabels, type UriLabels } from './uri-labels.ts';
import { createUriTable } from './uri-table.ts';

/** What is known of one server when a snapshot is built. */
export interface ServerInput {
  readonly view: ServerView;
  readonly definitions: ServerDefinitions | undefined;
}

/** Builds versions of the catalog; what did not change since the last one is not judged again. */
export interface SnapshotBuilder {
  /** A function of its arguments, whatever order servers answered in. Inputs are in configuration order. */
  build(version: number, inputs: readonly ServerInput[]): Snapshot;
}

export function createSnapshotBuilder(naming: { readonly nameMaxLength: number }): SnapshotBuilder {
  const verdicts = new WeakMap<RawDefinition, DefinitionVerdict>();
  const entries = new WeakMap<AcceptedDefinition, CatalogEntry>();

  const judged = (raw: RawDefinition): DefinitionVerdict => {
    const verdict = verdicts.get(raw) ?? judgeDefinition(raw);
    verdicts.set(raw, verdict);
    return verdict;
  };
  const entryOf = (server: ServerId, definition: AcceptedDefinition, exposed: string): CatalogEntry => {
    const known = entries.get(definition);
    if (known?.server === server && known.exposed === exposed) return known;
    const entry = createEntry(server, definition, exposed);
    entries.set(definition, entry);
    return entry;
  };

  return {
    build: (version, inputs) => {
      const servers = inputs.map(({ view }) => view);
      const labels = createUriLabels(servers);
      const claims = createClaims({ servers, labels, nameMaxLength: naming.nameMaxLength, entryOf });
      const diagnostics = claimAll(inputs, claims, judged);
      return assemble(version, inputs, claims, labels, diagnostics);
    },
  };
}

/** Of one server, templates first: later servers' resources must not stand where an earlier template leads. */
const CLAIM_ORDER: readonly DefinitionKind[] = ['tool', 'prompt', 'template', 'resource'];

/** Lets every definition claim what hosts see of it, and tells which had to be withheld. */
function claimAll(
  inputs: readonly ServerInput[],
  claims: Claims,
  judged: (raw: RawDefinition) => DefinitionVerdict,
): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (const { view, definitions } of inputs) {
    diagnostics.push(...(definitions?.diagnostics ?? []));
    for (const kind of CLAIM_ORDER) {
      for (const raw of definitions?.entries ?? []) {
        if (raw.kind !== kind) continue;
        const verdict = judged(raw);
        const fault = verdict.ok
          ? claims.claim(view, verdict.definition)
          : withheld(view.id, kind, verdict.native, verdict.reason);
        if (fault !== undefined) diagnostics.push(fault);
      }
    }
  }
  return diagnostics;
}

const withheld = (
  server: ServerId,
  kind: DefinitionKind,
  entry: string | undefined,
  reason: string,
): Diagnostic => ({ server, kind, ...(entry === undefined ? {} : { entry }), reason });

function assemble(
  version: number,
  inputs: readonly ServerInput[],
  claims: Claims,
  labels: UriLabels,
  diagnostics: readonly Diagnostic[],
): Snapshot {
  const order = new Map(inputs.map(({ view }, index) => [view.id, index]));
  const rank = (entry: CatalogEntry): number => order.get(entry.server) ?? 0;
  const sorted = (kind: DefinitionKind): CatalogEntry[] =>
    [...claims.of(kind).values()].toSorted((a, b) => rank(a) - rank(b));
  const resources = sorted('resource');
  const templates = sorted('template');
  const owners = new Set([...resources, ...templates].map((entry) => entry.server));
  const servesResources = ({ id, capabilities }: ServerView): boolean =>
    owners.has(id) || (capabilities['resources'] ?? undefined) !== undefined;
  const withResources = inputs.flatMap(({ view }) => (servesResources(view) ? [view.id] : []));
  const uris = createUriTable({ labels, withResources, resources, templates });
  const tools = sorted('tool').map((entry) => withExposedPage(entry, uris.expose));
  const lists: Record<DefinitionKind, readonly CatalogEntry[]> = {
    tool: tools,
    prompt: sorted('prompt'),
    resource: resources,
    template: templates,
  };
  for (const kind of DEFINITION_KINDS) Object.freeze(lists[kind]);
  const toolTable = new Map(tools.map((entry) => [entry.exposed, entry]));
  return Object.freeze({
    version,
    servers: inputs.map((input) => input.view),
    entries: (kind: DefinitionKind) => lists[kind],
    tool: (name: string) => toolTable.get(name),
    prompt: (name: string) => claims.of('prompt').get(name),
    template: (exposed: string) => claims.of('template').get(exposed),
    resolveUri: uris.resolve,
    exposeUri: uris.expose,
    mayRewriteUris: uris.mayRewrite,
    diagnostics,
  });
}
