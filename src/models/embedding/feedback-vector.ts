// Pseudo-relevance feedback on vectors (Rocchio 1971): a query of a few words is moved towards the best hits that its words
// found. This is what makes corpus-trained vectors worth having beside BM25 (docs/retrieval.md): the hits say what the words mean.

export interface FeedbackHit {
  /** Of length 1, or all zeros. */
  readonly vector: Float32Array;
  /** Relevance score, 0 or more; only ratios matter. */
  readonly score: number;
}

export interface FeedbackOptions {
  /** Best hits that are looked at. */
  readonly hits: number;
  /** Share of the hits' direction in the result, 0..1. */
  readonly share: number;
}

export const defaultFeedback: FeedbackOptions = { hits: 5, share: 0.5 };

/** A vector of length 1 between the query and the weighed mean of the best hits; all zeros if there is nothing to go by. */
export function feedbackVector(
  query: Float32Array,
  ranked: readonly FeedbackHit[],
  { hits, share }: FeedbackOptions = defaultFeedback,
): Float32Array {
  const best = ranked.slice(0, hits);
  const highest = best.reduce((most, { score }) => Math.max(most, score), 0);
  const centre = new Float64Array(query.length);
  if (highest > 0) {
    for (const { vector, score } of best) {
      const weight = (Math.max(0, score) / highest) ** 2;
      for (let at = 0; at < centre.length; at++) centre[at] = (centre[at] as number) + weight * (vector[at] ?? 0);
    }
  }
  const length = lengthOf(centre);
  const own = lengthOf(query);
  const mixed = new Float64Array(query.length);
  for (let at = 0; at < mixed.length; at++)
    mixed[at] =
      (own === 0 ? 0 : ((1 - share) * (query[at] as number)) / own) +
      (length === 0 ? 0 : (share * (centre[at] as number)) / length);
  const whole = lengthOf(mixed);
  return Float32Array.from(mixed, (value) => (whole === 0 ? 0 : value / whole));
}

/** What the learned part of a query counts beside what an encoder says of it, whose part has length 1. Chosen on tuning halves (docs/retrieval.md). */
const learnedShare = 0.25;

/**
 * A query of two parts, of which the learned one, as long as `learned`, is moved towards the best hits, and weighed. The encoder's is as it was asked: it
 * knows words without their company, and hits by words would draw it to what words find. All zeros in place of an encoder that did not speak.
 */
export function feedbackInParts(
  query: Float32Array,
  ranked: readonly FeedbackHit[],
  { learned, dimensions }: { readonly learned: number; readonly dimensions: number },
): { readonly vector: Float32Array; readonly isEncoded: boolean } {
  const hits = ranked.map(({ vector, score }) => ({ vector: vector.subarray(0, learned), score }));
  const own = feedbackVector(query.subarray(0, learned), hits);
  const said = query.subarray(learned);
  const isEncoded = said.some((value) => value !== 0);
  const vector = new Float32Array(dimensions);
  vector.set(isEncoded ? own.map((value) => value * learnedShare) : own);
  vector.set(said, learned);
  return { vector, isEncoded };
}

function lengthOf(vector: Float32Array | Float64Array): number {
  let squares = 0;
  for (const value of vector) squares += value * value;
  return Math.sqrt(squares);
}
