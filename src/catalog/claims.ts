import {
  type DefinitionKind,
  type Diagnostic,
  nativeName,
  nativeUri,
  type ServerId,
} from '../domain/index.ts';
import { memberSpans, rootSpan, splice } from '../wire/index.ts';
import { type AcceptedDefinition, IDENTITY } from './definition.ts';
import { markUri, unmarkUri } from './exposed-uri.ts';
import { qualify } from './qualify.ts';
import type { CatalogEntry, ServerView } from './snapshot.ts';
import type { UriLabels } from './uri-labels.ts';
import { compileUriTemplate, mayOverlap, type UriTemplateMatcher } from './uri-template.ts';

/** The exposed names and URIs of a snapshot while it is built, each held by one definition. */
export interface Claims {
  /** Takes the exposed form of a definition for its server; returns why it cannot be had, if so. */
  claim(server: ServerView, definition: AcceptedDefinition): Diagnostic | undefined;
  /** What holds an exposed name or URI of this kind, by that name. */
  of(kind: DefinitionKind): ReadonlyMap<string, CatalogEntry>;
}

export interface ClaimsDeps {
  readonly servers: readonly ServerView[];
  readonly labels: UriLabels;
  readonly nameMaxLength: number;
  /** Makes the entry, or finds the one that an earlier snapshot made of the same definition. */
  readonly entryOf: (server: ServerId, definition: AcceptedDefinition, exposed: string) => CatalogEntry;
}

interface Shape {
  readonly server: ServerId;
  readonly matcher: UriTemplateMatcher;
}

export function createClaims(deps: ClaimsDeps): Claims {
  const held: Readonly<Record<DefinitionKind, Map<string, CatalogEntry>>> = {
    tool: new Map(),
    prompt: new Map(),
    resource: new Map(),
    template: new Map(),
  };
  /** Templates that hosts see in their native form, and whose they are. */
  const shapes: Shape[] = [];

  /** An earlier server's templates lead to what this resource or template stands for, or its resources stand in it. */
  const isOthersPlace = (server: ServerId, kind: DefinitionKind, native: string): boolean => {
    const others = shapes.filter((shape) => shape.server !== server);
    if (kind === 'resource') return others.some(({ matcher }) => matcher.matches(native));
    const own = compileUriTemplate(native);
    if (others.some(({ matcher }) => mayOverlap(matcher, own))) return true;
    for (const entry of held.resource.values()) {
      if (entry.server !== server && own.matches(entry.exposed)) return true;
    }
    return false;
  };

  /** A URI that hosts would take for another server's, or that could be read as marked, is marked. */
  const uriOf = (server: ServerView, kind: DefinitionKind, native: string): string => {
    const isMarked = deps.labels.serverOf(unmarkUri(native)?.label ?? '') !== undefined;
    const holder = held[kind].get(native);
    const isOthers = holder !== undefined && holder.server !== server.id;
    return isMarked || isOthers || isOthersPlace(server.id, kind, native)
      ? markUri(deps.labels.of(server.id), nativeUri(native))
      : native;
  };

  return {
    claim: (server, definition) => {
      const { kind, native } = definition;
      const isNamed = kind === 'tool' || kind === 'prompt';
      const exposed = isNamed
        ? qualify(server.namespace, nativeName(native), deps.nameMaxLength)
        : uriOf(server, kind, native);
      const refused = (reason: string): Diagnostic => ({ server: server.id, kind, entry: native, reason });
      if (exposed === undefined) return refused('it has no name');
      const stranger = isNamed ? strangerOf(deps.servers, server, exposed) : undefined;
      if (stranger !== undefined)
        return refused(`${exposed} would be taken for a name of server ${stranger}`);
      const holder = held[kind].get(exposed);
      if (holder !== undefined) return refused(refusalOf(server.id, native, holder));
      held[kind].set(exposed, deps.entryOf(server.id, definition, exposed));
      if (kind === 'template' && exposed === native)
        shapes.push({ server: server.id, matcher: compileUriTemplate(native) });
      return undefined;
    },
    of: (kind) => held[kind],
  };
}

/**
 * The server in whose namespace a name of a server without one would stand. It is withheld even while that
 * server has no such name: a call of it must not reach another one because that server has not listed yet.
 */
const strangerOf = (
  servers: readonly ServerView[],
  server: ServerView,
  exposed: string,
): ServerId | undefined =>
  server.namespace === ''
    ? servers.find(({ namePrefix }) => namePrefix !== '' && exposed.startsWith(namePrefix))?.id
    : undefined;

function refusalOf(server: ServerId, native: string, holder: CatalogEntry): string {
  if (holder.server !== server)
    return `its exposed name ${holder.exposed} belongs to server ${holder.server}`;
  return holder.native === native
    ? 'the server lists it twice; the first one counts'
    : `its exposed name ${holder.exposed} is that of ${JSON.stringify(holder.native)}`;
}

/** The entry for hosts: the definition with the one span that differs for them. */
export function createEntry(server: ServerId, definition: AcceptedDefinition, exposed: string): CatalogEntry {
  const { kind, native, json, legacyJson, value, paramHeaders } = definition;
  const text = (bytes: Buffer): string => withIdentity(definition, bytes, exposed).toString('utf8');
  const finished = text(json);
  return {
    kind,
    server,
    native,
    exposed,
    json: finished,
    legacyJson: legacyJson === json ? finished : text(legacyJson),
    value,
    paramHeaders,
  };
}

function withIdentity(definition: AcceptedDefinition, json: Buffer, exposed: string): Buffer {
  if (exposed === definition.native) return json;
  const span = memberSpans(json, rootSpan(json)).get(IDENTITY[definition.kind]);
  return span === undefined
    ? json
    : splice(json, [{ start: span.start, end: span.end, text: JSON.stringify(exposed) }]);
}
