// The mean direction of an index: signs are taken around it, because without it every bit that most vectors share says
// nothing. Invariant: sums are of whole numbers and therefore exact, so that the centre depends on which vectors live and
// on nothing else, neither their order nor what has been removed.
import { lengthOf, type VectorMetric } from './prepare-vector.ts';

const unit = 2 ** 24;

export interface CentreSums {
  /** Counts a vector; `sign` -1 takes it back. */
  count(components: Float32Array, sign: 1 | -1): void;
  /** The centre of `living` vectors, padded like a row. */
  centre(living: number): Float32Array;
}

export function createCentreSums(shape: { dimensions: number; stride: number }, metric: VectorMetric): CentreSums {
  const { dimensions, stride } = shape;
  const sums = new Float64Array(dimensions);
  return {
    count(components, sign) {
      // Vectors of the cosine metric are directions already.
      const length = metric === 'dot' ? lengthOf(components) : 1;
      const scale = length === 0 ? 0 : (sign * unit) / length;
      for (let at = 0; at < dimensions; at++)
        sums[at] = (sums[at] as number) + (((components[at] as number) * scale) | 0);
    },
    centre(living) {
      const centre = new Float32Array(new SharedArrayBuffer(stride * 4));
      if (living > 0) for (let at = 0; at < dimensions; at++) centre[at] = (sums[at] as number) / (living * unit);
      return centre;
    },
  };
}
