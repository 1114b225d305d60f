// The vectors of one index in memory, as parts that other threads can scan. Knows nothing of documents, tenants or SQL.
// Invariant: a snapshot shows exactly the vectors that lived when it was taken; once settled, what a search finds depends
// on the living vectors alone, not on the order they came in. Parts grow with the index, so that adding never copies.
import { FootnoteError } from '../../core/errors.ts';
import { hasBit } from '../bitmap.ts';
import { createCentreSums } from './centre.ts';
import { vectorKernel } from './kernel.ts';
import { maximumDimensions, shapeOf } from './layout.ts';
import { mergeParts } from './merge-parts.ts';
import { checkVectors, type VectorMetric, writePrepared } from './prepare-vector.ts';
import type { VectorKernel } from './vector-kernel.ts';
import { createPart, type GrowingPart } from './vector-part.ts';
import { bitmapsOf, countLiving, selectVectorRows, type VectorSelection } from './vector-selection.ts';
import type { VectorSnapshot } from './vector-snapshot.ts';

export interface VectorIndex {
  /**
   * Adds vectors that lie end to end. Rows ascend within a call, are whole numbers and never used twice.
   * Throws before anything is added where a vector or a row is not valid.
   */
  add(rows: ArrayLike<number>, vectors: Float32Array): void;
  /** Deletes the vectors of a range of rows, both ends included. Returns how many were alive. */
  remove(firstRow: number, lastRow: number): number;
  /** Living vectors, all or those of a selection. */
  count(selection?: VectorSelection): number;
  /** The rows of inclusive ranges, as a selection from the present snapshot. */
  selectRows(ranges: Iterable<readonly [first: number, last: number]>): VectorSelection;
  snapshot(): VectorSnapshot;
  /** A copy of the living vector of a row as it is kept: of length 1 where the metric is cosine. */
  vectorOf(row: number): Float32Array | undefined;
  /** Whether `settle` has something to do that searches would gain by. */
  unsettled(): boolean;
  /** Merges, drops the dead and takes the centre anew, some milliseconds a step; other calls may come between steps. */
  settle(): Generator<undefined, void, undefined>;
  /** Bytes of the buffers, with the room in them. */
  memoryBytes(): number;
}

const mostRows = 65_536;
/** A part's components, so that no step of `settle` holds up others for long. */
const partBytes = 32 * 1024 * 1024;
/** What a merge within `add` or `remove` may copy. */
const mergeBytes = 8 * 1024 * 1024;
/** Small parts are merged by eights when there are more than this. */
const mostSmallParts = 16;
const mergeCount = 8;
const leastCapacity = 16;

const powerFrom = (least: number): number => 2 ** Math.ceil(Math.log2(Math.max(1, least)));

export interface VectorIndexOptions {
  readonly dimensions: number;
  readonly metric: VectorMetric;
  readonly kernel?: VectorKernel;
}

