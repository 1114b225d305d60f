// A piece of a vector index: rows in ascending order, their components and their bits. What `view` returned never changes:
// rows that are appended lie beyond it, and the bits of the dead are copied before they change, so that other threads may
// scan a view for as long as they like.
import { type Bitmap, hasBit, setBit } from '../bitmap.ts';
import { blockRows, type VectorShape } from './layout.ts';
import type { Centre, VectorKernel, VectorRows } from './vector-kernel.ts';

/** Every array lies in a SharedArrayBuffer. */
export interface VectorPart extends VectorRows {
  /** The caller's number of each slot, ascending. */
  readonly rows: Float64Array;
  /** What the bits were taken around. */
  readonly centre: Float32Array;
  readonly dead: Bitmap | undefined;
  readonly deadCount: number;
}

export interface GrowingPart {
  entries(): number;
  living(): number;
  room(): number;
  lastRow(): number;
  /** The first slot whose row is not below `row`. */
  slotFrom(row: number): number;
  centre(): Float32Array;
  view(): VectorPart;
  /** Takes the next slot for a row beyond the last one and returns its components, to be written. */
  append(row: number): Float32Array;
  /** Takes the slots of another part whose rows are all beyond the last one. */
  appendFrom(source: VectorPart, first: number, end: number): void;
  /** Must follow appending, before `view`. */
  writeBits(kernel: VectorKernel): void;
  /** Deletes the slots from `first` up to and without `end`; tells the components of each that lived. */
  remove(first: number, end: number, removed: (components: Float32Array) => void): number;
  recentre(kernel: VectorKernel, centre: Float32Array): void;
}

export interface PartOptions {
  readonly shape: VectorShape;
  readonly capacity: number;
  readonly centre: Float32Array;
  readonly scaled: boolean;
}

export function createPart({ shape, capacity, centre: given, scaled }: PartOptions): GrowingPart {
  const { stride, words } = shape;
  const rows = new Float64Array(new SharedArrayBuffer(capacity * 8));
  const matrix = new Float32Array(new SharedArrayBuffer(capacity * stride * 4));
  let bits = new Uint8Array(new SharedArrayBuffer(capacity * words * 8));
  let centre = given;
  let entries = 0;
  let withBits = 0;
  let dead: Bitmap | undefined;
  let deadCount = 0;
  /** Whether a view shows the bits of the dead as they are. */
  let deadSeen = false;
  let seen: VectorPart | undefined;

  const ownDead = (): Bitmap => {
    if (dead !== undefined && !deadSeen) return dead;
    const own = new Uint32Array(new SharedArrayBuffer(Math.ceil(capacity / 32) * 4));
    if (dead !== undefined) own.set(dead);
    dead = own;
    deadSeen = false;
    return own;
  };

  const componentsAt = (slot: number): Float32Array => matrix.subarray(slot * stride, slot * stride + shape.dimensions);

  const writeBits = (kernel: VectorKernel): void => {
    const around: Centre = { at: centre, scaled };
    const step = blockRows(shape);
    for (; withBits < entries; withBits = Math.min(withBits + step, entries))
      kernel.writeBits({ shape, matrix, bits }, { first: withBits, count: Math.min(step, entries - withBits) }, around);
  };

  return {
    entries: () => entries,
    living: () => entries - deadCount,
    room: () => capacity - entries,
    lastRow: () => rows[entries - 1] ?? -1,
    slotFrom: (row) => slotFrom(rows.subarray(0, entries), row),
    centre: () => centre,
    view() {
      deadSeen = true;
      seen ??= {
        shape,
        rows: rows.subarray(0, entries),
        matrix: matrix.subarray(0, entries * stride),
        bits: bits.subarray(0, entries * words * 8),
        centre,
        dead: dead?.subarray(0, Math.ceil(entries / 32)),
        deadCount,
      };
      return seen;
    },
    append(row) {
      seen = undefined;
      rows[entries] = row;
      return componentsAt(entries++);
    },
    appendFrom(source, first, end) {
      seen = undefined;
      rows.set(source.rows.subarray(first, end), entries);
      const from = Buffer.from(source.matrix.buffer, source.matrix.byteOffset, source.matrix.byteLength);
      from.copy(Buffer.from(matrix.buffer), entries * stride * 4, first * stride * 4, end * stride * 4);
      entries += end - first;
    },
    writeBits,
    remove(first, end, removed) {
      let count = 0;
      for (let slot = first; slot < end; slot++) {
        if (dead !== undefined && hasBit(dead, slot)) continue;
        setBit(ownDead(), slot);
        removed(componentsAt(slot));
        count++;
      }
      if (count > 0) seen = undefined;
      deadCount += count;
      return count;
    },
    recentre(kernel, next) {
      seen = undefined;
      centre = next;
      bits = new Uint8Array(new SharedArrayBuffer(capacity * words * 8));
      withBits = 0;
      writeBits(kernel);
    },
  };
}

/** The first place from `low` on, in ascending numbers, whose number is not below `row`. Near ones are found soonest. */
export function slotFrom(rows: Float64Array, row: number, low = 0): number {
  let first = low;
  let step = 1;
  while (first + step <= rows.length && (rows[first + step - 1] as number) < row) {
    first += step;
    step *= 2;
  }
  let end = Math.min(rows.length, first + step);
  while (first < end) {
    const middle = (first + end) >>> 1;
    if ((rows[middle] as number) < row) first = middle + 1;
    else end = middle;
  }
  return first;
}
