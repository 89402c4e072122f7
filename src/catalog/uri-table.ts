import { nativeUri, type NativeUri, type ServerId } from '../domain/index.ts';
import { markUri, schemeOf, unmarkUri } from './exposed-uri.ts';
import type { CatalogEntry, UriRoute } from './snapshot.ts';
import { compileUriTemplate, type UriTemplateMatcher } from './uri-template.ts';

export interface ResourceServer {
  readonly id: ServerId;
  readonly namespace: string;
  readonly servesResources: boolean;
}

export interface UriTable {
  resolve(uri: string, mayServe: (server: ServerId) => boolean): UriRoute | undefined;
  expose(server: ServerId, uri: NativeUri): string;
  mayRewrite(server: ServerId): boolean;
}

interface CompiledTemplate {
  readonly entry: CatalogEntry;
  readonly matcher: UriTemplateMatcher;
}

const everyServer = (): boolean => true;

/**
 * Resolves URIs in an order that depends on configuration and definitions alone: listed resource, marked
 * form, template (most literal first, then configuration order), the one server that uses the scheme,
 * the one server that has resources at all. What none of these settles is unknown, never guessed.
 */
export function createUriTable(
  servers: readonly ResourceServer[],
  resources: readonly CatalogEntry[],
  templates: readonly CatalogEntry[],
): UriTable {
  const listed = new Map(resources.map((entry) => [entry.exposed, entry]));
  const compiled = compileTemplates(templates);
  const byNamespace = new Map(servers.map((server) => [server.namespace.toLowerCase(), server.id]));
  const namespaceOf = new Map(servers.map((server) => [server.id, server.namespace]));
  const bySchemes = schemeOwners([...resources, ...templates]);
  const withResources = servers.filter((server) => server.servesResources).map((server) => server.id);

  const findOwner = (uri: string, mayServe: (server: ServerId) => boolean): ServerId | undefined => {
    const owners = [...(bySchemes.get(schemeOf(uri) ?? '') ?? [])].filter(mayServe);
    if (owners.length > 0) return owners.length === 1 ? owners[0] : undefined;
    const able = withResources.filter(mayServe);
    return able.length === 1 ? able[0] : undefined;
  };

  const resolve = (uri: string, mayServe: (server: ServerId) => boolean): UriRoute | undefined => {
    const entry = listed.get(uri);
    if (entry !== undefined && mayServe(entry.server)) return routeTo(entry, nativeUri(entry.native));
    const marked = unmarkUri(uri);
    const markedServer = marked === undefined ? undefined : byNamespace.get(marked.namespace.toLowerCase());
    if (marked !== undefined && markedServer !== undefined && mayServe(markedServer)) {
      const own = compiled.find(
        (item) => item.entry.server === markedServer && matchesNative(item, marked.native),
      );
      return { server: markedServer, native: marked.native, entry: own?.entry };
    }
    const template = compiled.find(
      (item) =>
        item.entry.native === item.entry.exposed && mayServe(item.entry.server) && item.matcher.matches(uri),
    );
    if (template !== undefined) return routeTo(template.entry, nativeUri(uri));
    const owner = findOwner(uri, mayServe);
    return owner === undefined ? undefined : { server: owner, native: nativeUri(uri), entry: undefined };
  };

  return {
    resolve,
    expose: (server, uri) => {
      const namespace = namespaceOf.get(server) ?? '';
      if (schemeOf(uri) === undefined || namespace === '') return uri;
      return resolve(uri, everyServer)?.server === server ? uri : markUri(namespace, uri);
    },
    mayRewrite: (server) => withResources.length > 1 && withResources.includes(server),
  };
}

const routeTo = (entry: CatalogEntry, native: NativeUri): UriRoute => ({
  server: entry.server,
  native,
  entry,
});

const matchesNative = (item: CompiledTemplate, native: NativeUri): boolean =>
  compileUriTemplate(item.entry.native).matches(native);

function compileTemplates(templates: readonly CatalogEntry[]): CompiledTemplate[] {
  return templates
    .map((entry) => ({ entry, matcher: compileUriTemplate(entry.exposed) }))
    .sort((a, b) => b.matcher.literalChars - a.matcher.literalChars);
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
