// Retrieval metrics as trec_eval computes them: judgments as gains, log2(rank + 1) as discount, equal scores in order of
// document id, last first, and means over every judged query (Järvelin & Kekäläinen 2002; Voorhees & Harman 2005).
// Intervals are percentile bootstraps over queries, p-values Fisher's paired randomisation (Smucker, Allan & Carterette 2007), both
// with a seed, so that the same run prints the same figures.

/** Document id -> judgment; 1 or more is relevant. */
export type Judgments = ReadonlyMap<string, number>;

export interface ScoredDocument {
  readonly documentId: string;
  readonly score: number;
}

/** The measures of one query. */
export interface QueryMetrics {
  readonly ndcg10: number;
  readonly recall10: number;
  readonly recall100: number;
  /** Average precision over the whole run (depth 1000). */
  readonly averagePrecision: number;
  readonly reciprocalRank10: number;
}

/** Document ids in trec_eval's order: score descending, equal scores by id descending. It keeps scores in single precision. */
export function trecOrder(run: readonly ScoredDocument[]): string[] {
  return run
    .map(({ documentId, score }) => ({ documentId, score: Math.fround(score) }))
    .sort((left, right) => right.score - left.score || compareBytes(right.documentId, left.documentId))
    .map((hit) => hit.documentId);
}

/** trec_eval compares ids with strcmp: by byte, which for UTF-8 is by code point. */
function compareBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

const deepest = 1000;
/** By rank from 0. */
const discounts = Float64Array.from({ length: deepest }, (_, index) => Math.log2(index + 2));

function discountedSum(gains: readonly number[], depth: number): number {
  let sum = 0;
  for (let index = 0; index < gains.length && index < depth; index++)
    sum += (gains[index] ?? 0) / (discounts[index] ?? Number.POSITIVE_INFINITY);
  return sum;
}

/** nDCG@depth (at most 1,000), 0..1; 0 for a query without relevant documents. */
export function ndcg(ranked: readonly string[], judgments: Judgments, depth: number): number {
  const gained = discountedSum(
    ranked.slice(0, depth).map((id) => Math.max(0, judgments.get(id) ?? 0)),
    depth,
  );
  const ideal = [...judgments.values()].filter((gain) => gain > 0).sort((left, right) => right - left);
  const best = discountedSum(ideal, depth);
  return best === 0 ? 0 : gained / best;
}

function relevantCount(judgments: Judgments): number {
  let relevant = 0;
  for (const judgment of judgments.values()) if (judgment >= 1) relevant++;
  return relevant;
}

/** Share of all relevant documents among the first `depth`. */
export function recall(ranked: readonly string[], judgments: Judgments, depth: number): number {
  const relevant = relevantCount(judgments);
  if (relevant === 0) return 0;
  return ranked.slice(0, depth).filter((id) => (judgments.get(id) ?? 0) >= 1).length / relevant;
}

/** Precision at each relevant document found, summed and divided by all relevant documents. */
export function averagePrecision(ranked: readonly string[], judgments: Judgments): number {
  const relevant = relevantCount(judgments);
  if (relevant === 0) return 0;
  let found = 0;
  let sum = 0;
  for (const [index, id] of ranked.entries()) {
    if ((judgments.get(id) ?? 0) < 1) continue;
    found++;
    sum += found / (index + 1);
  }
  return sum / relevant;
}

/** One over the rank of the first relevant document among the first `depth`; 0 if there is none. */
export function reciprocalRank(ranked: readonly string[], judgments: Judgments, depth: number): number {
  const first = ranked.slice(0, depth).findIndex((id) => (judgments.get(id) ?? 0) >= 1);
  return first < 0 ? 0 : 1 / (first + 1);
}

/** In the order in which `measuresOf` gives them. */
export const measureNames = [
  'ndcg10',
  'recall10',
  'recall100',
  'averagePrecision',
  'reciprocalRank10',
] as const satisfies readonly (keyof QueryMetrics)[];

/** All measures of one query, in the order of `measureNames`; `run` in any order, at most 1,000 deep. */
export function measuresOf(run: readonly ScoredDocument[], judgments: Judgments): Float64Array {
  const ranked = trecOrder(run).slice(0, 1000);
  const measures = new Float64Array(measureNames.length);
  measures[0] = ndcg(ranked, judgments, 10);
  measures[1] = recall(ranked, judgments, 10);
  measures[2] = recall(ranked, judgments, 100);
  measures[3] = averagePrecision(ranked, judgments);
  measures[4] = reciprocalRank(ranked, judgments, 10);
  return measures;
}

export const toQueryMetrics = (measures: Float64Array): QueryMetrics =>
  Object.fromEntries(measureNames.map((name, at) => [name, measures[at] ?? 0])) as unknown as QueryMetrics;

/** All measures of one query, by their names. */
export const measureQuery = (run: readonly ScoredDocument[], judgments: Judgments): QueryMetrics =>
  toQueryMetrics(measuresOf(run, judgments));

export interface Estimate {
  readonly mean: number;
  /** 95 % confidence interval. */
  readonly low: number;
  readonly high: number;
}

/** A small generator with a seed (mulberry32): the same seed gives the same intervals on every machine. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Mean with its 95 % bootstrap interval (Efron's percentile method). */
export function estimate(values: readonly number[], options: { seed?: number; rounds?: number } = {}): Estimate {
  const { seed = 1, rounds = 1000 } = options;
  const random = seeded(seed);
  const means: number[] = [];
  for (let round = 0; round < rounds && values.length > 0; round++) {
    let sum = 0;
    for (let draw = 0; draw < values.length; draw++) sum += values[Math.floor(random() * values.length)] ?? 0;
    means.push(sum / values.length);
  }
  means.sort((left, right) => left - right);
  const centre = mean(values);
  const at = (share: number): number => means[Math.min(means.length - 1, Math.floor(share * means.length))] ?? centre;
  return { mean: centre, low: at(0.025), high: at(0.975) };
}

export interface Comparison extends Estimate {
  /**
   * Two-sided: how often a difference at least this large comes out when each query's two values are swapped at random, as if
   * nothing but chance set them apart. Never 0: the least is one over the number of rounds.
   */
  readonly p: number;
}

/** Room for sums of the same numbers in another order. */
const roundingSlack = 1e-9;

/** Paired difference `after - before` per query, with its bootstrap interval and the p-value of the paired randomisation test. */
export function compare(
  before: readonly number[],
  after: readonly number[],
  options: { seed?: number; rounds?: number } = {},
): Comparison {
  if (before.length !== after.length)
    throw new RangeError(`Paired values must be of equal number, got ${before.length} and ${after.length}.`);
  const { seed = 1, rounds = 10_000 } = options;
  const differences = after.map((value, index) => value - (before[index] ?? 0));
  const moved = differences.filter((difference) => difference !== 0);
  const observed = Math.abs(moved.reduce((sum, difference) => sum + difference, 0)) - roundingSlack;
  const random = seeded(seed);
  let asLarge = 1;
  for (let round = 0; round < rounds; round++) {
    let sum = 0;
    for (const difference of moved) sum += random() < 0.5 ? difference : -difference;
    if (Math.abs(sum) >= observed) asLarge++;
  }
  return { ...estimate(differences, { seed }), p: asLarge / (rounds + 1) };
}
