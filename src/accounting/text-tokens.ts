import { type HeldText, type HeldTexts, TOO_LARGE } from './text-allowance.ts';

/** Undefined where there was nothing to count, null where it could not be. */
export interface TextTokens {
  readonly searchAnswer: number | null | undefined;
  readonly result: number | null | undefined;
}

export type CountTexts = (texts: readonly (string | Uint8Array)[]) => Promise<readonly number[]>;

/** Counts the texts of many answers in one go; where that fails, all of them are unknown. */
export async function textTokensOf(
  answers: readonly HeldTexts[],
  count: CountTexts,
  onFault: (error: unknown) => void,
): Promise<readonly TextTokens[]> {
  const texts = answers
    .flatMap(({ searchAnswer, result }): (HeldText | undefined)[] => [searchAnswer, result])
    .filter(isCountable);
  const counts = await countsOrNone(texts, count, onFault);
  let next = 0;
  const take = (text: HeldText | undefined): number | null | undefined => {
    if (text === undefined) return undefined;
    return text === TOO_LARGE ? null : (counts[next++] ?? null);
  };
  return answers.map(({ searchAnswer, result }) => ({
    searchAnswer: take(searchAnswer),
    result: take(result),
  }));
}

const isCountable = (text: HeldText | undefined): text is string | Uint8Array =>
  text !== undefined && text !== TOO_LARGE;

async function countsOrNone(
  texts: readonly (string | Uint8Array)[],
  count: CountTexts,
  onFault: (error: unknown) => void,
): Promise<readonly number[]> {
  if (texts.length === 0) return [];
  try {
    return await count(texts);
  } catch (error) {
    onFault(error);
    return [];
  }
}
