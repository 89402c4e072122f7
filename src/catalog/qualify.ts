import { createHash } from 'node:crypto';
import { type NativeName, type QualifiedName, qualifiedName } from '../domain/index.ts';

const SEPARATOR = '__';
const LEGAL = /^[A-Za-z0-9_-]+$/;
const HASH_CHARS = 8;
/** A name keeps at least this many characters of its own, or a model could not tell what it does. */
const MIN_NAME_CHARS = 16;

const shortHash = (text: string): string =>
  createHash('sha256').update(text, 'utf8').digest('hex').slice(0, HASH_CHARS);

/**
 * The prefix of a namespace's names: nothing for the empty one. A namespace that would leave no room is
 * cut, with a hash of the whole behind a dash, so that it stays free of the separator.
 */
export function prefixOf(namespace: string, maxLength: number): string {
  if (namespace === '') return '';
  const room = maxLength - SEPARATOR.length - MIN_NAME_CHARS;
  if (namespace.length <= room) return namespace + SEPARATOR;
  return `${namespace.slice(0, room - HASH_CHARS - 1)}-${shortHash(namespace)}${SEPARATOR}`;
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
  const room = maxLength - prefix.length - HASH_CHARS - 1;
  const cleaned = native.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, room);
  return qualifiedName(`${prefix}${cleaned}_${shortHash(native)}`);
}
