// The largest singular values of a sparse matrix and their right singular vectors, by randomised subspace iteration (Halko,
// Martinsson & Tropp 2011, algorithm 4.4). The sketch comes from a seed and every sum has one order, so equal matrices give
// equal bits. A generator: each step is a slice of work after which a caller may let others run.
import { createBlock, type DenseBlock, innerProducts, turnBlock } from './dense-block.ts';
import { multiplyRows, type SparseMatrix, transpose } from './sparse-matrix.ts';
import { eigenOfSymmetric } from './symmetric-eigen.ts';

export interface TruncatedSvd {
  /** Singular values, largest first; fewer than asked for where the matrix has a lower rank. */
  readonly values: Float64Array;
  /** Row of each column of the matrix: its part in each right singular vector. */
  readonly vectors: Float32Array;
}

export interface SvdOptions {
  readonly rank: number;
  /** Columns of the sketch beyond the rank. Default 16. */
  readonly oversampling?: number;
  /** Default 2. */
  readonly powerIterations?: number;
  readonly seed?: number;
}

/** Entries of the matrix that one slice works on: some milliseconds. */
const sliceEntries = 50_000;
/** Where of the squared length of each column so much was its own, little more than rounding is left of the others in it. */
const apart = 1e-4;
/** A column of which less than this share is left after the ones before it were taken out is none of its own. */
const dependent = 1e-10;

export function* truncatedSvd(matrix: SparseMatrix, options: SvdOptions): Generator<void, TruncatedSvd, void> {
  const { rank, oversampling = 16, powerIterations = 2, seed = 1 } = options;
  const width = Math.min(rank + oversampling, matrix.rows, matrix.columns);
  const turned = transpose(matrix);
  const byColumn = createBlock(matrix.columns, width);
  const byRow = createBlock(matrix.rows, width);
  fillRandom(byColumn.values, seed);
  yield* multiply(matrix, byColumn, byRow);
  for (let iteration = 0; iteration < powerIterations; iteration++) {
    yield* orthonormalise(byRow);
    yield* multiply(turned, byRow, byColumn);
    yield* multiply(matrix, byColumn, byRow);
  }
  // Once is exact enough where the columns were nearly apart.
  if ((yield* orthonormalise(byRow)) < apart) yield* orthonormalise(byRow);
  yield* multiply(turned, byRow, byColumn);

  const { values: squares, vectors: directions } = eigenOfSymmetric(yield* innerProducts(byColumn), width);
  yield;
  const largest = squares[0] ?? 0;
  let kept = 0;
  while (kept < Math.min(rank, width) && largest > 0 && (squares[kept] as number) > largest * dependent) kept++;
  yield* turnBlock(byColumn, transposed(directions, width));
  const values = Float64Array.from(squares.subarray(0, kept), Math.sqrt);
  const vectors = new Float32Array(matrix.columns * kept);
  for (let row = 0; row < matrix.columns; row++)
    for (let place = 0; place < kept; place++)
      vectors[row * kept + place] = (byColumn.values[row * width + place] as number) / (values[place] as number);
  fixSigns(vectors, kept);
  return { values, vectors };
}

/** Numbers between -1 and 1 from a generator with a seed (mulberry32). Not signs alone: those can cancel a small row exactly. */
function fillRandom(values: Float32Array, seed: number): void {
  let state = seed >>> 0;
  for (let at = 0; at < values.length; at++) {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    values[at] = ((mixed ^ (mixed >>> 14)) >>> 0) / 2_147_483_648 - 1;
  }
}

function* multiply(matrix: SparseMatrix, block: DenseBlock, product: DenseBlock): Generator<void, void, void> {
  const { offsets, rows } = matrix;
  let from = 0;
  for (let to = 1; to <= rows; to++) {
    if (to < rows && (offsets[to] as number) - (offsets[from] as number) < sliceEntries) continue;
    multiplyRows(matrix, { block, product }, { from, to });
    from = to;
    yield;
  }
}

/**
 * Makes the columns of a block orthonormal by Cholesky's factor of their inner products; done twice it is exact to rounding.
 * Columns that depend on those before become zeros. Returns the smallest share of a column's squared
 * length that was its own.
 */
function* orthonormalise(block: DenseBlock): Generator<void, number, void> {
  const { columns } = block;
  const { inverse, leastOwn } = invertedFactor(yield* innerProducts(block), columns);
  yield;
  yield* turnBlock(block, Float32Array.from(inverse));
  return leastOwn;
}

/** The inverse of the upper factor R of a symmetric matrix RᵀR, with zeros for columns that depend on those before. */
function invertedFactor(
  lower: Float64Array,
  size: number,
): { readonly inverse: Float64Array; readonly leastOwn: number } {
  let leastOwn = 1;
  const reciprocals = new Float64Array(size);
  for (let row = 0; row < size; row++) {
    const own = row * size;
    const whole = lower[own + row] as number;
    for (let column = 0; column <= row; column++) {
      const other = column * size;
      let sum = lower[own + column] as number;
      for (let k = 0; k < column; k++) sum -= (lower[own + k] as number) * (lower[other + k] as number);
      if (column < row) lower[own + column] = sum * (reciprocals[column] as number);
      else {
        leastOwn = Math.min(leastOwn, whole > 0 ? sum / whole : 0);
        reciprocals[row] = sum > whole * dependent && sum > 0 ? 1 / Math.sqrt(sum) : 0;
      }
    }
  }
  const inverse = new Float64Array(size * size);
  for (let column = 0; column < size; column++) {
    inverse[column * size + column] = reciprocals[column] as number;
    // Of L, whose transpose R is: (R⁻¹)[row][column], from the diagonal upwards.
    for (let row = column - 1; row >= 0; row--) {
      let sum = 0;
      for (let k = row + 1; k <= column; k++)
        sum += (lower[k * size + row] as number) * (inverse[k * size + column] as number);
      inverse[row * size + column] = -sum * (reciprocals[row] as number);
    }
  }
  return { inverse, leastOwn };
}

function transposed(square: Float64Array, size: number): Float32Array {
  const result = new Float32Array(size * size);
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++) result[column * size + row] = square[row * size + column] as number;
  return result;
}

/** A singular vector and its negative serve alike: the first of its largest parts is made positive. */
function fixSigns(vectors: Float32Array, columns: number): void {
  const largest = new Float32Array(columns);
  for (let at = 0; at < vectors.length; )
    for (let column = 0; column < columns; column++, at++) {
      const part = vectors[at] as number;
      if (Math.abs(part) > Math.abs(largest[column] as number)) largest[column] = part;
    }
  const signs = Float32Array.from(largest, (part) => (part < 0 ? -1 : 1));
  for (let at = 0; at < vectors.length; )
    for (let column = 0; column < columns; column++, at++) {
      vectors[at] = (vectors[at] as number) * (signs[column] as number);
    }
}
