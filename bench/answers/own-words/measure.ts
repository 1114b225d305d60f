// Acceptance, balanced accuracy, area under the curve and calibration of verdicts against labels.

export interface Measured {
  readonly isTrue: boolean;
  readonly verdict: { readonly support: number; readonly isSupported: boolean };
}

export interface Result {
  readonly trueAccepted: number;
  readonly falseAccepted: number;
  readonly balancedAccuracy: number;
  readonly auc: number;
  readonly row: readonly number[];
}

const round = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits;

/** The chance that a true claim has more support than a false one; ties count half. */
export function areaUnderCurve(items: readonly { readonly isTrue: boolean; readonly score: number }[]): number {
  const sorted = [...items].sort((a, b) => a.score - b.score);
  let [ranks, positives] = [0, 0];
  for (let from = 0; from < sorted.length; ) {
    let to = from;
    while (to < sorted.length && sorted[to]?.score === sorted[from]?.score) to += 1;
    for (let at = from; at < to; at += 1)
      if (sorted[at]?.isTrue) {
        ranks += (from + 1 + to) / 2;
        positives += 1;
      }
    from = to;
  }
  const negatives = sorted.length - positives;
  return positives === 0 || negatives === 0
    ? Number.NaN
    : (ranks - (positives * (positives + 1)) / 2) / (positives * negatives);
}

export function measure(items: readonly Measured[]): Result {
  const positive = items.filter(({ isTrue }) => isTrue);
  const negative = items.filter(({ isTrue }) => !isTrue);
  const share = (part: readonly Measured[]): number =>
    part.length === 0 ? 0 : part.filter(({ verdict }) => verdict.isSupported).length / part.length;
  const [hits, alarms] = [share(positive), share(negative)];
  const auc = areaUnderCurve(items.map(({ isTrue, verdict }) => ({ isTrue, score: verdict.support })));
  let error = 0;
  for (let bin = 0; bin < 10; bin += 1) {
    const inside = items.filter(({ verdict }) => Math.min(9, Math.floor(verdict.support * 10)) === bin);
    const said = inside.reduce((sum, { verdict }) => sum + verdict.support, 0);
    error += Math.abs(said - inside.filter(({ isTrue }) => isTrue).length) / Math.max(1, items.length);
  }
  const balanced = (hits + 1 - alarms) / 2;
  const numbers = [round(100 * hits, 1), round(100 * alarms, 1), round(balanced, 3), round(auc, 3)] as const;
  return {
    trueAccepted: numbers[0],
    falseAccepted: numbers[1],
    balancedAccuracy: numbers[2],
    auc: numbers[3],
    row: [items.length, positive.length, ...numbers, round(error, 3)],
  };
}

export interface Reliability {
  /** Mean distance between what is said and what is so, over ten bins. */
  readonly error: number;
  /** For each bin that holds anything: from, how many claims, mean support, share of true ones. */
  readonly bins: readonly (readonly [from: number, claims: number, said: number, so: number])[];
}

/** Every set weighs the same, and in it the true claims as much as the false ones, whatever their numbers. */
export function reliabilityOf(sets: readonly (readonly Measured[])[]): Reliability {
  const weighted = sets.flatMap((set) =>
    set.map((item) => ({ ...item, weight: 1 / set.filter(({ isTrue }) => isTrue === item.isTrue).length })),
  );
  const whole = weighted.reduce((sum, { weight }) => sum + weight, 0);
  let error = 0;
  const bins: [number, number, number, number][] = [];
  for (let bin = 0; bin < 10; bin += 1) {
    const inside = weighted.filter(({ verdict }) => Math.min(9, Math.floor(verdict.support * 10)) === bin);
    const of = inside.reduce((sum, { weight }) => sum + weight, 0);
    if (of === 0) continue;
    const said = inside.reduce((sum, { weight, verdict }) => sum + weight * verdict.support, 0) / of;
    const so = inside.reduce((sum, { weight, isTrue }) => sum + (isTrue ? weight : 0), 0) / of;
    error += (of / whole) * Math.abs(said - so);
    bins.push([bin / 10, inside.length, round(said, 2), round(so, 2)]);
  }
  return { error: round(error, 3), bins };
}
