import { type NativeName, type QualifiedName, qualifiedName } from '../domain/index.ts';
import { SHORT_HASH_CHARS, shortHash } from './short-hash.ts';

const SEPARATOR = '__';
const LEGAL = /^[A-Za-z0-9_-]+$/;
/** What a prefix leaves of a name at least, or a model could not tell what it does. */
const MIN_NAME_CHARS = 16;

/**
 * The prefix of a namespace's names: nothing for the empty one. A namespace that would leave no room is
 * cut, with a hash of the whole behind a dash, so that it stays free of the separator.
 */
export function prefixOf(namespace: string, maxLength: number): string {
  if (namespace === '') return '';
  const room = maxLength - SEPARATOR.length - MIN_NAME_CHARS;
  if (namespace.length <= room) return namespace + SEPARATOR;
  return `${namespace.slice(0, room - SHORT_HASH_CHARS - 1)}-${shortHash(namespace)}${SEPARATOR}`;
}

/**
 * The name under which hosts see a native name; undefined when it cannot be named.
 *
 * A pure function of its arguments: it looks at no other name and at no order, so the same server gets
 * the same names on every start and every replica. A name that has to be cleaned or cut always carries
 * a hash of the native one, so two names that differ only in what was lost stay apart.
 */
export function qualify(namespace: string, native: NativeName, maxLength: number): QualifiedName | undefined {
  if (native === '') return undefined;
  const prefix = prefixOf(namespace, maxLength);
  if (LEGAL.test(native) && prefix.length + native.length <= maxLength) return qualifiedName(prefix + native);
  const room = maxLength - prefix.length - SHORT_HASH_CHARS - 1;
  const cleaned = native.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, room);
  return qualifiedName(`${prefix}${cleaned}_${shortHash(native)}`);
}
