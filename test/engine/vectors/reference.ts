// What vector search must return, computed by scoring every vector by itself, and vectors to try it with.
import type { VectorMetric } from '../../../src/engine/vectors/prepare-vector.ts';

const { fround } = Math;

function prepared(vector: Float32Array, metric: VectorMetric): number[] {
  const length = Math.sqrt(vector.reduce((sum, component) => sum + component * component, 0));
  return [...vector].map((component) => (metric === 'dot' || length === 0 ? component : fround(component / length)));
}

/** Single precision; component i goes to lane i mod 16, lanes are folded in halves. */
function dot(left: readonly number[], right: readonly number[]): number {
  let lanes = Array.from({ length: 16 }, () => 0);
  for (const [at, component] of left.entries())
    lanes[at % 16] = fround(lanes[at % 16]! + fround(component * right[at]!));
  while (lanes.length > 1) {
    const half = lanes.length / 2;
    lanes = lanes.slice(0, half).map((lane, at) => fround(lane + lanes[half + at]!));
  }
  return lanes[0]! + 0;
}

export interface ReferenceQuery {
  readonly vector: Float32Array;
  readonly limit: number;
  readonly selected?: (row: number) => boolean;
  readonly before?: (rowA: number, rowB: number) => boolean;
}

export function referenceSearch(
  vectors: ReadonlyMap<number, Float32Array>,
  query: ReferenceQuery,
  metric: VectorMetric,
): { row: number; score: number }[] {
  const { selected = () => true, before = (a, b) => a < b } = query;
  const vector = prepared(query.vector, metric);
  return [...vectors]
    .filter(([row]) => selected(row))
    .map(([row, other]) => ({ row, score: dot(prepared(other, metric), vector) }))
    .sort((left, right) => right.score - left.score || (before(left.row, right.row) ? -1 : 1))
    .slice(0, query.limit);
}

/** Numbers between 0 and 1, the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Vectors end to end that gather around `clusters` centres, which all lie off the origin. */
export function clusteredVectors(
  count: number,
  dimensions: number,
  options: { readonly seed: number; readonly clusters: number },
): Float32Array {
  const random = createRandom(options.seed);
  // Sums of three uniform numbers are bell-shaped enough, and cheap.
  const bell = (): number => random() + random() + random() - 1.5;
  const centres = Float32Array.from({ length: options.clusters * dimensions }, () => 0.4 + bell());
  const vectors = new Float32Array(count * dimensions);
  for (let at = 0; at < count; at++) {
    const centre = Math.floor(random() * options.clusters) * dimensions;
    for (let component = 0; component < dimensions; component++)
      vectors[at * dimensions + component] = centres[centre + component]! + 0.6 * bell();
  }
  return vectors;
}
