// The lexical index of one tenant in memory: segments, the bits of what was deleted from them, and BM25 over all of it
// (Robertson & Zaragoza 2009; Lucene's idf). Knows nothing of documents, tenants or SQL. Invariant: results are those of an
// index that holds exactly the living entries, whatever the segments; a search sees one state from start to end.
import { type Bitmap, createBitmap, hasBit, setBit, setBits } from './bitmap.ts';
import { type LiveSegment, livingPostings } from './live-segment.ts';
import { searchProximate } from './proximity.ts';
import type { LexicalQuery, Selection } from './query.ts';
import type { LexicalHit, SearchState } from './score.ts';
import { type Segment, slotFrom } from './segment.ts';
import { encode, findString } from './strings.ts';

export const defaultParameters = { k1: 1.2, b: 0.75 } as const;

export interface LexicalIndex {
  /** Replaces segments (by identity) with others; the rest stays. Segments keep ascending rows. */
  replace(removed: readonly Segment[], added: readonly Segment[]): void;
  /** Deletes the entries of a range of rows, both ends included. Returns how many were alive. */
  remove(firstRow: number, lastRow: number): number;
  segments(): readonly LiveSegment[];
  /** Living entries, all or those of a selection. */
  count(selection?: Selection): number;
  /** Living entries that hold the term, all or those of a selection. */
  frequency(term: string, selection?: Selection): number;
  /** The rows of inclusive ranges, as a selection. */
  selectRows(ranges: Iterable<readonly [first: number, last: number]>): Selection;
  search(query: LexicalQuery): readonly LexicalHit[];
  /** What `search` and `explainHit` compute from; valid until the next change. */
  state(): SearchState;
}

interface Part {
  readonly segment: Segment;
  dead: Bitmap | undefined;
  deadCount: number;
  /** Sum of the lengths of the living. */
  length: number;
}

const sum = (values: Uint16Array): number => {
  let total = 0;
  for (const value of values) total += value;
  return total;
};

export function createLexicalIndex(parameters: { k1: number; b: number } = defaultParameters): LexicalIndex {
  let parts: Part[] = [];
  let cached: SearchState | undefined;

  const state = (): SearchState => {
    if (cached) return cached;
    const entries = parts.reduce((total, part) => total + part.segment.sizes.entries - part.deadCount, 0);
    const length = parts.reduce((total, part) => total + part.length, 0);
    let longest = 0;
    for (const { segment } of parts) for (const one of segment.lengths) if (one > longest) longest = one;
    const average = entries === 0 ? 1 : length / entries || 1;
    const norms = new Float64Array(longest + 1);
    const { k1, b } = parameters;
    for (let at = 0; at <= longest; at++) norms[at] = k1 * (1 - b + (b * at) / average);
    cached = { parts, entries, norms, k1 };
    return cached;
  };

  const frequency = (term: string, selection?: Selection): number => {
    const key = encode(term);
    let count = 0;
    for (const [index, part] of parts.entries()) {
      const id = findString(part.segment.terms, key);
      if (id !== -1) count += livingPostings(part, id, selection?.[index]);
    }
    return count;
  };

  return {
    replace(removed, added) {
      const kept = parts.filter((part) => !removed.includes(part.segment));
      const fresh = added
        .filter((segment) => segment.sizes.entries > 0)
        .map((segment): Part => ({ segment, dead: undefined, deadCount: 0, length: sum(segment.lengths) }));
      parts = [...kept, ...fresh].sort(
        (left, right) => (left.segment.rows[0] as number) - (right.segment.rows[0] as number),
      );
      cached = undefined;
    },
    remove(firstRow, lastRow) {
      let count = 0;
      for (const part of parts) {
        const { segment } = part;
        const end = slotFrom(segment, lastRow + 1);
        for (let slot = slotFrom(segment, firstRow); slot < end; slot++) {
          part.dead ??= createBitmap(segment.sizes.entries);
          if (!setBit(part.dead, slot)) continue;
          part.deadCount++;
          part.length -= segment.lengths[slot] as number;
          count++;
        }
      }
      if (count > 0) cached = undefined;
      return count;
    },
    segments: () => parts,
    count(selection) {
      if (selection === undefined) return state().entries;
      let count = 0;
      for (const [index, { segment, dead }] of parts.entries())
        for (let slot = 0; slot < segment.sizes.entries; slot++)
          if (hasBit(selection[index] as Bitmap, slot) && (dead === undefined || !hasBit(dead, slot))) count++;
      return count;
    },
    frequency,
    selectRows(ranges) {
      const selection = parts.map(({ segment }) => createBitmap(segment.sizes.entries));
      for (const [first, last] of ranges)
        for (const [index, { segment }] of parts.entries()) {
          const { rows } = segment;
          if (last < (rows[0] as number) || first > (rows[rows.length - 1] as number)) continue;
          setBits(selection[index] as Bitmap, slotFrom(segment, first), slotFrom(segment, last + 1));
        }
      return selection;
    },
    search: (query) => searchProximate(state(), query),
    state,
  };
}
