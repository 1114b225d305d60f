// The support of a refused claim: the share of claims covered as far by one sentence that people call carried, where as many are true
// as false. Fitted by `node scripts/fit-support.ts` on the open halves of the judged sets.

/** The comparison word by word gives a refused claim its coverage times this, so that it stays below 0.5. */
export const mostRefused = 0.45;
/** Log odds: `bias + slope * coverage`. */
const [bias, slope] = [-0.6158, 1.1936];
/** From here on the share is pressed together, so that it stays below the half and keeps its order. */
const pressedFrom = 0.45;
const pressedBy = 0.08;

/** `coverage`: how much of the claim the best sentence carries by weight of words, 0..1. */
export function supportOfRefused(coverage: number): number {
  const share = 1 / (1 + Math.exp(-(bias + slope * coverage)));
  return share <= pressedFrom ? share : pressedFrom + pressedBy * (share - pressedFrom);
}
