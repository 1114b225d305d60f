// A dense block, tall and narrow, and the two products that a decomposition spends its time on, in tiles of four by four so that
// sums stay in registers. Invariant: the width is a multiple of four, and sums have one order.

export interface DenseBlock {
  readonly rows: number;
  /** A multiple of four. */
  readonly columns: number;
  /** Row after row. */
  readonly values: Float64Array;
}

const tile = 4;
/** Rows that one slice of work covers: half a block of 200 columns stays in the cache of a core. */
const sliceRows = 128;

export function createBlock(rows: number, columns: number): DenseBlock {
  const width = Math.ceil(columns / tile) * tile;
  return { rows, columns: width, values: new Float64Array(rows * width) };
}

/** The inner products of a block's columns: a symmetric matrix, row after row. */
export function* innerProducts({ rows, columns, values }: DenseBlock): Generator<void, Float64Array, void> {
  const sums = new Float64Array(columns * columns);
  for (let start = 0; start < rows; start += sliceRows) {
    const end = Math.min(rows, start + sliceRows);
    for (let left = 0; left < columns; left += tile)
      for (let right = 0; right <= left; right += tile) addTile(sums, { values, columns, left, right }, { start, end });
    yield;
  }
  for (let row = 0; row < columns; row++)
    for (let column = row + 1; column < columns; column++)
      sums[row * columns + column] = sums[column * columns + row] as number;
  return sums;
}

function addTile(
  sums: Float64Array,
  { values, columns, left, right }: { values: Float64Array; columns: number; left: number; right: number },
  { start, end }: { start: number; end: number },
): void {
  let s00 = 0;
  let s01 = 0;
  let s02 = 0;
  let s03 = 0;
  let s10 = 0;
  let s11 = 0;
  let s12 = 0;
  let s13 = 0;
  let s20 = 0;
  let s21 = 0;
  let s22 = 0;
  let s23 = 0;
  let s30 = 0;
  let s31 = 0;
  let s32 = 0;
  let s33 = 0;
  for (let row = start; row < end; row++) {
    const a = row * columns + left;
    const b = row * columns + right;
    const a0 = values[a] as number;
    const a1 = values[a + 1] as number;
    const a2 = values[a + 2] as number;
    const a3 = values[a + 3] as number;
    const b0 = values[b] as number;
    const b1 = values[b + 1] as number;
    const b2 = values[b + 2] as number;
    const b3 = values[b + 3] as number;
    s00 += a0 * b0;
    s01 += a0 * b1;
    s02 += a0 * b2;
    s03 += a0 * b3;
    s10 += a1 * b0;
    s11 += a1 * b1;
    s12 += a1 * b2;
    s13 += a1 * b3;
    s20 += a2 * b0;
    s21 += a2 * b1;
    s22 += a2 * b2;
    s23 += a2 * b3;
    s30 += a3 * b0;
    s31 += a3 * b1;
    s32 += a3 * b2;
    s33 += a3 * b3;
  }
  addRow(sums, left * columns + right, [s00, s01, s02, s03]);
  addRow(sums, (left + 1) * columns + right, [s10, s11, s12, s13]);
  addRow(sums, (left + 2) * columns + right, [s20, s21, s22, s23]);
  addRow(sums, (left + 3) * columns + right, [s30, s31, s32, s33]);
}

function addRow(
  target: Float64Array,
  at: number,
  [one, two, three, four]: readonly [number, number, number, number],
): void {
  target[at] = (target[at] as number) + one;
  target[at + 1] = (target[at + 1] as number) + two;
  target[at + 2] = (target[at + 2] as number) + three;
  target[at + 3] = (target[at + 3] as number) + four;
}

/** Replaces a block by its product with a square matrix of its width, given row after row; of an upper one only that half is read. */
export function* turnBlock(
  { rows, columns, values }: DenseBlock,
  square: Float64Array,
  shape: 'full' | 'upper' = 'full',
): Generator<void, void, void> {
  const buffer = new Float64Array(tile * columns);
  for (let start = 0; start < rows; start += tile) {
    const present = Math.min(tile, rows - start);
    // A missing row at the end is read as the last one again, and not written.
    const offsets = [0, 1, 2, 3].map((row) => (start + Math.min(row, present - 1)) * columns) as [
      number,
      number,
      number,
      number,
    ];
    for (let column = 0; column < columns; column += tile)
      turnTile(
        buffer,
        { values, columns, square, column, height: shape === 'upper' ? column + tile : columns },
        offsets,
      );
    for (let row = 0; row < present; row++)
      values.set(buffer.subarray(row * columns, (row + 1) * columns), (start + row) * columns);
    if (start % sliceRows === sliceRows - tile) yield;
  }
}

function turnTile(
  target: Float64Array,
  {
    values,
    columns,
    square,
    column,
    height,
  }: { values: Float64Array; columns: number; square: Float64Array; column: number; height: number },
  [first, second, third, fourth]: readonly [number, number, number, number],
): void {
  let s00 = 0;
  let s01 = 0;
  let s02 = 0;
  let s03 = 0;
  let s10 = 0;
  let s11 = 0;
  let s12 = 0;
  let s13 = 0;
  let s20 = 0;
  let s21 = 0;
  let s22 = 0;
  let s23 = 0;
  let s30 = 0;
  let s31 = 0;
  let s32 = 0;
  let s33 = 0;
  for (let at = 0; at < height; at++) {
    const b = at * columns + column;
    const a0 = values[first + at] as number;
    const a1 = values[second + at] as number;
    const a2 = values[third + at] as number;
    const a3 = values[fourth + at] as number;
    const b0 = square[b] as number;
    const b1 = square[b + 1] as number;
    const b2 = square[b + 2] as number;
    const b3 = square[b + 3] as number;
    s00 += a0 * b0;
    s01 += a0 * b1;
    s02 += a0 * b2;
    s03 += a0 * b3;
    s10 += a1 * b0;
    s11 += a1 * b1;
    s12 += a1 * b2;
    s13 += a1 * b3;
    s20 += a2 * b0;
    s21 += a2 * b1;
    s22 += a2 * b2;
    s23 += a2 * b3;
    s30 += a3 * b0;
    s31 += a3 * b1;
    s32 += a3 * b2;
    s33 += a3 * b3;
  }
  target.fill(0, column, column + tile);
  target.fill(0, columns + column, columns + column + tile);
  target.fill(0, 2 * columns + column, 2 * columns + column + tile);
  target.fill(0, 3 * columns + column, 3 * columns + column + tile);
  addRow(target, column, [s00, s01, s02, s03]);
  addRow(target, columns + column, [s10, s11, s12, s13]);
  addRow(target, 2 * columns + column, [s20, s21, s22, s23]);
  addRow(target, 3 * columns + column, [s30, s31, s32, s33]);
}
