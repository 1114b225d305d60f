// How far a judge agrees with people, and from which score on it should pass an answer. Each row is judged by a threshold that was fitted on
// other rows (cross-fitting, Stone 1974), so that no label speaks for itself. Pure; the same rows give the same figures.
import { type Estimate, seeded } from './metrics.ts';

export interface LabelledScore {
  /** 0..1 */
  readonly score: number;
  /** What people said. */
  readonly isGood: boolean;
}

export interface Agreement {
  /** (share of good rows that pass + share of bad rows that do not) / 2. */
  readonly balancedAccuracy: Estimate;
  /** Cohen's kappa: agreement beyond chance. */
  readonly kappa: Estimate;
  readonly goodPassed: number;
  readonly badRefused: number;
}

export interface Calibration {
  readonly rows: number;
  readonly good: number;
  /** Area under the curve: how well scores order, whatever the threshold. */
  readonly auc: number;
  /** Fitted on all rows. */
  readonly threshold: number;
  /** At thresholds fitted on other rows. */
  readonly agreement: Agreement;
  /** At the threshold that it has now. */
  readonly before: Agreement;
  /** Why it should not be used, or why nothing can be said; absent: it agrees beyond chance. */
  readonly doubt?: string;
}

export interface CalibrationOptions {
  readonly thresholdNow: number;
  /** Default 5. */
  readonly folds?: number;
  /** Default 1. */
  readonly seed?: number;
}

/** Of either label. */
const leastRows = 10;
const rounds = 1000;

type Decided = readonly [passed: boolean, isGood: boolean];

function sharesOf(decided: readonly Decided[]): { readonly goodPassed: number; readonly badRefused: number } {
  let [good, passed, bad, refused] = [0, 0, 0, 0];
  for (const [isPassed, isGood] of decided)
    if (isGood) {
      good++;
      if (isPassed) passed++;
    } else {
      bad++;
      if (!isPassed) refused++;
    }
  return { goodPassed: passed / Math.max(1, good), badRefused: refused / Math.max(1, bad) };
}

function balanced(decided: readonly Decided[]): number {
  const { goodPassed, badRefused } = sharesOf(decided);
  return (goodPassed + badRefused) / 2;
}

function kappaOf(decided: readonly Decided[]): number {
  const count = Math.max(1, decided.length);
  const share = (wanted: (one: Decided) => boolean): number => decided.filter(wanted).length / count;
  const [passed, good] = [share(([one]) => one), share(([, one]) => one)];
  const chance = passed * good + (1 - passed) * (1 - good);
  return chance > 1 - 1e-12 ? 0 : (share(([one, other]) => one === other) - chance) / (1 - chance);
}

/** The cut that parts rows best; of equal ones the one in the middle. */
export function fitThreshold(rows: readonly LabelledScore[]): number {
  const values = [...new Set(rows.map(({ score }) => score))].sort((a, b) => a - b);
  const cuts = values.slice(1).map((value, at) => (value + (values[at] ?? value)) / 2);
  let best: number[] = [];
  let most = -1;
  for (const cut of cuts) {
    const value = balanced(rows.map(({ score, isGood }) => [score >= cut, isGood]));
    if (value > most + 1e-12) [best, most] = [[cut], value];
    else if (value > most - 1e-12) best.push(cut);
  }
  return best[Math.floor(best.length / 2)] ?? 0.5;
}

function areaUnder(rows: readonly LabelledScore[]): number {
  const [good, bad] = [rows.filter(({ isGood }) => isGood), rows.filter(({ isGood }) => !isGood)];
  let won = 0;
  for (const one of good)
    for (const other of bad) won += one.score > other.score ? 1 : one.score === other.score ? 0.5 : 0;
  return good.length === 0 || bad.length === 0 ? 0.5 : won / (good.length * bad.length);
}

/** Efron's percentile interval, good and bad rows drawn each among themselves: their share is not what varies. */
function intervals(decided: readonly Decided[], random: () => number): Agreement {
  const parts = [decided.filter(([, isGood]) => isGood), decided.filter(([, isGood]) => !isGood)];
  const drawn: { readonly balanced: number; readonly kappa: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const again = parts.flatMap((part) => part.map(() => part[Math.floor(random() * part.length)] as Decided));
    drawn.push({ balanced: balanced(again), kappa: kappaOf(again) });
  }
  const estimateOf = (mean: number, values: number[]): Estimate => {
    values.sort((a, b) => a - b);
    const at = (share: number): number =>
      values[Math.min(values.length - 1, Math.floor(share * values.length))] ?? mean;
    return { mean, low: at(0.025), high: at(0.975) };
  };
  return {
    balancedAccuracy: estimateOf(
      balanced(decided),
      drawn.map((one) => one.balanced),
    ),
    kappa: estimateOf(
      kappaOf(decided),
      drawn.map((one) => one.kappa),
    ),
    ...sharesOf(decided),
  };
}

export function calibrate(rows: readonly LabelledScore[], options: CalibrationOptions): Calibration {
  const { thresholdNow, folds = 5, seed = 1 } = options;
  const random = seeded(seed);
  // Good and bad rows are dealt each among themselves, so that every fold has both.
  const foldOf = new Map<number, number>();
  for (const wanted of [true, false]) {
    const places = rows.flatMap(({ isGood }, at) => (isGood === wanted ? [{ at, key: random() }] : []));
    places.sort((a, b) => a.key - b.key);
    for (const [place, { at }] of places.entries()) foldOf.set(at, place % folds);
  }
  const fitted = Array.from({ length: folds }, (_, fold) =>
    fitThreshold(rows.filter((_row, at) => foldOf.get(at) !== fold)),
  );
  const crossed = rows.map(({ score, isGood }, at): Decided => [score >= (fitted[foldOf.get(at) ?? 0] ?? 0.5), isGood]);
  const now = rows.map(({ score, isGood }): Decided => [score >= thresholdNow, isGood]);
  const agreement = intervals(crossed, random);
  const good = rows.filter(({ isGood }) => isGood).length;
  const fewest = Math.min(good, rows.length - good);
  const doubt =
    fewest < leastRows
      ? `There are ${good} good and ${rows.length - good} bad rows: at least ${leastRows} of either are needed.`
      : agreement.balancedAccuracy.low <= 0.5
        ? 'It agrees with people no better than chance: the interval of its balanced accuracy reaches 50 %.'
        : undefined;
  return {
    rows: rows.length,
    good,
    auc: areaUnder(rows),
    threshold: fitThreshold(rows),
    agreement,
    before: intervals(now, random),
    ...(doubt !== undefined && { doubt }),
  };
}
