// A sparse matrix by rows and its product with a dense block: all that a randomised decomposition asks of a term-document
// matrix. Invariant: sums run in the order of rows and of the entries within a row, so equal matrices give equal bits.
import type { DenseBlock } from './dense-block.ts';

export interface SparseMatrix {
  readonly rows: number;
  readonly columns: number;
  /** Where each row's entries begin; one more than rows. */
  readonly offsets: Uint32Array;
  /** Column of each entry, ascending within a row. */
  readonly places: Uint32Array;
  readonly values: Float32Array;
}

/** Rows become columns. The product with it reads memory in order, where the product with a transpose on the fly scatters. */
export function transpose({ rows, columns, offsets, places, values }: SparseMatrix): SparseMatrix {
  const counts = new Uint32Array(columns + 1);
  for (const place of places) counts[place + 1] = (counts[place + 1] as number) + 1;
  for (let column = 0; column < columns; column++)
    counts[column + 1] = (counts[column + 1] as number) + (counts[column] as number);
  const cursors = counts.slice();
  const turned = { places: new Uint32Array(places.length), values: new Float32Array(places.length) };
  for (let row = 0; row < rows; row++)
    for (let at = offsets[row] as number; at < (offsets[row + 1] as number); at++) {
      const column = places[at] as number;
      const target = cursors[column] as number;
      cursors[column] = target + 1;
      turned.places[target] = row;
      turned.values[target] = values[at] as number;
    }
  return { rows: columns, columns: rows, offsets: counts, ...turned };
}

/** Rows from..to (exclusive) of `matrix * block` into `product`. */
export function multiplyRows(
  matrix: SparseMatrix,
  { block, product }: { block: DenseBlock; product: DenseBlock },
  { from, to }: { from: number; to: number },
): void {
  const { offsets, places, values } = matrix;
  const width = block.columns;
  const input = block.values;
  const output = product.values;
  const sums = new Float64Array(width);
  for (let row = from; row < to; row++) {
    sums.fill(0);
    for (let at = offsets[row] as number; at < (offsets[row + 1] as number); at++) {
      const value = values[at] as number;
      const from = (places[at] as number) * width;
      for (let column = 0; column < width; column++)
        sums[column] = (sums[column] as number) + value * (input[from + column] as number);
    }
    output.set(sums, row * width);
  }
}
