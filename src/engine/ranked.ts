// What a search found, as parallel arrays of places in the state that was searched: cheap to make, to order anew and to send to
// another thread. Keys are read last and for the wanted places only.
import { readKeysAhead } from './read-ahead.ts';
import { partOf, segmentOf, slotOf } from './references.ts';
import type { SearchState } from './search-state.ts';
import { stringAt } from './strings.ts';

export interface LexicalHit {
  readonly key: string;
  readonly group: string;
  /** BM25 and what proximity adds. */
  readonly score: number;
  readonly bm25: number;
  /** Where it lies: the segment's place and the slot. Valid until the index changes. */
  readonly part: number;
  readonly slot: number;
}

/** Best first. */
export interface RankedEntries {
  readonly references: Float64Array;
  readonly scores: Float64Array;
  readonly bm25: Float64Array;
}

export const noEntries: RankedEntries = {
  references: new Float64Array(0),
  scores: new Float64Array(0),
  bm25: new Float64Array(0),
};

/** The hits of a state that was searched. */
export function readHits(state: SearchState, { references, scores, bm25 }: RankedEntries): readonly LexicalHit[] {
  readKeysAhead(state, references);
  const hits: LexicalHit[] = [];
  for (let place = 0; place < references.length; place++) {
    const reference = references[place] as number;
    const slot = slotOf(reference);
    const { keys, groups, groupOf } = segmentOf(state, reference);
    hits.push({
      key: stringAt(keys, slot),
      group: stringAt(groups, groupOf[slot] as number),
      score: scores[place] as number,
      bm25: bm25[place] as number,
      part: partOf(reference),
      slot,
    });
  }
  return hits;
}
