declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** The key of a server in the configuration; unique, and the prefix of its names unless it asks for none. */
export type ServerId = Branded<'ServerId'>;
/** A name exactly as its upstream declared it; never sent to a host. */
export type NativeName = Branded<'NativeName'>;
/** A name as hosts see it; only the catalog makes one. */
export type QualifiedName = Branded<'QualifiedName'>;
/** A URI exactly as its upstream declared it. */
export type NativeUri = Branded<'NativeUri'>;
/** A URI as hosts see it; only the catalog makes one. */
export type ExposedUri = Branded<'ExposedUri'>;

export const serverId = (text: string): ServerId => text as ServerId;
export const nativeName = (text: string): NativeName => text as NativeName;
export const qualifiedName = (text: string): QualifiedName => text as QualifiedName;
export const nativeUri = (text: string): NativeUri => text as NativeUri;
export const exposedUri = (text: string): ExposedUri => text as ExposedUri;
