// Eigenvalues and eigenvectors of a small symmetric matrix: Householder reduction to three diagonals, then the implicit QL
// method (Martin, Reinsch & Wilkinson 1968; Bowdler et al. 1968). No random choice, no dependence on anything but the input.
import { FootnoteError } from '../../core/errors.ts';

export interface SymmetricEigen {
  /** Largest first. */
  readonly values: Float64Array;
  /** Row i is the unit eigenvector of value i. */
  readonly vectors: Float64Array;
}

/** Decomposes a symmetric matrix of `size` rows; only its lower half is read. */
export function eigenOfSymmetric(matrix: Float64Array, size: number): SymmetricEigen {
  const vectors = matrix.slice();
  for (let row = 0; row < size; row++)
    for (let column = row + 1; column < size; column++)
      vectors[row * size + column] = vectors[column * size + row] as number;
  const diagonal = new Float64Array(size);
  const beside = new Float64Array(size);
  reduce(vectors, size, { diagonal, beside });
  diagonalise(vectors, size, { diagonal, beside });
  const order = [...diagonal.keys()].sort(
    (left, right) => (diagonal[right] as number) - (diagonal[left] as number) || left - right,
  );
  const sorted = new Float64Array(size * size);
  for (const [place, from] of order.entries())
    for (let row = 0; row < size; row++) sorted[place * size + row] = vectors[row * size + from] as number;
  return { values: Float64Array.from(order, (from) => diagonal[from] as number), vectors: sorted };
}

interface Diagonals {
  readonly diagonal: Float64Array;
  /** Element i stands beside diagonal i - 1 and i. */
  readonly beside: Float64Array;
}

/** Householder reflections; `vectors` becomes their product. */
function reduce(vectors: Float64Array, size: number, { diagonal, beside }: Diagonals): void {
  const at = (row: number, column: number): number => vectors[row * size + column] as number;
  for (let i = size - 1; i > 0; i--) {
    let scale = 0;
    for (let k = 0; k < i; k++) scale += Math.abs(at(i, k));
    let norm = 0;
    if (i === 1 || scale === 0) {
      beside[i] = at(i, i - 1);
    } else {
      for (let k = 0; k < i; k++) {
        vectors[i * size + k] = at(i, k) / scale;
        norm += at(i, k) * at(i, k);
      }
      const last = at(i, i - 1);
      const root = last >= 0 ? -Math.sqrt(norm) : Math.sqrt(norm);
      beside[i] = scale * root;
      norm -= last * root;
      vectors[i * size + i - 1] = last - root;
      let sum = 0;
      for (let j = 0; j < i; j++) {
        vectors[j * size + i] = at(i, j) / norm;
        let product = 0;
        for (let k = 0; k <= j; k++) product += at(j, k) * at(i, k);
        for (let k = j + 1; k < i; k++) product += at(k, j) * at(i, k);
        beside[j] = product / norm;
        sum += (beside[j] as number) * at(i, j);
      }
      const half = sum / (norm + norm);
      for (let j = 0; j < i; j++) {
        const own = at(i, j);
        const other = (beside[j] as number) - half * own;
        beside[j] = other;
        for (let k = 0; k <= j; k++)
          vectors[j * size + k] = at(j, k) - (own * (beside[k] as number) + other * at(i, k));
      }
    }
    diagonal[i] = norm;
  }
  diagonal[0] = 0;
  beside[0] = 0;
  for (let i = 0; i < size; i++) {
    if (diagonal[i] !== 0) {
      for (let j = 0; j < i; j++) {
        let product = 0;
        for (let k = 0; k < i; k++) product += at(i, k) * at(k, j);
        for (let k = 0; k < i; k++) vectors[k * size + j] = at(k, j) - product * at(k, i);
      }
    }
    diagonal[i] = at(i, i);
    vectors[i * size + i] = 1;
    for (let j = 0; j < i; j++) {
      vectors[j * size + i] = 0;
      vectors[i * size + j] = 0;
    }
  }
}

const maximumTurns = 60;

/** Implicit QL with shifts; `vectors` becomes the eigenvectors, by column. */
function diagonalise(vectors: Float64Array, size: number, { diagonal, beside }: Diagonals): void {
  const d = (index: number): number => diagonal[index] as number;
  const e = (index: number): number => beside[index] as number;
  for (let i = 1; i < size; i++) beside[i - 1] = e(i);
  if (size > 0) beside[size - 1] = 0;
  for (let low = 0; low < size; low++) {
    for (let turn = 0; ; turn++) {
      let split = low;
      for (; split < size - 1; split++)
        if (Math.abs(e(split)) <= Number.EPSILON * (Math.abs(d(split)) + Math.abs(d(split + 1)))) break;
      if (split === low) break;
      if (turn === maximumTurns)
        throw new FootnoteError('internal', `Eigenvalue ${low} of ${size} did not settle in ${maximumTurns} turns.`);
      let shift = (d(low + 1) - d(low)) / (2 * e(low));
      const hypotenuse = Math.hypot(shift, 1);
      shift = d(split) - d(low) + e(low) / (shift + (shift >= 0 ? hypotenuse : -hypotenuse));
      let sine = 1;
      let cosine = 1;
      let carried = 0;
      let i = split - 1;
      for (; i >= low; i--) {
        const far = sine * e(i);
        const near = cosine * e(i);
        const radius = Math.hypot(far, shift);
        beside[i + 1] = radius;
        if (radius === 0) {
          diagonal[i + 1] = d(i + 1) - carried;
          beside[split] = 0;
          break;
        }
        sine = far / radius;
        cosine = shift / radius;
        const base = d(i + 1) - carried;
        const mixed = (d(i) - base) * sine + 2 * cosine * near;
        carried = sine * mixed;
        diagonal[i + 1] = base + carried;
        shift = cosine * mixed - near;
        for (let row = 0; row < size; row++) {
          const right = vectors[row * size + i + 1] as number;
          const left = vectors[row * size + i] as number;
          vectors[row * size + i + 1] = sine * left + cosine * right;
          vectors[row * size + i] = cosine * left - sine * right;
        }
      }
      if (i >= low) continue;
      diagonal[low] = d(low) - carried;
      beside[low] = shift;
      beside[split] = 0;
    }
  }
}
