// A dense block, tall and narrow, and the two products that a decomposition spends its time on, a slice of rows at a time. Numbers are kept
// in 32 bits, since what these products wait for is memory, and added in 64. Invariant: sums have one order.

export interface DenseBlock {
  readonly rows: number;
  readonly columns: number;
  /** Row after row. */
  readonly values: Float32Array;
}

/** Rows that one slice of work covers: some milliseconds for 200 columns. */
const sliceRows = 128;

export const createBlock = (rows: number, columns: number): DenseBlock => ({
  rows,
  columns,
  values: new Float32Array(rows * columns),
});

/** The inner products of a block's columns, row after row; of the symmetric matrix that they are only the lower half. */
export function* innerProducts({ rows, columns, values }: DenseBlock): Generator<void, Float64Array, void> {
  const sums = new Float64Array(columns * columns);
  for (let row = 0; row < rows; row++) {
    const start = row * columns;
    for (let one = 0; one < columns; one++) {
      const factor = values[start + one] as number;
      const to = one * columns;
      for (let at = 0; at <= one; at++) sums[to + at] = (sums[to + at] as number) + factor * (values[start + at] as number);
    }
    if (row % sliceRows === sliceRows - 1) yield;
  }
  return sums;
}

/** Replaces a block by its product with a square matrix of its width, given row after row. */
export function* turnBlock(
  { rows, columns, values }: DenseBlock,
  square: Float32Array,
): Generator<void, void, void> {
  const sums = new Float64Array(columns);
  for (let row = 0; row < rows; row++) {
    const start = row * columns;
    sums.fill(0);
    for (let k = 0; k < columns; k++) {
      const factor = values[start + k] as number;
      const from = k * columns;
      for (let at = 0; at < columns; at++) sums[at] = (sums[at] as number) + factor * (square[from + at] as number);
    }
    values.set(sums, start);
    if (row % sliceRows === sliceRows - 1) yield;
  }
}