export function createVectorIndex(options: VectorIndexOptions): VectorIndex {
  const { dimensions, metric, kernel = vectorKernel() } = options;
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > maximumDimensions)
    throw new FootnoteError('invalid-request', `A vector has 1 to ${maximumDimensions} dimensions, not ${dimensions}.`);
  const shape = shapeOf(dimensions);
  const scaled = metric === 'dot';
  const rowBytes = shape.stride * 4;
  const partRows = Math.min(mostRows, 2 ** Math.floor(Math.log2(partBytes / rowBytes)));
  const sums = createCentreSums(shape, metric);

  let parts: GrowingPart[] = [];
  let living = 0;
  let centre = sums.centre(0);
  let centredCount = 0;
  let version = 0;
  let cached: VectorSnapshot | undefined;

  const changed = (): void => {
    version++;
    cached = undefined;
  };

  const replaceParts = (old: readonly GrowingPart[], fresh: readonly GrowingPart[]): void => {
    parts = [...parts.filter((part) => !old.includes(part)), ...fresh];
    changed();
  };

  const merge = (old: readonly GrowingPart[]): void => {
    const count = old.reduce((sum, part) => sum + part.living(), 0);
    if (count === 0) {
      replaceParts(old, []);
      return;
    }
    const capacity = Math.min(partRows, powerFrom(count + (count >>> 2)));
    const views = old.map((part) => part.view());
    const merged = mergeParts(views, { shape, capacity: Math.max(count, capacity), centre, scaled });
    merged.writeBits(kernel);
    replaceParts(old, [merged]);
  };

  /** The least ones, fewest first: they are a small share of the index and of what a part can hold. */
  const smallParts = (): GrowingPart[] => {
    const limit = Math.min(partRows / 2, living / 64);
    return parts.filter((part) => part.living() < limit).sort((left, right) => left.living() - right.living());
  };

  const mergeSmall = (): void => {
    if (parts.length <= mostSmallParts) return;
    const small = smallParts();
    if (small.length <= mostSmallParts) return;
    const least = small.slice(0, mergeCount);
    if (least.reduce((sum, part) => sum + part.living(), 0) * rowBytes <= mergeBytes) merge(least);
  };

  const sameCentre = (other: Float32Array): boolean =>
    other === centre || other.every((component, at) => component === centre[at]);

  const takeCentre = (): void => {
    const next = sums.centre(living);
    centredCount = living;
    if (!sameCentre(next)) centre = next;
  };

  /** The centre of an index that has doubled or halved is taken anew; what is small takes its bits around it at once. */
  const followCentre = (): void => {
    if (living < centredCount * 2 && living > centredCount / 2) return;
    takeCentre();
    if (living * rowBytes > partBytes) return;
    for (const part of parts) if (!sameCentre(part.centre())) part.recentre(kernel, centre);
  };

  /** A part that can take the row, with room for as many after it as it has. */
  const partFor = (row: number, count: number): GrowingPart => {
    let best: GrowingPart | undefined;
    let greatest = -1;
    for (const part of parts) {
      const last = part.lastRow();
      if (last > greatest) greatest = last;
      if (part.room() > 0 && last < row && (best === undefined || last > best.lastRow())) best = part;
    }
    if (best !== undefined) return best;
    // Rows that come late get little room: nothing says that more will follow.
    const wanted = Math.max(leastCapacity, count, row > greatest ? living / 4 : 0);
    const part = createPart({ shape, capacity: Math.min(partRows, powerFrom(wanted)), centre, scaled });
    parts.push(part);
    return part;
  };

  const snapshot = (): VectorSnapshot => {
    cached ??= { version, metric, shape, entries: living, parts: parts.map((part) => part.view()) };
    return cached;
  };

  const needsRewriting = (part: GrowingPart): boolean => part.living() * 4 < part.entries() * 3;

  const mergeable = (): GrowingPart[] => {
    const group: GrowingPart[] = [];
    let count = 0;
    for (const part of parts.filter((one) => one.living() < partRows / 2).sort((a, b) => a.living() - b.living())) {
      if (count + part.living() > partRows) break;
      count += part.living();
      group.push(part);
    }
    return group.length > 1 ? group : [];
  };

  return {
    add(rows, vectors) {
      if (vectors.length !== rows.length * dimensions)
        throw new FootnoteError(
          'invalid-request',
          `${rows.length} vectors of ${dimensions} dimensions have ${rows.length * dimensions} components, not ${vectors.length}.`,
        );
      for (let at = 0; at < rows.length; at++)
        if (!Number.isSafeInteger(rows[at]) || (rows[at] as number) <= (at === 0 ? -1 : (rows[at - 1] as number)))
          throw new FootnoteError('internal', 'Rows of vectors are whole numbers that ascend.');
      const lengths = checkVectors(vectors, dimensions, metric);
      if (rows.length === 0) return;
      changed();
      for (let at = 0; at < rows.length; ) {
        const part = partFor(rows[at] as number, rows.length - at);
        const end = Math.min(rows.length, at + part.room());
        for (; at < end; at++) {
          const components = part.append(rows[at] as number);
          const vector = vectors.subarray(at * dimensions, (at + 1) * dimensions);
          writePrepared(components, vector, { length: lengths[at] as number, metric });
          sums.count(components, 1);
          living++;
        }
        part.writeBits(kernel);
        followCentre();
      }
      mergeSmall();
    },
    remove(firstRow, lastRow) {
      let count = 0;
      for (const part of [...parts]) {
        const removed = part.remove(part.slotFrom(firstRow), part.slotFrom(lastRow + 1), (components) =>
          sums.count(components, -1),
        );
        if (removed === 0) continue;
        count += removed;
        living -= removed;
        if (needsRewriting(part) && part.living() * rowBytes <= mergeBytes) merge([part]);
      }
      if (count > 0) {
        followCentre();
        changed();
      }
      return count;
    },
    count(selection) {
      if (selection === undefined) return living;
      const bitmaps = bitmapsOf(selection, snapshot());
      return snapshot().parts.reduce((sum, part, at) => sum + countLiving(part, bitmaps[at]), 0);
    },
    selectRows: (ranges) => selectVectorRows(snapshot(), ranges),
    snapshot,
    vectorOf(row) {
      for (const part of parts) {
        const slot = part.slotFrom(row);
        const { rows, matrix, dead } = part.view();
        if (rows[slot] === row && (dead === undefined || !hasBit(dead, slot)))
          return matrix.slice(slot * shape.stride, slot * shape.stride + dimensions);
      }
      return undefined;
    },
    unsettled: () =>
      smallParts().length > mostSmallParts || parts.some((part) => needsRewriting(part) || !sameCentre(part.centre())),
    *settle() {
      takeCentre();
      for (;;) {
        const worn = parts.find(needsRewriting);
        const group = worn === undefined ? mergeable() : [worn];
        const stale = group.length > 0 ? undefined : parts.find((part) => !sameCentre(part.centre()));
        if (group.length > 0) merge(group);
        else if (stale !== undefined) {
          stale.recentre(kernel, centre);
          changed();
        } else return;
        yield undefined;
      }
    },
    memoryBytes: () =>
      parts.reduce((sum, part) => sum + (part.entries() + part.room()) * (rowBytes + shape.words * 8 + 8), 0),
  };
}
