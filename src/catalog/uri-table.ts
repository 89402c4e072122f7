import { nativeUri, type NativeUri, type ServerId } from '../domain/index.ts';
import { type MarkedUri, markUri, schemeOf, unmarkUri } from './exposed-uri.ts';
import type { CatalogEntry, UriRoute } from './snapshot.ts';
import type { UriLabels } from './uri-labels.ts';
import { compileUriTemplate, type UriTemplateMatcher } from './uri-template.ts';

export interface UriTableInput {
  readonly labels: UriLabels;
  /** The servers that say they have resources, in configuration order. */
  readonly withResources: readonly ServerId[];
  readonly resources: readonly CatalogEntry[];
  readonly templates: readonly CatalogEntry[];
}

export interface UriTable {
  resolve(uri: string, mayServe: MayServe): UriRoute | undefined;
  expose(server: ServerId, uri: NativeUri): string;
  mayRewrite(server: ServerId): boolean;
}

type MayServe = (server: ServerId) => boolean;

const everyServer = (): boolean => true;

/**
 * Resolves URIs in an order that depends on configuration and definitions alone: listed resource, marked
 * form, template that hosts see as it is, the one server with a template of this shape, the one server that
 * uses the scheme, the one server that has resources at all. What none of these settles is unknown, never guessed.
 */
export function createUriTable(input: UriTableInput): UriTable {
  const { labels, withResources } = input;
  const listed = new Map(input.resources.map((entry) => [entry.exposed, entry]));
  const natives = createNatives(input.resources, input.templates);
  const templates = compiled(input.templates);
  const bySchemes = schemeOwners([...input.resources, ...input.templates]);

  const marked = ({ label, native }: MarkedUri, mayServe: MayServe): UriRoute | undefined => {
    const server = labels.serverOf(label);
    if (server === undefined || !mayServe(server)) return undefined;
    return { server, native, entry: natives.find(server, native) };
  };

  const owner = (uri: string, mayServe: MayServe): UriRoute | undefined => {
    const users = [...(bySchemes.get(schemeOf(uri) ?? '') ?? [])].filter(mayServe);
    const [server, ...others] = users.length > 0 ? users : withResources.filter(mayServe);
    if (server === undefined || others.length > 0) return undefined;
    return { server, native: nativeUri(uri), entry: undefined };
  };

  const resolve = (uri: string, mayServe: MayServe): UriRoute | undefined => {
    const entry = listed.get(uri);
    if (entry !== undefined && mayServe(entry.server)) return routeTo(entry, entry.native);
    const mark = unmarkUri(uri);
    // A URI that names its server is that server's or nobody's.
    if (mark !== undefined) return marked(mark, mayServe);
    const matches = templates.filter((item) => mayServe(item.entry.server) && item.matcher.matches(uri));
    const [first, ...others] = matches.map(({ entry }) => entry);
    // Plain templates of two servers never overlap, so the most literal one that matches is the server's own.
    const plain = matches.find(({ entry }) => entry.exposed === entry.native)?.entry;
    const isSole = others.every((entry) => entry.server === first?.server);
    const match = plain ?? (isSole ? first : undefined);
    return match === undefined ? owner(uri, mayServe) : routeTo(match, uri);
  };

  return {
    resolve,
    expose: (server, uri) => {
      if (schemeOf(uri) === undefined) return uri;
      const route = resolve(uri, everyServer);
      if (route === undefined) return withResources.includes(server) ? markUri(labels.of(server), uri) : uri;
      return route.server === server && route.native === uri ? uri : markUri(labels.of(server), uri);
    },
    mayRewrite: (server) => withResources.some((other) => other !== server),
  };
}

const routeTo = (entry: CatalogEntry, native: string): UriRoute => ({
  server: entry.server,
  native: nativeUri(native),
  entry,
});

interface CompiledTemplate {
  readonly entry: CatalogEntry;
  readonly matcher: UriTemplateMatcher;
}

const compiled = (templates: readonly CatalogEntry[]): CompiledTemplate[] =>
  templates
    .map((entry) => ({ entry, matcher: compileUriTemplate(entry.native) }))
    .toSorted((a, b) => b.matcher.literalChars - a.matcher.literalChars);

interface Natives {
  /** What a server has under a URI of its own. */
  find(server: ServerId, native: NativeUri): CatalogEntry | undefined;
}

function createNatives(resources: readonly CatalogEntry[], templates: readonly CatalogEntry[]): Natives {
  const listed = new Map<ServerId, Map<string, CatalogEntry>>();
  for (const entry of resources) {
    const own = listed.get(entry.server) ?? new Map<string, CatalogEntry>();
    listed.set(entry.server, own.set(entry.native, entry));
  }
  const all = compiled(templates);
  return {
    find: (server, native) =>
      listed.get(server)?.get(native) ??
      all.find((item) => item.entry.server === server && item.matcher.matches(native))?.entry,
  };
}

function schemeOwners(entries: readonly CatalogEntry[]): Map<string, Set<ServerId>> {
  const owners = new Map<string, Set<ServerId>>();
  for (const entry of entries) {
    const scheme = schemeOf(entry.native) ?? '';
    const set = owners.get(scheme) ?? new Set<ServerId>();
    owners.set(scheme, set.add(entry.server));
  }
  return owners;
}
