// A dense block, tall and narrow, and the two products that a decomposition spends its time on, in tiles of four by four so that
// sums stay in registers. Numbers are kept in 32 bits, since what these products wait for is memory, and added in 64. Invariant: the width is a
// multiple of four, and sums have one order.

export interface DenseBlock {
  readonly rows: number;
  /** A multiple of four. */
  readonly columns: number;
  /** Row after row. */
  readonly values: Float32Array;
}

const tile = 4;
/** Rows that one slice of work covers: half a block of 200 columns stays in the cache of a core. */
const sliceRows = 128;

export function createBlock(rows: number, columns: number): DenseBlock {
  const width = Math.ceil(columns / tile) * tile;
  return { rows, columns: width, values: new Float32Array(rows * width) };
}

/**
 * The inner products of a block's columns, or with those of another one of its size where these are known to be a symmetric matrix: row
 * after row.
 */
export function* innerProducts(
  { rows, columns, values }: DenseBlock,
  other: Pick<DenseBlock, 'values'> = { values },
): Generator<void, Float64Array, void> {
  const sums = new Float64Array(columns * columns);
  for (let start = 0; start < rows; start += sliceRows) {
    const end = Math.min(rows, start + sliceRows);
    const from = start * columns;
    for (let row = 0; row < columns; row += tile)
      for (let column = 0; column <= row; column += tile)
        addTile(sums, row * columns + column, {
          left: values,
          starts: [from + row, from + row + 1, from + row + 2, from + row + 3],
          step: columns,
          right: other.values,
          rightStart: from + column,
          columns,
          count: end - start,
        });
    yield;
  }
  for (let row = 0; row < columns; row++)
    for (let column = row + 1; column < columns; column++)
      sums[row * columns + column] = sums[column * columns + row] as number;
  return sums;
}

/** Four rows of one factor, wherever they stand, times four neighbouring columns of the other. */
interface TileProduct {
  readonly left: Float32Array;
  /** Where each of the rows starts. */
  readonly starts: readonly [number, number, number, number];
  /** From one element of a row to the next. */
  readonly step: number;
  readonly right: Float32Array;
  readonly rightStart: number;
  /** Of the right factor, and of the target. */
  readonly columns: number;
  /** Elements of a row that are multiplied. */
  readonly count: number;
}

/** Adds the sixteen sums of a tile to the target, from `to` on. */
function addTile(
  target: Float64Array,
  to: number,
  { left, starts: [first, second, third, fourth], step, right, rightStart, columns, count }: TileProduct,
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
  for (let at = 0, a = 0, b = rightStart; at < count; at++, a += step, b += columns) {
    const a0 = left[first + a] as number;
    const a1 = left[second + a] as number;
    const a2 = left[third + a] as number;
    const a3 = left[fourth + a] as number;
    const b0 = right[b] as number;
    const b1 = right[b + 1] as number;
    const b2 = right[b + 2] as number;
    const b3 = right[b + 3] as number;
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
  addRow(target, to, [s00, s01, s02, s03]);
  addRow(target, to + columns, [s10, s11, s12, s13]);
  addRow(target, to + 2 * columns, [s20, s21, s22, s23]);
  addRow(target, to + 3 * columns, [s30, s31, s32, s33]);
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
  square: Float32Array,
  shape: 'full' | 'upper' = 'full',
): Generator<void, void, void> {
  const buffer = new Float64Array(tile * columns);
  for (let start = 0; start < rows; start += tile) {
    const present = Math.min(tile, rows - start);
    // A missing row at the end is read as the last one again, and not written.
    const starts = [0, 1, 2, 3].map((row) => (start + Math.min(row, present - 1)) * columns) as [
      number,
      number,
      number,
      number,
    ];
    buffer.fill(0);
    for (let column = 0; column < columns; column += tile)
      addTile(buffer, column, {
        left: values,
        starts,
        step: 1,
        right: square,
        rightStart: column,
        columns,
        count: shape === 'upper' ? column + tile : columns,
      });
    for (let row = 0; row < present; row++)
      values.set(buffer.subarray(row * columns, (row + 1) * columns), (start + row) * columns);
    if (start % sliceRows === sliceRows - tile) yield;
  }
}
