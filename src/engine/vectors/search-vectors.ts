// Finds the vectors of a snapshot with the greatest dot products with a query, in any thread. Many vectors are first told
// apart by the signs of their components around the centre (Charikar 2002), and the nearest ones by these bits are scored;
// few are all scored. Scores are exact in either case, and equal ones are ordered by `before`, also at the cut.
import { FootnoteError } from '../../core/errors.ts';
import { type Bitmap, countBits, hasBit } from '../bitmap.ts';
import { partEntries, partOf, slotOf } from '../references.ts';
import { type BestRows, createBestRows } from './best-rows.ts';
import { vectorKernel } from './kernel.ts';
import { blockRows, mostBlockRows } from './layout.ts';
import { findNearestBits } from './nearest-bits.ts';
import { checkVectors, writePrepared } from './prepare-vector.ts';
import type { VectorKernel } from './vector-kernel.ts';
import type { VectorPart } from './vector-part.ts';
import { bitmapsOf, livingBits, type VectorSelection } from './vector-selection.ts';
import type { VectorSnapshot } from './vector-snapshot.ts';

export interface VectorQuery {
  readonly vector: Float32Array;
  readonly limit: number;
  /** Scores every vector however many there are. */
  readonly exact?: boolean;
  /** Made of the same snapshot. */
  readonly selection?: VectorSelection;
  /** Which of two rows comes first when their scores are equal; the lower one if not given. Must not search itself. */
  readonly before?: (rowA: number, rowB: number) => boolean;
}

export interface VectorHit {
  readonly row: number;
  /** Dot product; of vectors of length one where the metric is cosine. */
  readonly score: number;
  /** Where it lies in the snapshot. */
  readonly part: number;
  readonly slot: number;
}

export interface VectorSearchRuntime {
  readonly kernel?: VectorKernel;
  /** Asked between blocks, some tens of microseconds apart; true ends the search with `cancelled`. */
  readonly cancelled?: () => boolean;
}

/** Up to so many components every vector is scored: that is as fast as telling them apart first (docs/engine.md). */
const exactComponents = 3_000_000;
/** Of a selection, whose vectors are read here and there. */
const exactSelectedComponents = 2_000_000;
const leastCandidates = 1_000;
const candidateShare = 0.001;
const candidatesPerHit = 10;
/** Bits tell directions apart, not lengths; where lengths count, more are looked at. */
const dotFactor = 4;

// Reused from search to search: what is as large as this costs more to collect than to compute.
const scores = new Float32Array(mostBlockRows);
const blockSlots = new Uint32Array(mostBlockRows);

/** Hits, best first. */
export function searchVectors(
  snapshot: VectorSnapshot,
  query: VectorQuery,
  runtime: VectorSearchRuntime = {},
): readonly VectorHit[] {
  const { kernel = vectorKernel(), cancelled } = runtime;
  const vector = prepareQuery(snapshot, query.vector);
  const bitmaps = query.selection && bitmapsOf(query.selection, snapshot);
  const living = snapshot.parts.map((part, at) => livingBits(part, bitmaps?.[at]));
  const entries = living.reduce(
    (sum, bits, at) => sum + (bits === undefined ? (snapshot.parts[at] as VectorPart).rows.length : countBits(bits)),
    0,
  );
  const limit = Math.min(Math.floor(query.limit), entries);
  if (!(limit > 0)) return [];

  const rowAt = (reference: number): number =>
    (snapshot.parts[partOf(reference)] as VectorPart).rows[slotOf(reference)] as number;
  const beforeRow = query.before ?? ((left: number, right: number) => left < right);
  const before = (left: number, right: number): boolean => beforeRow(rowAt(left), rowAt(right));
  const pause = (): void => {
    if (cancelled?.()) throw new FootnoteError('cancelled', 'The search was cancelled.');
  };
  const scoring: Scoring = { snapshot, kernel, top: createBestRows(limit, before), pause };
  const wanted =
    Math.max(leastCandidates, Math.ceil(entries * candidateShare), limit * candidatesPerHit) *
    (snapshot.metric === 'dot' ? dotFactor : 1);
  const few = query.selection === undefined ? exactComponents : exactSelectedComponents;
  if (query.exact === true || entries <= wanted * 2 || entries * snapshot.shape.stride <= few) {
    kernel.setQuery(vector);
    scoreAll(scoring, living);
  } else {
    const candidates = findNearestBits({ snapshot, living, query: vector, wanted, before }, kernel, pause);
    kernel.setQuery(vector);
    scoreReferences(scoring, candidates);
  }
  const best = scoring.top.drain();
  return best.references.map((reference, at) => ({
    row: rowAt(reference),
    score: best.scores[at] as number,
    part: partOf(reference),
    slot: slotOf(reference),
  }));
}

function prepareQuery({ shape, metric }: VectorSnapshot, vector: Float32Array): Float32Array {
  if (vector.length !== shape.dimensions)
    throw new FootnoteError(
      'invalid-request',
      `The query's vector has ${vector.length} dimensions, those of the index ${shape.dimensions}.`,
    );
  const [length = 0] = checkVectors(vector, shape.dimensions, metric);
  const prepared = new Float32Array(shape.stride);
  writePrepared(prepared, vector, { length, metric });
  return prepared;
}

interface Scoring {
  readonly snapshot: VectorSnapshot;
  readonly kernel: VectorKernel;
  readonly top: BestRows;
  readonly pause: () => void;
}

function scoreAll(scoring: Scoring, living: readonly (Bitmap | undefined)[]): void {
  const { snapshot, kernel, top, pause } = scoring;
  const step = blockRows(snapshot.shape);
  for (const [index, part] of snapshot.parts.entries()) {
    const bits = living[index];
    const base = index * partEntries;
    if (bits !== undefined) {
      scoreSlots(scoring, index, slotsOf(bits, part.rows.length));
      continue;
    }
    for (let first = 0; first < part.rows.length; first += step) {
      pause();
      const block = scores.subarray(0, Math.min(step, part.rows.length - first));
      kernel.dots(part, first, block);
      top.offer(block, base + first);
    }
  }
}

function slotsOf(bits: Bitmap, entries: number): Uint32Array {
  const slots = new Uint32Array(entries);
  let count = 0;
  for (let word = 0; word < bits.length; word++) {
    if (bits[word] === 0) continue;
    for (let slot = word * 32; slot < word * 32 + 32; slot++) if (hasBit(bits, slot)) slots[count++] = slot;
  }
  return slots.subarray(0, count);
}

/** Scores references in ascending order. */
function scoreReferences(scoring: Scoring, references: Uint32Array): void {
  const step = blockRows(scoring.snapshot.shape);
  for (let from = 0; from < references.length; ) {
    const index = partOf(references[from] as number);
    let count = 0;
    while (count < step && from < references.length && partOf(references[from] as number) === index)
      blockSlots[count++] = slotOf(references[from++] as number);
    scoreBlock(scoring, index, blockSlots.subarray(0, count));
  }
}

function scoreSlots(scoring: Scoring, index: number, slots: Uint32Array): void {
  const step = blockRows(scoring.snapshot.shape);
  for (let from = 0; from < slots.length; from += step) scoreBlock(scoring, index, slots.subarray(from, from + step));
}

function scoreBlock({ snapshot, kernel, top, pause }: Scoring, index: number, slots: Uint32Array): void {
  pause();
  const block = scores.subarray(0, slots.length);
  kernel.dotsAt(snapshot.parts[index] as VectorPart, slots, block);
  top.offer(block, index * partEntries, slots);
}
