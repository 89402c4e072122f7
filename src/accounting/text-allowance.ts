/** Texts of an answer to count. They are let go of once counted, and count as unknown when too large. */
export interface CountedTexts {
  readonly searchAnswer?: string | Uint8Array | undefined;
  readonly result?: string | Uint8Array | undefined;
}

/** How much text may wait to be counted. */
export interface TextAllowance {
  /** What of an answer may wait; the rest becomes a text whose count is unknown. */
  admit(texts: CountedTexts): HeldTexts;
  /** Makes room for others. */
  release(texts: HeldTexts): void;
}

/** Texts that wait, `TOO_LARGE` where one may not, undefined where there was none. */
export interface HeldTexts {
  readonly searchAnswer: HeldText | undefined;
  readonly result: HeldText | undefined;
  readonly size: number;
}

export const TOO_LARGE: unique symbol = Symbol('too large to count');
export type HeldText = string | Uint8Array | typeof TOO_LARGE;

// A larger text is unknown: to count one would take seconds, and to hold it would take memory.
const MAX_TEXT_LENGTH = 262_144;
const MAX_HELD_LENGTH = 8 * 1_048_576;

export const NO_TEXTS: HeldTexts = { searchAnswer: undefined, result: undefined, size: 0 };

export function createTextAllowance(): TextAllowance {
  let held = 0;
  const hold = (text: string | Uint8Array | undefined): HeldText | undefined => {
    if (text === undefined) return undefined;
    if (text.length > MAX_TEXT_LENGTH || held + text.length > MAX_HELD_LENGTH) return TOO_LARGE;
    held += text.length;
    return text;
  };
  return {
    admit: (texts) => {
      const before = held;
      // The search answer first: what it cost belongs to the savings, which have to be known.
      const searchAnswer = hold(texts.searchAnswer);
      const result = hold(texts.result);
      return { searchAnswer, result, size: held - before };
    },
    release: (texts) => {
      held -= texts.size;
    },
  };
}
