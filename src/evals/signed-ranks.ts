// Wilcoxon's test of signed ranks ("Individual comparisons by ranking methods", 1945): whether differences lie on one side of zero by more than
// chance, whatever their size: one large difference counts no more than its rank. Pure.

/** So many differences are counted out; of more the normal distribution is near enough. */
const mostExact = 100;

/** Ranks of absolute values, doubled so that those of equals are whole numbers. */
function doubledRanks(values: readonly number[]): number[] {
  const order = values.map((value, at) => ({ size: Math.abs(value), at })).sort((a, b) => a.size - b.size);
  const ranks = new Array<number>(values.length).fill(0);
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (to + 1 < order.length && (order[to + 1]?.size ?? 0) - (order[from]?.size ?? 0) < 1e-12) to++;
    for (let place = from; place <= to; place++) ranks[order[place]?.at ?? 0] = from + to + 2;
    from = to + 1;
  }
  return ranks;
}

/** Two-sided p; differences of 0 are left out. 1 where there is none. */
export function signedRanks(differences: readonly number[]): number {
  const values = differences.filter((value) => value !== 0);
  if (values.length === 0) return 1;
  const ranks = doubledRanks(values);
  const all = ranks.reduce((sum, rank) => sum + rank, 0);
  const positive = ranks.reduce((sum, rank, at) => sum + ((values[at] ?? 0) > 0 ? rank : 0), 0);
  const less = Math.min(positive, all - positive);
  if (values.length > mostExact) {
    const spread = Math.sqrt(ranks.reduce((sum, rank) => sum + rank * rank, 0) / 4);
    return Math.min(1, 2 * normalBelow((less - all / 2 + 1) / spread));
  }
  // Shares of all signs that give each sum of positive ranks.
  let shares = new Float64Array(all + 1);
  shares[0] = 1;
  for (const rank of ranks) {
    const next = new Float64Array(all + 1);
    for (let sum = 0; sum <= all; sum++) {
      const share = (shares[sum] ?? 0) / 2;
      if (share === 0) continue;
      next[sum] = (next[sum] ?? 0) + share;
      next[sum + rank] = (next[sum + rank] ?? 0) + share;
    }
    shares = next;
  }
  let tail = 0;
  for (let sum = 0; sum <= less; sum++) tail += shares[sum] ?? 0;
  return Math.min(1, 2 * tail);
}

/** The normal distribution below z (Abramowitz & Stegun 26.2.17; error below 1e-7). */
function normalBelow(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const terms = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * terms;
  return z < 0 ? tail : 1 - tail;
}
