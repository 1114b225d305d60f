// Chooses a setting from an operator's own labels and says honestly what it is worth: k-fold cross-validation over queries, so that
// every query is scored by a setting that was chosen without it (Stone 1974). Pure: the same labels and seed give the same report.
// Invariant: nothing is recommended that too few labels speak for, or whose gain chance explains.
import { FootnoteError } from '../core/errors.ts';
import { type Comparison, compare, type Estimate, estimate, seeded } from './metrics.ts';

export interface Candidate<Setting> {
  readonly setting: Setting;
  /** Score of each query (nDCG@10), in the order of `queryIds`. */
  readonly scores: readonly number[];
}

export interface Tuning<Setting> {
  readonly queryIds: readonly string[];
  /** Scores of the setting in use, in the order of `queryIds`. */
  readonly inUse: readonly number[];
  /** Of those that score alike the first is chosen. */
  readonly candidates: readonly Candidate<Setting>[];
  /** Default 5; never more than there are queries. */
  readonly folds?: number;
  readonly seed?: number;
}

export interface FoldResult<Setting> {
  readonly queries: number;
  /** What the other folds chose; absent: to keep the setting in use. */
  readonly setting?: Setting;
  /** Means over the fold's own queries. */
  readonly inUse: number;
  readonly tuned: number;
}

export interface TuningReport<Setting> {
  readonly queries: number;
  readonly folds: readonly FoldResult<Setting>[];
  /** Best over all queries; absent: the setting in use. */
  readonly best?: Setting;
  readonly inUse: Estimate;
  /** Each query under the setting that was chosen without it. */
  readonly tuned: Estimate;
  readonly gain: Comparison;
  /** Whether to change to `best`. */
  readonly recommended: boolean;
  /** Why not; empty where it is recommended. */
  readonly reasons: readonly string[];
}

/** Fewer labelled queries decide nothing: the interval of a mean over 30 is about a third of the scores' own spread on either side. */
export const leastQueries = 30;
const significant = 0.05;
/** Smaller differences are sums in another order. */
const noDifference = 1e-9;

/** The fold of each query, 0..folds-1: sizes differ by one at most, and only the ids and the seed decide, not their order. */
export function splitFolds(queryIds: readonly string[], folds: number, seed: number): number[] {
  const random = seeded(seed);
  const order = queryIds
    .map((id, place) => ({ id, place }))
    .sort((left, right) => (left.id < right.id ? -1 : left.id > right.id ? 1 : left.place - right.place));
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    const swapped = order[last];
    order[last] = order[other] as (typeof order)[number];
    order[other] = swapped as (typeof order)[number];
  }
  const foldOf = new Array<number>(queryIds.length).fill(0);
  for (const [index, { place }] of order.entries()) foldOf[place] = index % folds;
  return foldOf;
}

const meanOver = (scores: readonly number[], places: readonly number[]): number =>
  places.reduce((sum, place) => sum + (scores[place] ?? 0), 0) / Math.max(1, places.length);

/** The best candidate over these queries; undefined where none beats the setting in use. */
function choose<Setting>(
  { inUse, candidates }: Tuning<Setting>,
  places: readonly number[],
): Candidate<Setting> | undefined {
  let best: Candidate<Setting> | undefined;
  let most = meanOver(inUse, places);
  for (const candidate of candidates) {
    const mean = meanOver(candidate.scores, places);
    if (mean <= most + noDifference) continue;
    best = candidate;
    most = mean;
  }
  return best;
}

/** Throws `invalid-request` for fewer than two queries. */
export function tune<Setting>(tuning: Tuning<Setting>): TuningReport<Setting> {
  const { queryIds, inUse, seed = 1 } = tuning;
  if (queryIds.length < 2)
    throw new FootnoteError(
      'invalid-request',
      `Tuning needs labelled queries, and ${queryIds.length} can be used. Give at least ${leastQueries}.`,
    );
  const folds = Math.max(2, Math.min(tuning.folds ?? 5, queryIds.length));
  const foldOf = splitFolds(queryIds, folds, seed);
  const all = queryIds.map((_, place) => place);
  const heldOut = new Array<number>(queryIds.length).fill(0);
  const results: FoldResult<Setting>[] = [];
  for (let fold = 0; fold < folds; fold++) {
    const own = all.filter((place) => foldOf[place] === fold);
    const choice = choose(
      tuning,
      all.filter((place) => foldOf[place] !== fold),
    );
    const scores = choice?.scores ?? inUse;
    for (const place of own) heldOut[place] = scores[place] ?? 0;
    results.push({
      queries: own.length,
      ...(choice && { setting: choice.setting }),
      inUse: meanOver(inUse, own),
      tuned: meanOver(scores, own),
    });
  }
  const best = choose(tuning, all);
  const gain = compare(inUse, heldOut, { seed });
  const reasons = reasonsAgainst(queryIds.length, gain, best !== undefined);
  return {
    queries: queryIds.length,
    folds: results,
    ...(best && { best: best.setting }),
    inUse: estimate(inUse, { seed }),
    tuned: estimate(heldOut, { seed }),
    gain,
    recommended: reasons.length === 0,
    reasons,
  };
}

function reasonsAgainst(queries: number, gain: Comparison, hasBest: boolean): string[] {
  const reasons: string[] = [];
  if (queries < leastQueries)
    reasons.push(`Only ${queries} labelled queries could be used; fewer than ${leastQueries} decide nothing.`);
  if (!hasBest) reasons.push('No other setting does better on these labels.');
  else if (gain.mean <= noDifference)
    reasons.push('On queries that it was not chosen on, no other setting does better.');
  else if (gain.p >= significant)
    reasons.push(`The gain may well be chance (p = ${gain.p.toFixed(3)}, ${significant} or less wanted).`);
  return reasons;
}
