// Fits a softmax over dense rows of numbers, each with a ridge of its own, by Nesterov's descent. Deterministic.

export interface DenseRow {
  readonly label: number;
  readonly features: ArrayLike<number>;
  readonly weight: number;
}

export interface DenseOptions {
  /** With one, label 0 is it and label 1 is anything else. */
  readonly labels: number;
  /** Of each feature. */
  readonly ridges: readonly number[];
  readonly rounds: number;
}

/** By label: the bias, then a weight for each feature. */
export function fitDense(rows: readonly DenseRow[], { labels, ridges, rounds }: DenseOptions): readonly Float64Array[] {
  const size = ridges.length + 1;
  const blank = (): Float64Array[] => Array.from({ length: labels }, () => new Float64Array(size));
  const lengths = rows.map(({ features, weight }) => {
    let sum = 1;
    for (let at = 0; at < features.length; at += 1) sum += (features[at] as number) ** 2;
    return sum * weight;
  });
  const steepest = 0.5 * lengths.reduce((sum, one) => sum + one, 0) + Math.max(...ridges);
  const given = rows.map(({ label, features, weight }) => ({ label, weight, features: Float64Array.from(features) }));
  let weights = blank();
  let ahead = blank();
  let pace = 1;
  for (let round = 0; round < rounds; round += 1) {
    const gradient = blank();
    for (const { label, features, weight } of given) {
      const sums = ahead.map((own) => {
        let sum = own[0] as number;
        for (let at = 1; at < size; at += 1) sum += (own[at] as number) * (features[at - 1] as number);
        return sum;
      });
      if (labels === 1) sums.push(0);
      const most = Math.max(...sums);
      const shares = sums.map((sum) => Math.exp(sum - most));
      const all = shares.reduce((sum, share) => sum + share, 0);
      for (const [kind, own] of gradient.entries()) {
        const error = ((shares[kind] as number) / all - (kind === label ? 1 : 0)) * weight;
        own[0] = (own[0] as number) + error;
        for (let at = 1; at < size; at += 1) own[at] = (own[at] as number) + error * (features[at - 1] as number);
      }
    }
    const after = (1 + Math.sqrt(1 + 4 * pace * pace)) / 2;
    const last = weights;
    weights = ahead.map((own, kind) =>
      own.map((value, at) => {
        const drawn = at === 0 ? 0 : (ridges[at - 1] as number) * value;
        return value - (((gradient[kind] as Float64Array)[at] as number) + drawn) / steepest;
      }),
    );
    ahead = weights.map((own, kind) =>
      own.map((value, at) => value + ((pace - 1) / after) * (value - ((last[kind] as Float64Array)[at] as number))),
    );
    pace = after;
  }
  return weights;
}
