import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBlock } from '../../../src/models/corpus/dense-block.ts';
import { finish } from '../../../src/models/corpus/latent-semantics.ts';
import { multiplyRows, type SparseMatrix, transpose } from '../../../src/models/corpus/sparse-matrix.ts';
import { eigenOfSymmetric } from '../../../src/models/corpus/symmetric-eigen.ts';
import { truncatedSvd } from '../../../src/models/corpus/truncated-svd.ts';

function toSparse(dense: readonly (readonly number[])[], columns: number): SparseMatrix {
  const offsets = new Uint32Array(dense.length + 1);
  const places: number[] = [];
  const values: number[] = [];
  for (const [row, entries] of dense.entries()) {
    for (const [column, value] of entries.entries()) {
      if (value === 0) continue;
      places.push(column);
      values.push(value);
    }
    offsets[row + 1] = places.length;
  }
  return {
    rows: dense.length,
    columns,
    offsets,
    places: Uint32Array.from(places),
    values: Float32Array.from(values),
  };
}

const matrices = fc
  .record({ rows: fc.integer({ min: 1, max: 14 }), columns: fc.integer({ min: 1, max: 9 }) })
  .chain(({ rows, columns }) =>
    fc
      .array(fc.array(fc.constantFrom(0, 0, 0, 1, 2, -1, 3), { minLength: columns, maxLength: columns }), {
        minLength: rows,
        maxLength: rows,
      })
      .map((dense) => ({ dense, columns })),
  );

/** Singular values by way of the small dense problem. */
function exactValues(dense: readonly (readonly number[])[], columns: number): number[] {
  const products = new Float64Array(columns * columns);
  for (const row of dense)
    for (let left = 0; left < columns; left++)
      for (let right = 0; right < columns; right++)
        products[left * columns + right] = products[left * columns + right]! + row[left]! * row[right]!;
  return [...eigenOfSymmetric(products, columns).values].map((value) => Math.sqrt(Math.max(0, value)));
}

describe('products of a sparse matrix', () => {
  it('are those of the dense one, in slices or at once', () => {
    fc.assert(
      fc.property(matrices, fc.integer({ min: 0, max: 14 }), ({ dense, columns }, cut) => {
        const matrix = toSparse(dense, columns);
        const rows = dense.length;
        const middle = Math.min(cut, rows);
        const block = createBlock(columns, 4);
        for (let at = 0; at < block.values.length; at++) block.values[at] = ((at * 7) % 5) - 2;
        const product = createBlock(rows, 4);
        for (const range of [
          { from: 0, to: middle },
          { from: middle, to: rows },
        ])
          multiplyRows(matrix, { block, product }, range);
        const back = createBlock(columns, 4);
        multiplyRows(transpose(matrix), { block: product, product: back }, { from: 0, to: columns });
        for (let width = 0; width < 4; width++) {
          const expected = dense.map((row) =>
            row.reduce<number>((sum, value, column) => sum + value * block.values[column * 4 + width]!, 0),
          );
          if (expected.some((value, row) => value !== product.values[row * 4 + width])) return false;
          for (let column = 0; column < columns; column++) {
            const sum = expected.reduce<number>((total, value, row) => total + value * dense[row]![column]!, 0);
            if (sum !== back.values[column * 4 + width]) return false;
          }
        }
        return true;
      }),
      { seed: 1, numRuns: 200 },
    );
  });
});

describe('truncatedSvd', () => {
  it('is exact where the sketch holds the whole matrix: values, and vectors that reproduce it', () => {
    fc.assert(
      fc.property(matrices, ({ dense, columns }) => {
        const { values, vectors } = finish(truncatedSvd(toSparse(dense, columns), { rank: columns }));
        const exact = exactValues(dense, columns).filter((value) => value > 1e-4);
        if (values.length !== exact.length) return false;
        if (exact.some((value, at) => Math.abs(value - values[at]!) > 1e-4)) return false;
        const kept = values.length;
        // A V Vᵀ = A, as the vectors span its rows.
        return dense.every((row) =>
          row.every((value, column) => {
            let sum = 0;
            for (let at = 0; at < kept; at++) {
              let along = 0;
              for (const [place, entry] of row.entries()) along += entry * vectors[place * kept + at]!;
              sum += along * vectors[column * kept + at]!;
            }
            return Math.abs(sum - value) < 1e-4;
          }),
        );
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  it('comes close to the exact values where the sketch is smaller than the matrix', () => {
    const columns = 60;
    let state = 1;
    const random = (): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return state / 4_294_967_296;
    };
    // Six themes above noise.
    const dense = Array.from({ length: 120 }, (_, row) =>
      Array.from({ length: columns }, (__, column) => (column % 6 === row % 6 ? 1 : 0) * (2 + random()) + random() / 4),
    );
    const { values } = finish(truncatedSvd(toSparse(dense, columns), { rank: 6, oversampling: 4 }));
    const exact = exactValues(dense, columns);
    expect(values).toHaveLength(6);
    for (const [at, value] of values.entries()) expect(value / exact[at]!).toBeCloseTo(1, 4);
  });

  it('gives the same bits each time, and the largest part of each vector is positive', () => {
    const dense = Array.from({ length: 40 }, (_, row) =>
      Array.from({ length: 20 }, (__, column) => ((row * 13 + column * 7) % 11 === 0 ? 1 + ((row + column) % 3) : 0)),
    );
    const run = () => finish(truncatedSvd(toSparse(dense, 20), { rank: 8 }));
    const first = run();
    expect(Buffer.from(run().vectors.buffer)).toEqual(Buffer.from(first.vectors.buffer));
    const kept = first.values.length;
    for (let at = 0; at < kept; at++) {
      const parts = Array.from({ length: 20 }, (_, row) => first.vectors[row * kept + at]!);
      expect(parts.reduce((most, part) => (Math.abs(part) > Math.abs(most) ? part : most), 0)).toBeGreaterThan(0);
    }
  });

  it('has nothing to say of an empty matrix', () => {
    const { values, vectors } = finish(truncatedSvd(toSparse([[0, 0]], 2), { rank: 2 }));
    expect([values.length, vectors.length]).toEqual([0, 0]);
  });
});
