import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eigenOfSymmetric } from '../../../src/models/corpus/symmetric-eigen.ts';

/** Largest error of A v = value v and of the vectors' orthonormality, and whether values descend. */
function check(matrix: Float64Array, size: number): { error: number; sorted: boolean } {
  const { values, vectors } = eigenOfSymmetric(matrix, size);
  let error = 0;
  for (let one = 0; one < size; one++) {
    for (let row = 0; row < size; row++) {
      let sum = 0;
      for (let column = 0; column < size; column++) sum += matrix[row * size + column]! * vectors[one * size + column]!;
      error = Math.max(error, Math.abs(sum - values[one]! * vectors[one * size + row]!));
    }
    for (let other = 0; other <= one; other++) {
      let product = 0;
      for (let at = 0; at < size; at++) product += vectors[one * size + at]! * vectors[other * size + at]!;
      error = Math.max(error, Math.abs(product - (one === other ? 1 : 0)));
    }
  }
  return { error, sorted: values.every((value, at) => at === 0 || value <= values[at - 1]!) };
}

const symmetric = fc.integer({ min: 1, max: 12 }).chain((size) =>
  fc.array(fc.integer({ min: -9, max: 9 }), { minLength: size * size, maxLength: size * size }).map((entries) => {
    const matrix = new Float64Array(size * size);
    for (let row = 0; row < size; row++)
      for (let column = 0; column <= row; column++)
        matrix[row * size + column] = matrix[column * size + row] = entries[row * size + column]!;
    return { matrix, size };
  }),
);

describe('eigenOfSymmetric', () => {
  it('finds orthonormal eigenvectors, largest value first (whole numbers: many equal and zero values)', () => {
    fc.assert(
      fc.property(symmetric, ({ matrix, size }) => {
        const { error, sorted } = check(matrix, size);
        return error < 1e-10 && sorted;
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  it('knows the values of a matrix by hand, and reads the lower half alone', () => {
    const { values } = eigenOfSymmetric(Float64Array.of(2, 99, 1, 2), 2);
    expect([...values].map((value) => Number(value.toFixed(12)))).toEqual([3, 1]);
  });
});
