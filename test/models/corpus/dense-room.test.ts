// Products of dense blocks: the kernel against its source and against plain TypeScript, to the last bit.
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assembleKernel, bytesFileOf } from '../../../scripts/build-kernel.ts';
import { createBlock, innerProducts, turnBlock } from '../../../src/models/corpus/dense-block.ts';
import { type DenseRoom, denseRoom, type TileRow } from '../../../src/models/corpus/dense-room.ts';
import { finish } from '../../../src/models/corpus/latent-semantics.ts';
import { createRandom } from '../../../testkit/history.ts';
import { plainRoom } from '../../../testkit/plain-room.ts';

/** Numbers of all magnitudes, with zeros of both signs. */
function fill(values: Float32Array, random: () => number): void {
  for (let at = 0; at < values.length; at += 1) {
    const kind = random();
    values[at] = kind < 0.1 ? 0 : kind < 0.15 ? -0 : kind < 0.3 ? (random() - 0.5) * 1e20 : random() - 0.5;
  }
}

const bitsOf = ({ target }: DenseRoom): string => Buffer.from(Uint8Array.from(new Uint8Array(target.slice().buffer))).toString('hex');

describe('rooms of products', () => {
  it('run the kernel that its source says', async () => {
    const source = 'src/models/corpus/dense-kernel.wat';
    expect(await assembleKernel(source)).toBe(await readFile(bytesFileOf(source), 'utf8'));
  });

  it('give the same bits with and without WebAssembly', () => {
    fc.assert(
      fc.property(
        fc.record({ tiles: fc.integer({ min: 1, max: 9 }), rows: fc.integer({ min: 1, max: 40 }), seed: fc.nat() }),
        fc.boolean(),
        ({ tiles, rows, seed }, isUpper) => {
          const width = tiles * 4;
          const sizes = { left: 4 * Math.max(rows, width), right: Math.max(rows, width) * width, target: 4 * width };
          const row: TileRow = {
            starts: [0, 1, 2, 3],
            step: 4,
            width,
            tiles,
            ...(isUpper ? { count: 4, grow: 4 } : { count: rows, grow: 0 }),
            to: 0,
          };
          const bits = [denseRoom, plainRoom].map((make) => {
            const random = createRandom(seed).next;
            const room = make(sizes);
            fill(room.left, random);
            fill(room.right, random);
            room.add(row);
            room.add(row);
            return bitsOf(room);
          });
          expect(bits[0]).toBe(bits[1]);
        },
      ),
    );
  });

  it('multiply blocks whose rows fill no whole slice, as the plain sums do', () => {
    const random = createRandom(7).next;
    const block = createBlock(301, 10);
    fill(block.values, () => 0.5 + random() / 2);
    const { rows, columns } = block;
    const at = (row: number, column: number): number => block.values[row * columns + column] as number;
    const products = finish(innerProducts(block));
    const square = Float32Array.from({ length: columns * columns }, random);
    const turned = Float64Array.from({ length: rows * columns }, (_, place) => {
      const [row, column] = [Math.floor(place / columns), place % columns];
      return Array.from({ length: columns }, (__, k) => at(row, k) * (square[k * columns + column] as number)).reduce((a, b) => a + b, 0);
    });
    for (let row = 0; row < columns; row += 1)
      for (let column = 0; column < columns; column += 1) {
        const sum = Array.from({ length: rows }, (_, k) => at(k, row) * at(k, column)).reduce((a, b) => a + b, 0);
        expect(products[row * columns + column]).toBeCloseTo(sum, 6);
      }
    finish(turnBlock(block, square));
    for (const [place, value] of turned.entries()) expect(block.values[place]).toBeCloseTo(value, 4);
  });
});
