// Fits sums of steps, each over one measured number, by gradient boosting of the logistic loss. Deterministic. A number may push one way only,
// so that what is fitted can be read, and holds where there was little to fit it on.

export interface FittedRow {
  readonly features: readonly number[];
  readonly isTrue: boolean;
  readonly weight: number;
}

/** Number of the feature, threshold, what is added at or below it, what is added above. */
export type Stump = [feature: number, threshold: number, below: number, above: number];

export interface Boosting {
  /** For each feature 1 where the sum may only grow with it, -1 where it may only fall; it is left out otherwise. */
  readonly directions: readonly (1 | -1 | undefined)[];
  readonly rounds: number;
  readonly rate: number;
  /** So much weight stands against every step. */
  readonly ridge: number;
  /** Thresholds that are tried part the rows into so many shares. */
  readonly shares: number;
}

export function boost(rows: readonly FittedRow[], { directions, rounds, rate, ridge, shares }: Boosting): Stump[] {
  const thresholds = directions.map((_, feature) => {
    const values = rows.map(({ features }) => features[feature] as number).sort((a, b) => a - b);
    const cuts = new Set<number>();
    for (let share = 1; share < shares; share += 1)
      cuts.add(Number((values[Math.floor((share * values.length) / shares)] as number).toFixed(4)));
    return [...cuts];
  });
  const sums = new Float64Array(rows.length);
  const stumps: Stump[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const gradients = rows.map(({ isTrue, weight }, at) => {
      const share = 1 / (1 + Math.exp(-(sums[at] as number)));
      return { gradient: weight * ((isTrue ? 1 : 0) - share), curve: weight * share * (1 - share) };
    });
    let best: { gain: number; stump: Stump } | undefined;
    for (const [feature, cuts] of thresholds.entries()) {
      const direction = directions[feature];
      if (direction === undefined) continue;
      for (const threshold of cuts) {
        let [lowGradient, lowCurve, highGradient, highCurve] = [0, 0, 0, 0];
        for (const [at, { features }] of rows.entries()) {
          const { gradient, curve } = gradients[at] as { gradient: number; curve: number };
          if ((features[feature] as number) <= threshold) {
            lowGradient += gradient;
            lowCurve += curve;
          } else {
            highGradient += gradient;
            highCurve += curve;
          }
        }
        const [low, high] = [lowGradient / (lowCurve + ridge), highGradient / (highCurve + ridge)];
        if ((high - low) * direction <= 0) continue;
        const gain = lowGradient * low + highGradient * high;
        if (!best || gain > best.gain) best = { gain, stump: [feature, threshold, rate * low, rate * high] };
      }
    }
    if (!best) break;
    const [feature, threshold, below, above] = best.stump;
    stumps.push([feature, threshold, Number(below.toFixed(4)), Number(above.toFixed(4))]);
    for (const [at, { features }] of rows.entries())
      sums[at] = (sums[at] as number) + ((features[feature] as number) <= threshold ? below : above);
  }
  return joined(stumps);
}

/** Steps that part a number at the same place are one. */
function joined(stumps: readonly Stump[]): Stump[] {
  const known = new Map<string, Stump>();
  for (const [feature, threshold, below, above] of stumps) {
    const stump = known.get(`${feature} ${threshold}`);
    if (stump) {
      stump[2] += below;
      stump[3] += above;
    } else known.set(`${feature} ${threshold}`, [feature, threshold, below, above]);
  }
  return [...known.values()]
    .map(
      ([feature, threshold, below, above]): Stump => [
        feature,
        threshold,
        Number(below.toFixed(4)),
        Number(above.toFixed(4)),
      ],
    )
    .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}
