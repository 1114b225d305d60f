// How likely a question takes two steps ("the director of the film that …"): there the first claim is seldom the answer, however well it fits.
// Its numbers stand in confidence-weights.ts and are fitted by scripts/fit-confidence.ts.

/** What tells that a question takes two steps, and how often its first claim is right. */
export interface HopModel {
  readonly bias: number;
  /** Number of the feature, weight. */
  readonly weights: readonly (readonly [feature: number, weight: number])[];
  readonly right: number;
}

/** Chance that the question takes two steps, 0..1. */
export function hopsOf(numbers: readonly number[], { bias, weights }: Pick<HopModel, 'bias' | 'weights'>): number {
  const sum = weights.reduce((total, [feature, weight]) => total + weight * (numbers[feature] as number), bias);
  return 1 / (1 + Math.exp(-sum));
}
