import { type ExposedUri, exposedUri, type NativeUri, nativeUri } from '../domain/index.ts';

const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]*):/;
const LABEL = /^[A-Za-z0-9_-]+$/;
const MARK = '.tollgate/';
/** Says that what follows stands right behind the scheme, without the two slashes of an authority. */
const VERBATIM = ':';

/** The scheme of a URI in lower case; undefined when it has none and so cannot be addressed. */
export function schemeOf(uri: string): string | undefined {
  return SCHEME.exec(uri)?.[1]?.toLowerCase();
}

/**
 * Marks a URI with the label of its server: `file:///a` of `notes` becomes `file://notes.tollgate//a`.
 * The scheme stays, because hosts give schemes a meaning, and the native form can be read back from the
 * text alone. Works for URI templates too: nothing behind the scheme is touched.
 */
export function markUri(label: string, native: NativeUri): ExposedUri {
  const scheme = SCHEME.exec(native)?.[0];
  if (scheme === undefined) return exposedUri(native);
  const rest = native.slice(scheme.length);
  // An authority may be a port alone; taken without its slashes it would read as the sign for their absence.
  const isPlain = rest.startsWith('//') && rest[2] !== VERBATIM;
  return exposedUri(`${scheme}//${label}${MARK}${isPlain ? rest.slice(2) : VERBATIM + rest}`);
}

/** What a marked URI says. */
export interface MarkedUri {
  readonly label: string;
  readonly native: NativeUri;
}

/** Reads a marked URI back; undefined when it is not one. */
export function unmarkUri(uri: string): MarkedUri | undefined {
  const scheme = SCHEME.exec(uri)?.[0];
  if (scheme === undefined || !uri.startsWith('//', scheme.length)) return undefined;
  const start = scheme.length + 2;
  const slash = uri.indexOf('/', start);
  // Hosts and their libraries may write an authority in lower case, never in another way.
  if (slash < 0 || !uri.slice(start, slash + 1).endsWith(MARK)) return undefined;
  const label = uri.slice(start, slash + 1 - MARK.length);
  if (!LABEL.test(label)) return undefined;
  const tail = uri.slice(slash + 1);
  const native = tail.startsWith(VERBATIM) ? scheme + tail.slice(VERBATIM.length) : `${scheme}//${tail}`;
  return { label, native: nativeUri(native) };
}
