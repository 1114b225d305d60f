// The chances of labels for a text: a softmax over the signs that its words show and, where there is an encoder, over its vector. The weights are fitted
// by scripts/fit-memory.ts. Invariants: the chances add up to one; text and vector alone decide them. Pure.
import { dot } from '../../../core/values/dot.ts';
import { fittedWeights } from '../../../text/signs.ts';

export interface FittedWeights<Label extends string> {
  readonly labels: readonly Label[];
  /** Whole numbers of hundredths, of words alone. */
  readonly bias: readonly number[];
  /** By sign, the number of each label that it says something of, and its weight: `3:120 4:-40`. */
  readonly signs: Readonly<Record<string, string>>;
  /** By label, one weight for each number of a vector. */
  readonly meaning: { readonly bias: readonly number[]; readonly weights: readonly (readonly number[])[] };
}

/** One step of a kept weight. */
export const weightUnit = 0.01;
/** Words and meaning know much of the same: both together would be too sure. */
export const togetherShare = 0.6;

/** Says it with the given weights, by label. */
export function chancesBy<Label extends string>({ labels, bias, signs, meaning }: FittedWeights<Label>) {
  return (text: string, vector?: Float32Array): Readonly<Record<Label, number>> => {
    const sums = [...bias];
    for (const { label, weight, value } of fittedWeights(signs, text))
      sums[label] = (sums[label] ?? 0) + weight * value;
    const shares = sums.map((sum, at) => {
      if (!vector) return Math.exp(sum * weightUnit);
      const meant = (meaning.bias[at] ?? 0) + dot(meaning.weights[at] ?? [], vector);
      return Math.exp((sum + meant) * weightUnit * togetherShare);
    });
    const all = shares.reduce((total, share) => total + share, 0);
    return Object.fromEntries(labels.map((label, at) => [label, (shares[at] ?? 0) / all])) as Record<Label, number>;
  };
}
