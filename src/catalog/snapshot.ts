import type { DefinitionKind, Diagnostic, NativeUri, ServerId } from '../domain/index.ts';
import type { ParamHeader } from '../wire/index.ts';

/** One definition as hosts may see it. */
export interface CatalogEntry {
  readonly kind: DefinitionKind;
  readonly server: ServerId;
  /** Native name, URI or template; what the upstream is sent. */
  readonly native: string;
  /** Qualified name, exposed URI or template; what hosts see. */
  readonly exposed: string;
  /** The finished JSON of the entry for hosts. */
  readonly json: string;
  /** The same for hosts of an era whose lists do not allow everything in `json`. */
  readonly legacyJson: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly paramHeaders: readonly ParamHeader[];
}

/** What a snapshot knows of one server beyond its entries. */
export interface ServerView {
  readonly id: ServerId;
  readonly namespace: string;
  /** What its names begin with; empty when they are shown as they are. */
  readonly namePrefix: string;
  /** As it last said; a server that is down for a while keeps what is known of it. */
  readonly instructions: string | undefined;
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** True once its lists were walked, in this life of the process. */
  readonly isListed: boolean;
  /** True when every list was walked to its end: what is listed is all that the server has. */
  readonly isComplete: boolean;
  /** Why its definitions are missing, partial or only the last known. */
  readonly trouble: string | undefined;
}

/** Where a URI leads. */
export interface UriRoute {
  readonly server: ServerId;
  readonly native: NativeUri;
  /** The listed resource, or the template that the URI has the shape of. */
  readonly entry: CatalogEntry | undefined;
}

/**
 * One immutable version of the catalog. Lists, routing tables, instructions and diagnostics all come
 * from it and are swapped together; a request works on the snapshot that it started with.
 */
export interface Snapshot {
  readonly version: number;
  /** In configuration order. */
  readonly servers: readonly ServerView[];
  /** In configuration order, then upstream order. */
  entries(kind: DefinitionKind): readonly CatalogEntry[];
  tool(name: string): CatalogEntry | undefined;
  prompt(name: string): CatalogEntry | undefined;
  template(exposed: string): CatalogEntry | undefined;
  /** Where a URI that a host sent leads; `mayServe` leaves out servers the caller may not use. */
  resolveUri(uri: string, mayServe: (server: ServerId) => boolean): UriRoute | undefined;
  /** The URI under which hosts see a URI that `server` sent, listed or not. */
  exposeUri(server: ServerId, uri: NativeUri): string;
  /** True when results of this server can hold URIs that hosts must see in another form. */
  mayRewriteUris(server: ServerId): boolean;
  readonly diagnostics: readonly Diagnostic[];
}
