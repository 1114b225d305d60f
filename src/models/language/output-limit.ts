// How much of an answer is read: what was asked for and a quarter more, since tokenizers differ. Invariant: a provider that does not keep
// the limit it was given costs a budget no more than that quarter, and whoever reads stops there.
import { countTokens } from '../../text/tokens/tokens.ts';

export interface OutputLimit {
  /** What of the text that comes next is within the limit; shorter than the text where it is reached. */
  take(text: string): string;
}

/** Tokens are counted for so many characters at a time: cutting text in smaller pieces makes more tokens of it. */
const countedCharacters = 1_000;
/** No token is longer on average: white space counts too. */
const longestToken = 12;

export function createOutputLimit(maxOutputTokens: number): OutputLimit {
  const mostTokens = Math.ceil(maxOutputTokens * 1.25) + 16;
  let left = maxOutputTokens * longestToken;
  let tokens = 0;
  let uncounted = '';
  return {
    take(text) {
      let taken = '';
      while (taken.length < text.length && left > 0 && tokens < mostTokens) {
        const piece = text.slice(taken.length, taken.length + Math.min(left, countedCharacters - uncounted.length));
        taken += piece;
        uncounted += piece;
        left -= piece.length;
        if (uncounted.length < countedCharacters) continue;
        tokens += countTokens(uncounted);
        uncounted = '';
      }
      return taken.toWellFormed();
    },
  };
}
