import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { CountedForm } from './token-worker.ts';

// Hashing runs at several hundred megabytes a second; in between, requests get their turn.
const MAX_TURN_MS = 3;
const SLICE_CHARACTERS = 65_536;

/** SHA-256 of what is counted and in which form, in hexadecimal digits. */
export function digestOf(text: string, form: CountedForm): string {
  const hash = createHash('sha256').update(`${form}\n`);
  for (const slice of slices(text)) hash.update(slice);
  return hash.digest('hex');
}

/** The digests of many or of large texts, made in turns of a few milliseconds. */
export async function digestsOf(
  texts: readonly string[],
  form: CountedForm,
  now: () => number,
): Promise<string[]> {
  const digests: string[] = [];
  let turnStart = now();
  for (const text of texts) {
    const hash = createHash('sha256').update(`${form}\n`);
    for (const slice of slices(text)) {
      hash.update(slice);
      if (now() - turnStart < MAX_TURN_MS) continue;
      await nextTurn();
      turnStart = now();
    }
    digests.push(hash.digest('hex'));
  }
  return digests;
}

/** The text in order; no slice ends within a character, whose halves would be hashed as something else. */
function* slices(text: string): Generator<string> {
  let start = 0;
  while (text.length - start > SLICE_CHARACTERS) {
    const limit = start + SLICE_CHARACTERS;
    const code = text.charCodeAt(limit - 1);
    const end = code >= 0xd800 && code <= 0xdbff ? limit - 1 : limit;
    yield text.slice(start, end);
    start = end;
  }
  yield start === 0 ? text : text.slice(start);
}
