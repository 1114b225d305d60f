// How much of a claim one sentence carries, by the weight of its words: figures, dates and names count twice.
import { type Alignment, similarity } from './align.ts';
import type { Token } from './tokens.ts';

export interface Covered {
  /** Weights of the claim's words, and of those that the sentence carries. */
  readonly total: number;
  readonly covered: number;
  /** No word is missing. */
  readonly isWhole: boolean;
}

export function coverageOf(claim: readonly Token[], quote: readonly Token[], alignment: Alignment): Covered {
  let [total, covered] = [0, 0];
  let isWhole = true;
  for (const [at, token] of claim.entries()) {
    if (!token.content) continue;
    const weight =
      token.type === 'number' || token.type === 'date' || token.name ? 2 : token.type === 'character' ? 0.5 : 1;
    total += weight;
    const other = alignment.toQuote[at] as number;
    if (other >= 0) covered += weight * Math.max(0.8, similarity(token, quote[other] as Token));
    else isWhole = false;
  }
  return { total, covered, isWhole };
}
