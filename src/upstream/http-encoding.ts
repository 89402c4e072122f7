import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Transform } from 'node:stream';

/**
 * A decoder for a body that came encoded although `identity` was asked for; undefined when there is
 * nothing to decode, null when the encoding is unknown.
 */
export function contentDecoder(contentEncoding: string | undefined): Transform | undefined | null {
  const encoding = contentEncoding?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return undefined;
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip();
  if (encoding === 'deflate') return createInflate();
  if (encoding === 'br') return createBrotliDecompress();
  return null;
}

/** One value of a header that may have come more than once; the first is the one that counts. */
export const headerText = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value;
