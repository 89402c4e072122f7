import { type ExposedUri, exposedUri, type NativeUri, nativeUri } from '../domain/index.ts';

const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]*):/;
const MARK = '.tollgate/';
/** Stands for "the native URI had no authority"; no authority can begin with it. */
const OPAQUE = ':';

/** The scheme of a URI in lower case; undefined when it has none and so cannot be addressed. */
export function schemeOf(uri: string): string | undefined {
  return SCHEME.exec(uri)?.[1]?.toLowerCase();
}

/**
 * Marks a URI with the namespace of its server: `file:///a` of `notes` becomes `file://notes.tollgate//a`.
 * The scheme stays, because hosts give schemes a meaning, and the native form can be read back from the
 * text alone. Works for URI templates too: nothing behind the scheme is touched.
 */
export function markUri(namespace: string, native: NativeUri): ExposedUri {
  const scheme = SCHEME.exec(native)?.[0];
  if (scheme === undefined) return exposedUri(native);
  const rest = native.slice(scheme.length);
  const tail = rest.startsWith('//') ? rest.slice(2) : OPAQUE + rest;
  return exposedUri(`${scheme}//${namespace}${MARK}${tail}`);
}

/** Reads a marked URI back; undefined when it is not one. */
export function unmarkUri(
  uri: string,
): { readonly namespace: string; readonly native: NativeUri } | undefined {
  const scheme = SCHEME.exec(uri)?.[0];
  if (scheme === undefined || !uri.startsWith('//', scheme.length)) return undefined;
  const start = scheme.length + 2;
  const slash = uri.indexOf('/', start);
  if (slash < 0) return undefined;
  const authority = uri.slice(start, slash + 1);
  if (!authority.endsWith(MARK) || authority.length === MARK.length) return undefined;
  const namespace = authority.slice(0, -MARK.length);
  const tail = uri.slice(slash + 1);
  const native = tail.startsWith(OPAQUE) ? scheme + tail.slice(OPAQUE.length) : `${scheme}//${tail}`;
  return { namespace, native: nativeUri(native) };
}
