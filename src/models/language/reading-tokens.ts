// What texts take of a model that reads and writes nothing: one that embeds or ranks. Invariant: what is reserved is the most that the model
// may count, by its own encoding or with its margin; what is billed is its report where that can be true, else our own count.
import { countTokens } from '../../text/tokens/tokens.ts';
import type { PricedTokens } from '../money/prices.ts';
import { believedInput } from './model-usage.ts';
import { tokenizerOf } from './tokenizer-of.ts';

export interface ReadingTokens<Result> {
  most(): Promise<PricedTokens>;
  /** What the provider reports with a result, where that can be true. */
  reported(result: Result): number | undefined;
  taken(result: Result): PricedTokens;
  broken(): PricedTokens;
}

/** Tokens of all texts, by o200k_base. */
export const countAll = (texts: readonly string[]): number =>
  texts.reduce((total, text) => total + countTokens(text), 0);

/** `reportedBy`: the tokens that the provider reports with a result, whatever they are. */
export function readingTokens<Result>(
  { provider, model }: { readonly provider: string; readonly model: string },
  texts: readonly string[],
  reportedBy: (result: Result) => unknown,
): ReadingTokens<Result> {
  let counts: readonly number[] | undefined;
  const countEach = (): readonly number[] => {
    counts ??= texts.map((text) => countTokens(text));
    return counts;
  };
  /** Our own, made when first asked for. */
  const count = (): number => countEach().reduce((total, tokens) => total + tokens, 0);
  const reported = (result: Result): number | undefined => believedInput(reportedBy(result), count);
  const priced = (inputTokens: number): PricedTokens => ({ inputTokens, outputTokens: 0 });
  return {
    async most() {
      const tokenizer = await tokenizerOf(provider, model);
      // Counted anew only where it comes out otherwise, as in chain.ts.
      const each = tokenizer.name === 'cl100k_base' ? texts.map((text) => tokenizer.count(text)) : countEach();
      // Text by text: one in another script raises what is reserved for itself alone.
      return priced(texts.reduce((sum, text, at) => sum + Math.ceil((each[at] ?? 0) * tokenizer.margin(text)), 0));
    },
    reported,
    taken: (result) => priced(reported(result) ?? count()),
    broken: () => priced(count()),
  };
}
