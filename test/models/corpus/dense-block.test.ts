import { expect, it } from 'vitest';
import { createBlock, innerProducts, turnBlock } from '../../../src/models/corpus/dense-block.ts';
import { finish } from '../../../src/models/corpus/latent-semantics.ts';
import { createRandom } from '../../../testkit/history.ts';

it('multiplies blocks whose rows fill no whole slice, as the plain sums do', () => {
  const random = createRandom(7).next;
  const block = createBlock(301, 10);
  for (let at = 0; at < block.values.length; at += 1) block.values[at] = 0.5 + random() / 2;
  const { rows, columns } = block;
  const at = (row: number, column: number): number => block.values[row * columns + column] as number;
  const products = finish(innerProducts(block));
  const square = Float32Array.from({ length: columns * columns }, random);
  const turned = Float64Array.from({ length: rows * columns }, (_, place) => {
    const [row, column] = [Math.floor(place / columns), place % columns];
    const parts = Array.from({ length: columns }, (__, k) => at(row, k) * (square[k * columns + column] as number));
    return parts.reduce((a, b) => a + b, 0);
  });
  for (let row = 0; row < columns; row += 1)
    for (let column = 0; column <= row; column += 1) {
      const sum = Array.from({ length: rows }, (_, k) => at(k, row) * at(k, column)).reduce((a, b) => a + b, 0);
      expect(products[row * columns + column]).toBeCloseTo(sum, 6);
    }
  finish(turnBlock(block, square));
  for (const [place, value] of turned.entries()) expect(block.values[place]).toBeCloseTo(value, 4);
});
