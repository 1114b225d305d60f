// A dense block, tall and narrow, and the two products that a decomposition spends its time on, a slice of rows at a time. Numbers are kept
// in 32 bits, since what these products wait for is memory, and added in 64. Invariant: the width is a multiple of four, and sums have one order.
import { denseRoom } from './dense-room.ts';

export interface DenseBlock {
  readonly rows: number;
  /** A multiple of four. */
  readonly columns: number;
  /** Row after row. */
  readonly values: Float32Array;
}

const tile = 4;
/** Rows that one slice of work covers: half a block of 200 columns stays in the cache of a core. A multiple of four. */
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
  const most = sliceRows * columns;
  for (let start = 0; start < rows; start += sliceRows) {
    const count = Math.min(rows - start, sliceRows);
    const room = denseRoom({ left: most, right: most, target: sums.length });
    room.left.set(values.subarray(start * columns, (start + count) * columns));
    room.right.set(other.values.subarray(start * columns, (start + count) * columns));
    for (let row = 0; row < columns; row += tile)
      room.add({
        starts: [row, row + 1, row + 2, row + 3],
        step: columns,
        width: columns,
        tiles: row / tile + 1,
        count,
        grow: 0,
        to: row * columns,
      });
    for (let row = 0; row < columns; row++) {
      const end = row * columns + row;
      for (let at = row * columns; at <= end; at++) sums[at] = (sums[at] as number) + (room.target[at] as number);
    }
    yield;
  }
  for (let row = 0; row < columns; row++)
    for (let column = row + 1; column < columns; column++)
      sums[row * columns + column] = sums[column * columns + row] as number;
  return sums;
}

/** Replaces a block by its product with a square matrix of its width, given row after row; of an upper one only that half is read. */
export function* turnBlock(
  { rows, columns, values }: DenseBlock,
  square: Float32Array,
  shape: 'full' | 'upper' = 'full',
): Generator<void, void, void> {
  if (columns === 0) return;
  const lengths = shape === 'upper' ? { count: tile, grow: tile } : { count: columns, grow: 0 };
  const most = sliceRows * columns;
  for (let start = 0; start < rows; start += sliceRows) {
    const count = Math.min(rows - start, sliceRows);
    const room = denseRoom({ left: most, right: square.length, target: most });
    room.left.set(values.subarray(start * columns, (start + count) * columns));
    room.right.set(square);
    // Rows that are missing at the end are whatever stood there before, and are not read back.
    for (let row = 0; row < count; row += tile)
      room.add({
        starts: [row * columns, (row + 1) * columns, (row + 2) * columns, (row + 3) * columns],
        step: 1,
        width: columns,
        tiles: columns / tile,
        ...lengths,
        to: row * columns,
      });
    values.set(room.target.subarray(0, count * columns), start * columns);
    yield;
  }
}
