// What a vector must be, and how it is kept: finite, of the index's dimensions, at length one where the metric is cosine.
// Invariant: no product of two prepared vectors overflows single precision, so every score is a finite number.
import { FootnoteError } from '../../core/errors.ts';

export type VectorMetric = 'cosine' | 'dot';

/** Longer vectors could overflow a dot product. */
const greatestLength = 1e18;

/** Euclidean length in double precision; NaN or infinite where a component is not finite. */
export function lengthOf(components: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < components.length; at++) sum += (components[at] as number) * (components[at] as number);
  return Math.sqrt(sum);
}

/** The length of each of the vectors that lie end to end. Throws `invalid-request` where one cannot be searched. */
export function checkVectors(vectors: Float32Array, dimensions: number, metric: VectorMetric): Float64Array {
  const lengths = new Float64Array(vectors.length / dimensions);
  for (let at = 0; at < lengths.length; at++) {
    const length = lengthOf(vectors.subarray(at * dimensions, (at + 1) * dimensions));
    if (!Number.isFinite(length))
      throw new FootnoteError('invalid-request', `Vector ${at} has a component that is not a finite number.`);
    if (metric === 'dot' && length > greatestLength)
      throw new FootnoteError(
        'invalid-request',
        `Vector ${at} is longer than ${greatestLength}: scale the vectors down.`,
      );
    lengths[at] = length;
  }
  return lengths;
}

/** Writes a vector of this length as it is kept. A zero vector stays one: it scores 0. */
export function writePrepared(
  target: Float32Array,
  vector: Float32Array,
  { length, metric }: { readonly length: number; readonly metric: VectorMetric },
): void {
  const divisor = metric === 'dot' || length === 0 ? 1 : length;
  for (let at = 0; at < vector.length; at++) target[at] = (vector[at] as number) / divisor;
}
