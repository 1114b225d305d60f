// The model of support: boosted stumps, a sum of steps over the measured numbers, turned into a share. Its numbers stand in weights.ts
// and are fitted by scripts/fit-support.ts on the open halves of the judged sets.

/** How a grade becomes a share: `bias + slope * grade` as log odds. */
export interface Calibration {
  readonly bias: number;
  readonly slope: number;
}

export interface SupportModel {
  readonly bias: number;
  /** Of claims that the rules refuse; they are the most, and people call about half of them carried. */
  readonly refused: Calibration;
  /** Of claims that the rules accept in words of their own: the share that people call carried. */
  readonly accepted: number;
  readonly stumps: readonly (readonly [feature: number, threshold: number, below: number, above: number])[];
}

/** 0..1: how likely people say that the quote carries the claim. */
export function scoreOf(features: readonly number[], { bias, stumps }: Pick<SupportModel, 'bias' | 'stumps'>): number {
  let sum = bias;
  for (const [feature, threshold, below, above] of stumps)
    sum += (features[feature] as number) <= threshold ? below : above;
  return 1 / (1 + Math.exp(-sum));
}

/** From here on the share of a refused claim is pressed together, so that it stays below the half and keeps its order. */
const pressedFrom = 0.45;
const pressedBy = 0.08;

/** How near a refused claim comes, 0..1, before calibration. `read` is what the comparison word by word found of it, 0..1. */
export const gradeOf = (score: number, read: number): number => (score + read) / 2;

/** The share of claims refused with this grade that people call carried, where as many are true as false; below 0.5. */
export function refusedSupport(grade: number, { refused: { bias, slope } }: SupportModel): number {
  const share = 1 / (1 + Math.exp(-(bias + slope * grade)));
  return share <= pressedFrom ? share : pressedFrom + pressedBy * (share - pressedFrom);
}

/** The same of claims accepted in words of their own: short of certain, the more so the lower their score. */
export const acceptedSupport = (score: number, { accepted }: SupportModel): number =>
  accepted + (1 - accepted) * (score - 0.5);
