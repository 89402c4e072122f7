import { createHash } from 'node:crypto';

export const SHORT_HASH_CHARS = 8;

/** Eight hexadecimal digits that depend on the text alone. */
export const shortHash = (text: string): string =>
  createHash('sha256').update(text, 'utf8').digest('hex').slice(0, SHORT_HASH_CHARS);
