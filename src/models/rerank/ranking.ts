// What every reranker does to its scores: a total order of the texts, and the check that nothing was lost or added.
import type { RankedText } from './rerank-model.ts';

/** The ranking that scores by index make of `count` texts: total, whatever was scored. */
export function toRanking(scores: ReadonlyMap<number, number>, count: number): readonly RankedText[] {
  const indexes = Array.from({ length: count }, (_, index) => index);
  const scored = indexes.flatMap((index) => {
    const score = scores.get(index);
    return score === undefined ? [] : [{ index, score }];
  });
  scored.sort((a, b) => b.score - a.score || a.index - b.index);
  return [...scored, ...indexes.filter((index) => !scores.has(index)).map((index) => ({ index }))];
}

/** Whether a ranking holds each of `count` texts once, with scores of 0..1. */
export function isPermutation(ranking: readonly RankedText[], count: number): boolean {
  const seen = new Set(ranking.map(({ index }) => index));
  const isInside = ({ index, score = 0 }: RankedText): boolean =>
    Number.isInteger(index) && index >= 0 && index < count && score >= 0 && score <= 1;
  return ranking.length === count && seen.size === count && ranking.every(isInside);
}
