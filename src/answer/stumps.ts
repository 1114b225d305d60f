// Boosted stumps: a sum of steps over measured numbers, turned into a share (scripts/boosted-stumps.ts fits such sums).

export interface Stumps {
  readonly bias: number;
  readonly stumps: readonly (readonly [feature: number, threshold: number, below: number, above: number])[];
}

/** The share that the sum of all steps gives, 0..1. */
export function scoreOf(features: readonly number[], { bias, stumps }: Stumps): number {
  let sum = bias;
  for (const [feature, threshold, below, above] of stumps)
    sum += (features[feature] as number) <= threshold ? below : above;
  return 1 / (1 + Math.exp(-sum));
}
