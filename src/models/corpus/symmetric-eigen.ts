// Eigenvalues and eigenvectors of a small symmetric matrix by Jacobi's rotations (Golub and Van Loan, Matrix Computations, 8.5): each takes one
// number beside the diagonal away, row by row, until all are gone. No random choice, no dependence on anything but the input.
import { FootnoteError } from '../../core/errors.ts';

export interface SymmetricEigen {
  /** Largest first. */
  readonly values: Float64Array;
  /** Row i is the unit eigenvector of value i. */
  readonly vectors: Float64Array;
}

/** Seldom more than ten are needed. */
const mostSweeps = 60;

/** Decomposes a symmetric matrix of `size` rows; only its lower half is read. */
export function eigenOfSymmetric(lower: Float64Array, size: number): SymmetricEigen {
  const matrix = Float64Array.from(lower, (_, at) => {
    const [row, column] = [Math.floor(at / size), at % size];
    return lower[Math.max(row, column) * size + Math.min(row, column)] as number;
  });
  const vectors = Float64Array.from(matrix, (_, at) => (at % (size + 1) === 0 ? 1 : 0));
  const least = (Number.EPSILON / size) * Math.sqrt(matrix.reduce((sum, value) => sum + value * value, 0));
  const at = (row: number, column: number): number => matrix[row * size + column] as number;
  for (let sweep = 1, isChanged = true; isChanged; sweep++) {
    if (sweep > mostSweeps)
      throw new FootnoteError('internal', `Eigenvalues of ${size} rows did not settle in ${mostSweeps} sweeps.`);
    isChanged = false;
    for (let one = 0; one < size; one++)
      for (let other = one + 1; other < size; other++) {
        const beside = at(one, other);
        if (Math.abs(beside) <= least) continue;
        isChanged = true;
        const slope = (at(other, other) - at(one, one)) / (2 * beside);
        const tangent = (slope < 0 ? -1 : 1) / (Math.abs(slope) + Math.hypot(slope, 1));
        const cosine = 1 / Math.hypot(tangent, 1);
        const turn = { cosine, sine: tangent * cosine, count: size };
        rotate(matrix, [one * size, other * size], { ...turn, step: 1 });
        rotate(matrix, [one, other], { ...turn, step: size });
        rotate(vectors, [one * size, other * size], { ...turn, step: 1 });
        // What rounding leaves of it would be looked at again.
        matrix[one * size + other] = matrix[other * size + one] = 0;
      }
  }
  const order = Array.from({ length: size }, (_, row) => row).sort(
    (left, right) => at(right, right) - at(left, left) || left - right,
  );
  const sorted = new Float64Array(size * size);
  for (const [place, row] of order.entries()) sorted.set(vectors.subarray(row * size, (row + 1) * size), place * size);
  return { values: Float64Array.from(order, (row) => at(row, row)), vectors: sorted };
}

interface Turn {
  readonly cosine: number;
  readonly sine: number;
  readonly count: number;
  readonly step: number;
}

/** Turns two rows, or two columns, into each other. */
function rotate(
  values: Float64Array,
  [from, to]: readonly [from: number, to: number],
  { cosine, sine, count, step }: Turn,
): void {
  for (let k = 0; k < count; k++) {
    const [left, right] = [values[from + k * step] as number, values[to + k * step] as number];
    values[from + k * step] = cosine * left - sine * right;
    values[to + k * step] = sine * left + cosine * right;
  }
}
