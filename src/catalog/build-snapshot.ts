import {
  DEFINITION_KINDS,
  type DefinitionKind,
  type Diagnostic,
  nativeName,
  nativeUri,
  type ServerDefinitions,
  type ServerId,
} from '../domain/index.ts';
import {
  isStringAt,
  memberSpans,
  rootSpan,
  splice,
  stringAt,
  childMembers,
  type Edit,
} from '../wire/index.ts';
import { type AcceptedDefinition, IDENTITY, judgeDefinition } from './definition.ts';
import { markUri } from './exposed-uri.ts';
import { legacyForm } from './legacy-form.ts';
import { qualify } from './qualify.ts';
import type { CatalogEntry, ServerView, Snapshot } from './snapshot.ts';
import { createUriTable } from './uri-table.ts';

/** What is known of one server when a snapshot is built. */
export interface ServerInput {
  readonly view: ServerView;
  readonly definitions: ServerDefinitions | undefined;
}

interface Naming {
  readonly nameMaxLength: number;
}

/** Builds the next version of the catalog: a function of its arguments, whatever order servers answered in. */
export function buildSnapshot(version: number, inputs: readonly ServerInput[], naming: Naming): Snapshot {
  const diagnostics: Diagnostic[] = [];
  const claims = new Map<DefinitionKind, Map<string, CatalogEntry>>(
    DEFINITION_KINDS.map((kind) => [kind, new Map()]),
  );
  for (const input of byClaim(inputs)) {
    diagnostics.push(...(input.definitions?.diagnostics ?? []));
    for (const raw of input.definitions?.entries ?? []) {
      const verdict = judgeDefinition(raw);
      if (verdict.ok) claim(claims, input.view, verdict.definition, naming, diagnostics);
      else diagnostics.push(withheld(input.view.id, raw.kind, verdict.native, verdict.reason));
    }
  }
  return assemble(version, inputs, claims, diagnostics);
}

/**
 * Servers with a namespace claim their names before the one without: a server that shows its names as
 * they are must not be able to take a name that belongs to another's namespace.
 */
const byClaim = (inputs: readonly ServerInput[]): ServerInput[] => [
  ...inputs.filter((input) => input.view.namespace !== ''),
  ...inputs.filter((input) => input.view.namespace === ''),
];

const withheld = (
  server: ServerId,
  kind: DefinitionKind,
  entry: string | undefined,
  reason: string,
): Diagnostic => ({ server, kind, ...(entry === undefined ? {} : { entry }), reason });

function claim(
  claims: Map<DefinitionKind, Map<string, CatalogEntry>>,
  view: ServerView,
  definition: AcceptedDefinition,
  naming: Naming,
  diagnostics: Diagnostic[],
): void {
  const taken = claims.get(definition.kind) ?? new Map<string, CatalogEntry>();
  const isNamed = definition.kind === 'tool' || definition.kind === 'prompt';
  const plain = isNamed
    ? qualify(view.namespace, nativeName(definition.native), naming.nameMaxLength)
    : definition.native;
  const holder = plain === undefined ? undefined : taken.get(plain);
  const exposed =
    holder === undefined || isNamed || holder.server === view.id || view.namespace === ''
      ? plain
      : markUri(view.namespace, nativeUri(definition.native));
  const clash = exposed === undefined ? undefined : taken.get(exposed);
  if (exposed === undefined || clash !== undefined) {
    const reason =
      clash === undefined
        ? 'it has no name'
        : clash.server === view.id
          ? 'the server lists it twice; the first one counts'
          : `its exposed name ${exposed} belongs to server ${clash.server}`;
    diagnostics.push(withheld(view.id, definition.kind, definition.native, reason));
    return;
  }
  const json = exposedJson(definition, exposed);
  taken.set(exposed, {
    kind: definition.kind,
    server: view.id,
    native: definition.native,
    exposed,
    json: json.toString('utf8'),
    legacyJson: legacyForm(definition.kind, json).toString('utf8'),
    value: definition.value,
    paramHeaders: definition.paramHeaders,
  });
}

/** The definition with the one span that differs for hosts. */
function exposedJson(definition: AcceptedDefinition, exposed: string): Buffer {
  if (exposed === definition.native) return definition.json;
  const span = memberSpans(definition.json, rootSpan(definition.json)).get(IDENTITY[definition.kind]);
  return span === undefined
    ? definition.json
    : splice(definition.json, [{ start: span.start, end: span.end, text: JSON.stringify(exposed) }]);
}

function assemble(
  version: number,
  inputs: readonly ServerInput[],
  claims: ReadonlyMap<DefinitionKind, ReadonlyMap<string, CatalogEntry>>,
  diagnostics: readonly Diagnostic[],
): Snapshot {
  const order = new Map(inputs.map((input, index) => [input.view.id, index]));
  const rank = (entry: CatalogEntry): number => order.get(entry.server) ?? 0;
  const sorted = (kind: DefinitionKind): CatalogEntry[] =>
    [...(claims.get(kind)?.values() ?? [])].sort((a, b) => rank(a) - rank(b));
  const resources = sorted('resource');
  const templates = sorted('template');
  const uris = createUriTable(
    inputs.map(({ view }) => ({
      id: view.id,
      namespace: view.namespace,
      servesResources: 'resources' in view.capabilities,
    })),
    resources,
    templates,
  );
  const tools = sorted('tool').map((entry) => withExposedUi(entry, uris.expose));
  const lists: Record<DefinitionKind, readonly CatalogEntry[]> = {
    tool: tools,
    prompt: sorted('prompt'),
    resource: resources,
    template: templates,
  };
  const toolTable = new Map(tools.map((entry) => [entry.exposed, entry]));
  return Object.freeze({
    version,
    servers: inputs.map((input) => input.view),
    entries: (kind: DefinitionKind) => lists[kind],
    tool: (name: string) => toolTable.get(name),
    prompt: (name: string) => claims.get('prompt')?.get(name),
    template: (exposed: string) => claims.get('template')?.get(exposed),
    resolveUri: uris.resolve,
    exposeUri: uris.expose,
    mayRewriteUris: uris.mayRewrite,
    diagnostics,
  });
}

/** A tool that names its app's page names it in the form in which hosts can read it. */
function withExposedUi(
  entry: CatalogEntry,
  expose: (server: ServerId, uri: ReturnType<typeof nativeUri>) => string,
): CatalogEntry {
  const edit = (text: string): string => {
    const bytes = Buffer.from(text, 'utf8');
    const meta = childMembers(bytes, memberSpans(bytes, rootSpan(bytes)).get('_meta'));
    const nested = childMembers(bytes, meta?.get('ui'))?.get('resourceUri');
    const edits: Edit[] = [];
    for (const span of [nested, meta?.get('ui/resourceUri')]) {
      if (span === undefined || !isStringAt(bytes, span)) continue;
      const native = nativeUri(stringAt(bytes, span) ?? '');
      const exposed = expose(entry.server, native);
      if (exposed !== native) edits.push({ start: span.start, end: span.end, text: JSON.stringify(exposed) });
    }
    return edits.length === 0 ? text : splice(bytes, edits).toString('utf8');
  };
  if (!entry.json.includes('resourceUri')) return entry;
  return { ...entry, json: edit(entry.json), legacyJson: edit(entry.legacyJson) };
}
