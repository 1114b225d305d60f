// Which rows are worth scoring: those whose bits differ least from the query's, over all parts together. Invariant: the
// choice depends on the rows alone, not on how they lie in parts, also where many are equally far.
import type { Bitmap } from '../bitmap.ts';
import { partEntries } from '../references.ts';
import { createBestRows } from './best-rows.ts';
import { mostScanRows, scanRows } from './layout.ts';
import type { VectorKernel } from './vector-kernel.ts';
import type { VectorSnapshot } from './vector-snapshot.ts';

export interface NearestBits {
  readonly snapshot: VectorSnapshot;
  /** Of each part, the bits of the rows that count; undefined for all. */
  readonly living: readonly (Bitmap | undefined)[];
  /** Padded. */
  readonly query: Float32Array;
  readonly wanted: number;
  /** Which of two references comes first where more rows are equally far than are wanted. */
  readonly before: (left: number, right: number) => boolean;
}

// Reused from search to search: what is as large as this costs more to collect than to compute.
const found = new Uint32Array(mostScanRows);
const everyBit = new Uint32Array(mostScanRows / 32);
let spareReferences = new Uint32Array(0);
let spareDistances = new Uint16Array(0);
const mostSpare = 262_144;

/** References in ascending order: as many as are wanted, or all rows that are no farther, up to twice as many. */
export function findNearestBits(scan: NearestBits, kernel: VectorKernel, pause: () => void): Uint32Array {
  const { snapshot, living, wanted } = scan;
  const queryBits = bitsOfQuery(scan, kernel);
  const step = scanRows(snapshot.shape);
  const kept = createKept(wanted);
  kernel.beginScan(snapshot.shape.dimensions, wanted);
  for (const [index, part] of snapshot.parts.entries()) {
    const bits = living[index];
    kernel.setQueryBits(queryBits.get(part.centre) as Uint8Array);
    for (let first = 0; first < part.rows.length; first += step) {
      pause();
      const rows = Math.min(step, part.rows.length - first);
      const live = bits === undefined ? everyOf(rows) : bits.subarray(first / 32, Math.ceil((first + rows) / 32));
      if (bits !== undefined && live.every((word) => word === 0)) continue;
      const count = kernel.scan(part, { first, live }, found);
      kept.take(found.subarray(0, count), index * partEntries + first, kernel.threshold());
    }
  }
  return kept.choose(kernel.threshold(), scan.before);
}

/** The query's bits around each centre that a part has. */
function bitsOfQuery({ snapshot, query }: NearestBits, kernel: VectorKernel): Map<Float32Array, Uint8Array> {
  const { shape, metric, parts } = snapshot;
  const around = new Map<Float32Array, Uint8Array>();
  for (const { centre } of parts) {
    if (around.has(centre)) continue;
    const bits = new Uint8Array(shape.words * 8);
    kernel.writeBits({ shape, matrix: query, bits }, { first: 0, count: 1 }, { at: centre, scaled: metric === 'dot' });
    around.set(centre, bits);
  }
  return around;
}

/** A bit for each of so many rows. */
function everyOf(rows: number): Bitmap {
  const words = Math.ceil(rows / 32);
  everyBit.fill(0xffffffff, 0, words);
  if (rows % 32 > 0) everyBit[words - 1] = 2 ** (rows % 32) - 1;
  return everyBit.subarray(0, words);
}

/** What scans have found so far; what the threshold has left behind is dropped when room is short. */
function createKept(wanted: number) {
  const room = Math.max(16_384, wanted * 4);
  if (spareReferences.length < room) {
    spareReferences = new Uint32Array(room);
    spareDistances = new Uint16Array(room);
  }
  let references = spareReferences;
  let distances = spareDistances;
  let length = 0;

  const drop = (threshold: number): void => {
    let to = 0;
    for (let at = 0; at < length; at++) {
      if ((distances[at] as number) > threshold) continue;
      references[to] = references[at] as number;
      distances[to++] = distances[at] as number;
    }
    length = to;
  };

  const makeRoom = (count: number, threshold: number): void => {
    if (length + count <= references.length) return;
    drop(threshold);
    if ((length + count) * 2 <= references.length) return;
    const grown = new Uint32Array((length + count) * 2);
    grown.set(references.subarray(0, length));
    references = grown;
    const grownDistances = new Uint16Array(grown.length);
    grownDistances.set(distances.subarray(0, length));
    distances = grownDistances;
    if (grown.length > mostSpare) return;
    spareReferences = references;
    spareDistances = distances;
  };

  return {
    take(found: Uint32Array, base: number, threshold: number): void {
      makeRoom(found.length, threshold);
      for (const one of found) {
        references[length] = base + (one & 0xffff);
        distances[length++] = one >>> 16;
      }
    },
    choose(threshold: number, before: (left: number, right: number) => boolean): Uint32Array {
      drop(threshold);
      if (length <= wanted * 2) return references.slice(0, length);
      // A crowd at the threshold, most likely copies of one vector: the ones that come first by rank are as good as all.
      const nearer = references.subarray(0, length).filter((_, at) => (distances[at] as number) < threshold);
      const crowd = createBestRows(wanted - nearer.length, before);
      const equals = references.subarray(0, length).filter((_, at) => distances[at] === threshold);
      crowd.offer(new Float32Array(equals.length), 0, equals);
      return Uint32Array.from([...nearer, ...crowd.drain().references]).sort();
    },
  };
}
