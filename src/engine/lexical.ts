// The lexical index of one tenant in memory: segments, the bits of what was deleted from them, and BM25 over all of it
// (Robertson & Zaragoza 2009; Lucene's idf). Knows nothing of documents, tenants or SQL. Invariant: results are those of an
// index that holds exactly the living entries, whatever the segments; a search sees one state from start to end, and a state that
// was handed out never changes (what is deleted later goes into a copy of the bits), so other threads can search it.
import { type Bitmap, createSharedBitmap, hasBit, setBit } from './bitmap.ts';
import { isLiving, type LiveSegment } from './live-segment.ts';
import type { LexicalQuery, Selection } from './query.ts';
import { type LexicalHit, readHits } from './ranked.ts';
import { searchProximate } from './search.ts';
import type { SearchState } from './search-state.ts';
import { type Segment, slotFrom } from './segment.ts';
import { createRowSelection } from './select-rows.ts';
import { countEntries, countLiving, placesOf } from './term-places.ts';

export const defaultParameters = { k1: 1.2, b: 0.75 } as const;

export interface LexicalIndex {
  /** Replaces segments (by identity) with others; the rest stays. Segments keep ascending rows. */
  replace(removed: readonly Segment[], added: readonly Segment[]): void;
  /** Deletes the entries of a range of rows, both ends included. Returns how many were alive. */
  remove(firstRow: number, lastRow: number): number;
  segments(): readonly LiveSegment[];
  /** Living entries, all or those of a selection. */
  count(selection?: Selection): number;
  /** Whether a living entry holds the term. */
  holds(term: string): boolean;
  /** Living entries that hold the term, all or those of a selection. */
  frequency(term: string, selection?: Selection): number;
  /** The rows of inclusive ranges, as a selection. */
  selectRows(ranges: Iterable<readonly [first: number, last: number]>): Selection;
  search(query: LexicalQuery): readonly LexicalHit[];
  /** What `search` and `explainHit` compute from: immutable, and another one after every change. */
  state(): SearchState;
}

interface Part {
  readonly segment: Segment;
  dead: Bitmap | undefined;
  deadCount: number;
  /** Sum of the lengths of the living. */
  length: number;
  /** Greatest length, of the dead too. */
  readonly longest: number;
  /** Whether a snapshot holds it: then it never changes again. */
  published: boolean;
}

function toPart(segment: Segment): Part {
  let length = 0;
  let longest = 0;
  for (const one of segment.lengths) {
    length += one;
    if (one > longest) longest = one;
  }
  return { segment, dead: undefined, deadCount: 0, length, longest, published: false };
}

export function createLexicalIndex(parameters: { k1: number; b: number } = defaultParameters): LexicalIndex {
  let parts: Part[] = [];
  let cached: SearchState | undefined;

  const state = (): SearchState => {
    if (cached) return cached;
    const entries = parts.reduce((total, part) => total + part.segment.sizes.entries - part.deadCount, 0);
    const length = parts.reduce((total, part) => total + part.length, 0);
    const longest = parts.reduce((most, part) => Math.max(most, part.longest), 0);
    const average = entries === 0 ? 1 : length / entries || 1;
    const norms = new Float64Array(longest + 1);
    const { k1, b } = parameters;
    for (let at = 0; at <= longest; at++) norms[at] = k1 * (1 - b + (b * at) / average);
    for (const part of parts) part.published = true;
    cached = { parts, entries, norms, k1, b };
    return cached;
  };

  return {
    replace(removed, added) {
      const kept = parts.filter((part) => !removed.includes(part.segment));
      const fresh = added.filter((segment) => segment.sizes.entries > 0).map(toPart);
      parts = [...kept, ...fresh].sort(
        (left, right) => (left.segment.rows[0] as number) - (right.segment.rows[0] as number),
      );
      cached = undefined;
    },
    remove(firstRow, lastRow) {
      let count = 0;
      parts = parts.map((given) => {
        const { segment } = given;
        const end = slotFrom(segment, lastRow + 1);
        let slot = slotFrom(segment, firstRow);
        while (slot < end && given.dead && hasBit(given.dead, slot)) slot++;
        if (slot >= end) return given;
        const part =
          given.published || !given.dead
            ? { ...given, dead: createSharedBitmap(segment.sizes.entries, given.dead), published: false }
            : given;
        for (; slot < end; slot++) {
          if (!setBit(part.dead as Bitmap, slot)) continue;
          part.deadCount++;
          part.length -= segment.lengths[slot] as number;
          count++;
        }
        return part;
      });
      if (count > 0) cached = undefined;
      return count;
    },
    segments: () => state().parts,
    count: (selection) => countEntries(state(), selection),
    holds: (term) => placesOf(state(), term).some((id, index) => id !== -1 && isLiving(parts[index] as Part, id)),
    frequency: (term, selection) => countLiving(state(), term, selection),
    selectRows(ranges) {
      const rows = createRowSelection(state());
      for (const [first, last] of ranges) rows.add(first, last);
      return rows.selection;
    },
    search: (query) => readHits(state(), searchProximate(state(), query)),
    state,
  };
}
