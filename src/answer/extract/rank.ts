// Orders candidates by how likely they hold the answer: a linear score over the features. The weights were fitted by a
// listwise logistic loss on the even articles of an English question set and rounded; those of marginal pieces, echoes,
// sought fields and other languages were set by hand. Everything is deterministic: equal scores keep the order of reading.
import type { Candidate, Features } from './candidates.ts';

export const rankWeights: Readonly<Partial<Record<keyof Features, number>>> = {
  coverage: 8,
  before: 3,
  after: 1.25,
  titled: 1.5,
  chunk: 2,
  score: 3,
  rank: 1.5,
  fit: 2,
  order: 0.75,
  density: 0.25,
  length: 0.75,
  marginal: -2,
  echo: -3,
  sought: 2,
  foreign: -2,
};

export interface RankedCandidate {
  readonly candidate: Candidate;
  readonly score: number;
}

const weighted = Object.entries(rankWeights) as readonly (readonly [keyof Features, number])[];

export function scoreOf(features: Features): number {
  let score = 0;
  for (const [name, weight] of weighted) score += weight * features[name];
  return score;
}

/** Best first. */
export function rankCandidates(candidates: readonly Candidate[]): RankedCandidate[] {
  return candidates
    .map((candidate) => ({ candidate, score: scoreOf(candidate.features) }))
    .sort(
      (a, b) =>
        b.score - a.score ||
        a.candidate.blockIndex - b.candidate.blockIndex ||
        a.candidate.pieceIndex - b.candidate.pieceIndex,
    );
}
