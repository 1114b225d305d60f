// The model of support: boosted stumps, a sum of steps over the measured numbers, turned into a share. Its numbers stand in weights.ts
// and are fitted by scripts/fit-support.ts on the open halves of the judged sets.

export interface SupportModel {
  readonly bias: number;
  readonly stumps: readonly (readonly [feature: number, threshold: number, below: number, above: number])[];
}

/** 0..1: how likely people say that the quote carries the claim. */
export function scoreOf(features: readonly number[], { bias, stumps }: SupportModel): number {
  let sum = bias;
  for (const [feature, threshold, below, above] of stumps)
    sum += (features[feature] as number) <= threshold ? below : above;
  return 1 / (1 + Math.exp(-sum));
}
