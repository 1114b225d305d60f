// Which rows of a snapshot a search may return: a bitmap per part. Valid for that one snapshot, and cheap to send to another
// thread because it lies in SharedArrayBuffers.
import { FootnoteError } from '../../core/errors.ts';
import { type Bitmap, countBits, setBits } from '../bitmap.ts';
import { slotFrom, type VectorPart } from './vector-part.ts';
import type { VectorSnapshot } from './vector-snapshot.ts';

export interface VectorSelection {
  /** That of the snapshot. */
  readonly version: number;
  readonly bitmaps: readonly Bitmap[];
}

/** The rows of inclusive ranges, in any order. */
export function selectVectorRows(
  snapshot: VectorSnapshot,
  ranges: Iterable<readonly [first: number, last: number]>,
): VectorSelection {
  const sorted = [...ranges];
  if (sorted.some((range, at) => at > 0 && range[0] < (sorted[at - 1] as typeof range)[0]))
    sorted.sort((left, right) => left[0] - right[0]);
  const reach = new Float64Array(sorted.length);
  let furthest = Number.NEGATIVE_INFINITY;
  for (const [at, range] of sorted.entries()) {
    furthest = Math.max(furthest, range[1]);
    reach[at] = furthest;
  }
  const bitmaps = snapshot.parts.map(({ rows }) => {
    const bitmap = new Uint32Array(new SharedArrayBuffer(Math.ceil(rows.length / 32) * 4));
    const lastRow = rows[rows.length - 1] as number;
    let from = 0;
    // Ranges before this one all end before the part begins.
    for (let at = slotFrom(reach, rows[0] as number); at < sorted.length; at++) {
      const [first, last] = sorted[at] as readonly [number, number];
      if (first > lastRow) break;
      from = slotFrom(rows, first, from);
      setBits(bitmap, from, slotFrom(rows, last + 1, from));
    }
    return bitmap;
  });
  return { version: snapshot.version, bitmaps };
}

/** A bit for each slot that lives and is selected; undefined where that is every slot. */
export function livingBits(part: VectorPart, selected: Bitmap | undefined): Bitmap | undefined {
  const { dead } = part;
  if (selected === undefined && dead === undefined) return undefined;
  const bits = new Uint32Array(Math.ceil(part.rows.length / 32));
  if (selected === undefined) setBits(bits, 0, part.rows.length);
  else bits.set(selected);
  if (dead !== undefined)
    for (let at = 0; at < bits.length; at++) bits[at] = (bits[at] as number) & ~(dead[at] as number);
  return bits;
}

/** Living entries of a part, all or those selected. */
export function countLiving(part: VectorPart, selected: Bitmap | undefined): number {
  const bits = selected && livingBits(part, selected);
  return bits === undefined ? part.rows.length - part.deadCount : countBits(bits);
}

/** The bitmaps of a selection. Throws where it was made of another snapshot. */
export function bitmapsOf(selection: VectorSelection, snapshot: VectorSnapshot): readonly Bitmap[] {
  if (selection.version !== snapshot.version)
    throw new FootnoteError('internal', 'A selection of vectors belongs to the snapshot that it was made of.');
  return selection.bitmaps;
}
