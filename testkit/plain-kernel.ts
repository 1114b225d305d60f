// The kernel of vector search in plain TypeScript, which the one in WebAssembly is held against: the same results to the last bit. Every product and every sum is rounded to single precision, and components are added in the kernel's order.
import type { VectorKernel, VectorRows } from '../src/engine/vectors/vector-kernel.ts';

const { fround } = Math;
const lanes = new Float32Array(16);

/** Component i is added into lane i mod 16; then lanes eight apart are added, four apart, two apart, and the last two. */
function dotAt(matrix: Float32Array, start: number, other: Float32Array, otherStart: number, stride: number): number {
  lanes.fill(0);
  for (let at = 0; at < stride; at += 16)
    for (let lane = 0; lane < 16; lane++)
      lanes[lane] =
        (lanes[lane] as number) +
        fround((matrix[start + at + lane] as number) * (other[otherStart + at + lane] as number));
  for (let apart = 8; apart > 0; apart >>= 1)
    for (let lane = 0; lane < apart; lane++) lanes[lane] = (lanes[lane] as number) + (lanes[lane + apart] as number);
  return lanes[0] as number;
}

function countOnes(given: number): number {
  let word = given - ((given >>> 1) & 0x55555555);
  word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
  return Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

function wordsOver({ bits }: VectorRows): Uint32Array {
  return new Uint32Array(bits.buffer, bits.byteOffset, bits.byteLength / 4);
}

export function createPlainKernel(): VectorKernel {
  let query = new Float32Array(0);
  let queryWords = new Uint32Array(0);
  let histogram = new Uint32Array(0);
  let threshold = 0;
  let within = 0;
  let wanted = 0;

  const keep = (distance: number): void => {
    histogram[distance] = (histogram[distance] as number) + 1;
    within++;
    while (within - (histogram[threshold] as number) >= wanted) within -= histogram[threshold--] as number;
  };

  return {
    setQuery(given) {
      query = given.slice();
    },
    dots({ matrix, shape: { stride } }, first, scores) {
      for (let at = 0; at < scores.length; at++) scores[at] = dotAt(matrix, (first + at) * stride, query, 0, stride);
    },
    dotsAt({ matrix, shape: { stride } }, slots, scores) {
      for (const [at, slot] of slots.entries()) scores[at] = dotAt(matrix, slot * stride, query, 0, stride);
    },
    beginScan(dimensions, given) {
      histogram = new Uint32Array(dimensions + 1);
      threshold = dimensions;
      within = 0;
      wanted = given;
    },
    setQueryBits(bits) {
      queryWords = new Uint32Array(bits.slice().buffer);
    },
    scan(rows, { first, live }, found) {
      const words = wordsOver(rows);
      const stride = rows.shape.words * 2;
      let count = 0;
      for (const [at, mask] of live.entries()) {
        for (let left = mask; left !== 0; left &= left - 1) {
          const place = at * 32 + 31 - Math.clz32(left & -left);
          const start = (first + place) * stride;
          let distance = 0;
          for (let word = 0; word < stride; word++)
            distance += countOnes((words[start + word] as number) ^ (queryWords[word] as number));
          if (distance > threshold) continue;
          found[count++] = (distance << 16) | place;
          keep(distance);
        }
      }
      return count;
    },
    threshold: () => threshold,
    writeBits({ matrix, bits, shape }, { first, count }, { at: centre, scaled }) {
      const { stride, words } = shape;
      for (let row = first; row < first + count; row++) {
        const start = row * stride;
        const scale = scaled ? fround(Math.sqrt(dotAt(matrix, start, matrix, start, stride))) : 1;
        bits.fill(0, row * words * 8, (row + 1) * words * 8);
        for (let at = 0; at < stride; at++) {
          if ((matrix[start + at] as number) <= fround((centre[at] as number) * scale)) continue;
          const byte = row * words * 8 + (at >>> 3);
          bits[byte] = (bits[byte] as number) | (1 << (at & 7));
        }
      }
    },
  };
}
