import { getEncodingParams } from 'gpt-tokenizer/modelParams';
import { resolveEncodingAsync } from 'gpt-tokenizer/resolveEncodingAsync';

import { createMerger } from './merge-count.ts';
import type { TokenizerName } from './tokenizer-names.ts';

export interface Tokenizer {
  readonly name: TokenizerName;
  /** Tokens of the text. Names of control tokens in it count as the plain text that they are. */
  count(text: string): number;
}

// Matching backtracks, and its memory grows with the text: several million letters in a row overflow it.
// A cut adds at most a token or two to a quarter of a million characters.
const MAX_PART_CHARACTERS = 262_144;

// Words repeat; long pieces rarely do, and would fill the memory.
const MAX_REMEMBERED = 50_000;
const MAX_REMEMBERED_LENGTH = 64;

/** Loads a vocabulary, which takes a few hundred milliseconds and some 50 MB: for a thread of its own. */
export async function loadTokenizer(name: TokenizerName): Promise<Tokenizer> {
  const vocabulary = await resolveEncodingAsync(name);
  const { tokenSplitRegex } = getEncodingParams(name, () => vocabulary);
  const ranks = new Map<string, number>();
  vocabulary.forEach((token, rank) => ranks.set(bytesOf(token), rank));
  const merger = createMerger(ranks);
  const remembered = new Map<string, number>();
  const countPiece = (piece: string): number => {
    const bytes = bytesOf(piece);
    if (ranks.has(bytes)) return 1;
    const known = remembered.get(bytes);
    if (known !== undefined) return known;
    const count = merger.count(bytes);
    if (bytes.length <= MAX_REMEMBERED_LENGTH) {
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      remembered.set(bytes, count);
    }
    return count;
  };
  return {
    name,
    count(text) {
      let count = 0;
      for (const part of parts(text)) {
        for (const [piece] of part.matchAll(tokenSplitRegex)) count += countPiece(piece);
      }
      return count;
    },
  };
}

// oxlint-disable-next-line no-control-regex -- ASCII is the range that is meant.
const ASCII = /^[\x00-\x7f]*$/;

/** UTF-8 as a binary string, so that tokens which are no whole characters have a key, too. */
function bytesOf(token: string | readonly number[]): string {
  if (typeof token !== 'string') return Buffer.from(token).toString('latin1');
  return ASCII.test(token) ? token : Buffer.from(token, 'utf8').toString('latin1');
}

function* parts(text: string): Generator<string> {
  let start = 0;
  while (text.length - start > MAX_PART_CHARACTERS) {
    const end = cutBefore(text, start + MAX_PART_CHARACTERS);
    yield text.slice(start, end);
    start = end;
  }
  yield start === 0 ? text : text.slice(start);
}

/** A place shortly before `limit` where words end, else one that splits no character. */
function cutBefore(text: string, limit: number): number {
  const space = text.lastIndexOf(' ', limit);
  if (space > limit - 4096) return space;
  const code = text.charCodeAt(limit - 1);
  return code >= 0xd800 && code <= 0xdbff ? limit - 1 : limit;
}
