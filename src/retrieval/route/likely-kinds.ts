// How likely a question needs each kind of source: a softmax over the signs that it shows, fitted on labelled questions (scripts/fit-router.ts).
// Invariants: the chances of the kinds and of none of them add up to one; the same question has the same chances wherever it is asked. Pure.
import { readFileSync } from 'node:fs';
import type { SourceType } from '../../core/document.ts';
import { fittedWeights, isSaid } from '../../text/signs.ts';

/** A question that speaks for no kind of source. */
export type RoutedKind = SourceType | 'none';

export interface RouteWeights {
  readonly kinds: readonly RoutedKind[];
  readonly bias: readonly number[];
  /** By sign, the number of each kind that it says something of, and its weight: `3:12 5:-4`. */
  readonly signs: Readonly<Record<string, string>>;
}

export interface LikelyKind {
  readonly type: RoutedKind;
  readonly chance: number;
  /** The words of the question that speak most for it. */
  readonly words: readonly string[];
}

/** One step of a kept weight. */
export const weightUnit = 0.1;
const mostWords = 3;
/** A word that adds less is no reason. */
const leastTold = 0.1;

/** Says it with the given weights, the likeliest first. */
export function kindsBy({ kinds, bias, signs }: RouteWeights): (question: string) => readonly LikelyKind[] {
  return (question) => {
    const sums = bias.map((weight) => weight * weightUnit);
    const telling = kinds.map((): { readonly sign: string; readonly adds: number }[] => []);
    for (const { sign, value, label, weight } of fittedWeights(signs, question)) {
      const adds = weight * weightUnit * value;
      sums[label] = (sums[label] ?? 0) + adds;
      if (adds >= leastTold && isSaid(sign)) telling[label]?.push({ sign, adds });
    }
    const most = Math.max(...sums);
    const all = sums.reduce((total, sum) => total + Math.exp(sum - most), 0);
    return kinds
      .map((type, at) => ({
        type,
        chance: Math.exp((sums[at] ?? 0) - most) / all,
        words: (telling[at] ?? [])
          .sort((left, right) => right.adds - left.adds)
          .slice(0, mostWords)
          .map(({ sign }) => sign),
      }))
      .sort((left, right) => right.chance - left.chance);
  };
}

let fitted: ReturnType<typeof kindsBy> | undefined;

export function likelyKinds(question: string): readonly LikelyKind[] {
  fitted ??= kindsBy(JSON.parse(readFileSync(new URL('./weights.json', import.meta.url), 'utf8')) as RouteWeights);
  return fitted(question);
}
