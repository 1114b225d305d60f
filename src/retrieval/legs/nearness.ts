// How near a hit is by itself, and what `minScore` makes of it. Invariants: a cosine of a fixed model becomes 0..1 in one way, whichever store
// told it; what was found by its words is dropped only where the request asks for that; an explicit 0 drops nothing.
import type { Degradation } from '../../core/search.ts';
import type { Nearness, RankedHit } from './leg-result.ts';

/** A cosine of 0.3: what such models give texts that have little to do with each other lies below. */
const leastOfFixed = 0.65;

/** Of a fixed model: opposite is 0, unrelated 0.5, the same 1. */
export const similarityOf = (cosine: number): number => Math.min(1, Math.max(0, (1 + cosine) / 2));

/** A hit by a vector of a fixed model, with its likeness as it is told. */
export function nearByFixed<Hit extends Pick<RankedHit, 'scores'>>(hit: Hit): Hit & { readonly nearness?: Nearness } {
  const { vector } = hit.scores;
  if (vector === undefined) return hit;
  const similarity = similarityOf(vector);
  return { ...hit, scores: { ...hit.scores, vector: similarity }, nearness: { similarity, least: leastOfFixed } };
}

/** A hit of a store that makes vectors itself and tells 0..1: what that is worth, only the request can say. */
export function nearByOwn<Hit extends Pick<RankedHit, 'scores'>>(hit: Hit): Hit & { readonly nearness?: Nearness } {
  const { vector } = hit.scores;
  return vector === undefined ? hit : { ...hit, nearness: { similarity: vector, least: 0 } };
}

/** What is near enough, or, found by its words, scores enough beside the best. */
export function enough<Hit extends RankedHit>(hits: readonly Hit[], minScore: number | undefined): Hit[] {
  const best = hits[0]?.score ?? 0;
  return hits.filter(({ score, scores, nearness }) => {
    if (nearness && nearness.similarity >= (minScore ?? nearness.least)) return true;
    const isByWords = scores.bm25 !== undefined || nearness === undefined;
    return isByWords && (minScore === undefined || score >= minScore * best);
  });
}

/** An empty page must not look like stores that hold nothing. */
export const allDropped = (count: number, minScore: number | undefined): Degradation => ({
  component: 'min-score',
  code: 'all-dropped',
  detail:
    minScore === undefined
      ? `All ${count} hits are less like the question than what is shown by default; minScore 0 shows them.`
      : `All ${count} hits are below the minScore ${minScore} that was asked for, or are gone.`,
  effect: 'They were left out, so nothing is left to show or to answer from.',
});
