// The kernel against its source and against plain TypeScript: same bytes, same bits of every result.
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assembleKernel, bytesFileOf } from '../../../scripts/build-kernel.ts';
import { vectorKernel } from '../../../src/engine/vectors/kernel.ts';
import { blockRows, scanRows, shapeOf } from '../../../src/engine/vectors/layout.ts';
import type { VectorKernel, VectorRows } from '../../../src/engine/vectors/vector-kernel.ts';
import { createPlainKernel } from '../../../testkit/plain-kernel.ts';
import { createRandom } from './reference.ts';

const kernel = vectorKernel();
const plain = createPlainKernel();

/** Components of all magnitudes, with zeros of both signs, small differences and the smallest numbers. */
function component(random: () => number): number {
  const kind = random();
  if (kind < 0.1) return 0;
  if (kind < 0.15) return -0;
  if (kind < 0.2) return (random() - 0.5) * 1e-44;
  if (kind < 0.3) return (random() - 0.5) * 1e15;
  return random() - 0.5;
}

function rowsOf(dimensions: number, count: number, random: () => number): VectorRows {
  const shape = shapeOf(dimensions);
  const matrix = new Float32Array(new SharedArrayBuffer(count * shape.stride * 4));
  for (let row = 0; row < count; row++)
    for (let at = 0; at < dimensions; at++) matrix[row * shape.stride + at] = component(random);
  return { shape, matrix, bits: new Uint8Array(new SharedArrayBuffer(count * shape.words * 8)) };
}

/** Everything that a kernel computes of the rows: scores, bits, and what a scan finds. */
function results(one: VectorKernel, rows: VectorRows, given: { query: VectorRows; live: Uint32Array; wanted: number }) {
  const { shape } = rows;
  const count = rows.matrix.length / shape.stride;
  const own = { ...rows, bits: new Uint8Array(new SharedArrayBuffer(rows.bits.length)) };
  const queryBits = new Uint8Array(shape.words * 8);
  const centre = given.query.matrix.map((value) => value / 8);
  const bits = [true, false].map((scaled) => {
    for (let first = 1; first < count; first += blockRows(shape))
      one.writeBits(own, { first, count: Math.min(blockRows(shape), count - first) }, { at: centre, scaled });
    one.writeBits({ ...given.query, bits: queryBits }, { first: 0, count: 1 }, { at: centre, scaled });
    return [...own.bits, ...queryBits];
  });
  one.beginScan(shape.dimensions, given.wanted);
  one.setQueryBits(queryBits);
  const found: number[] = [];
  const room = new Uint32Array(count);
  for (let word = 0; word < given.live.length; word += 2) {
    const live = given.live.subarray(word, word + 2);
    found.push(...room.subarray(0, one.scan(own, { first: word * 32, live }, room)), one.threshold());
  }
  one.setQuery(given.query.matrix);
  const scores = new Float32Array(Math.min(count, blockRows(shape)));
  one.dots(rows, count - scores.length, scores);
  const slots = Uint32Array.from([0, 1, 2, count - 1, 5 % count]).subarray(0, scores.length);
  const gathered = new Float32Array(slots.length);
  one.dotsAt(rows, slots, gathered);
  // As text, because comparing long arrays item by item takes its time.
  return [bits, found, new Uint32Array(scores.buffer), new Uint32Array(gathered.buffer)].map((each) => each.join(' '));
}

describe('vector kernel', () => {
  it('is what its source assembles to', async () => {
    const source = 'src/engine/vectors/kernel.wat';
    expect(await assembleKernel(source)).toBe(await readFile(bytesFileOf(source), 'utf8'));
  });

  it('gives the same bits as plain TypeScript, whatever the dimensions', { timeout: 60_000 }, () => {
    const dimensions = fc.oneof(
      fc.integer({ min: 1, max: 3_072 }),
      fc.constantFrom(1, 15, 16, 17, 63, 64, 65, 128, 383, 384, 385, 768, 3_071, 3_072),
    );
    fc.assert(
      fc.property(dimensions, fc.integer(), fc.integer({ min: 1, max: 40 }), (size, seed, wanted) => {
        const random = createRandom(seed);
        const count = 70;
        const rows = rowsOf(size, count, random);
        const query = rowsOf(size, 1, random);
        const live = Uint32Array.from({ length: 3 }, () => (random() < 0.5 ? 0xffffffff : random() * 2 ** 32));
        live[2] = live[2]! & 0x3f;
        const given = { query, live, wanted };
        expect(results(kernel, rows, given)).toEqual(results(plain, rows, given));
      }),
      { numRuns: 40 },
    );
  });

  it.each([1, 64, 384, 3_072])('takes the largest blocks of %i dimensions', (dimensions) => {
    const shape = shapeOf(dimensions);
    const random = createRandom(dimensions);
    const count = Math.max(scanRows(shape), blockRows(shape));
    const bits = Uint8Array.from({ length: count * shape.words * 8 }, () => random() * 256);
    const matrix = Float32Array.from({ length: blockRows(shape) * shape.stride }, () => random() - 0.5);
    const rows: VectorRows = { shape, matrix, bits };
    const live = new Uint32Array(scanRows(shape) / 32).fill(0xffffffff);
    const [one, other] = [kernel, plain].map((each) => {
      const found = new Uint32Array(scanRows(shape));
      each.beginScan(shape.dimensions, scanRows(shape));
      each.setQueryBits(new Uint8Array(shape.words * 8));
      const length = each.scan(rows, { first: 0, live }, found);
      each.setQuery(matrix.slice(0, shape.stride));
      const scores = new Float32Array(blockRows(shape));
      each.dots(rows, 0, scores);
      return { length, found, threshold: each.threshold(), scores };
    });
    expect(other?.length).toBe(one?.length);
    expect(other?.threshold).toBe(one?.threshold);
    expect(other?.found.join()).toBe(one?.found.join());
    expect(other?.scores.join()).toBe(one?.scores.join());
  });

  it('narrows its threshold to the least distance that enough rows are within', () => {
    const shape = shapeOf(64);
    const bits = new Uint8Array(64 * 8);
    // Row r differs from the query in 63 - r bits.
    const words = new BigUint64Array(bits.buffer);
    for (let row = 0; row < 64; row++) words[row] = 2n ** BigInt(63 - row) - 1n;
    for (const each of [kernel, plain]) {
      each.beginScan(64, 5);
      each.setQueryBits(new Uint8Array(8));
      const found = new Uint32Array(64);
      const live = new Uint32Array(2).fill(0xffffffff);
      expect(each.scan({ shape, matrix: new Float32Array(0), bits }, { first: 0, live }, found)).toBe(64);
      expect(each.threshold()).toBe(4);
    }
  });
});
