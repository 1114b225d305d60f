// An entry of a state as one number of 32 bits, its part's place and its slot in it: `part * partEntries + slot`. Valid for that state.
import type { LiveSegment } from './live-segment.ts';
import type { LexicalPlace } from './query.ts';
import type { SearchState } from './search-state.ts';
import type { Segment } from './segment.ts';
import { compareAt, compareStrings, encode } from './strings.ts';

/** More than any part has slots. */
export const partEntries = 65_536;

export function partOf(reference: number): number {
  return reference >>> 16;
}

export function slotOf(reference: number): number {
  return reference & 0xffff;
}

export function segmentOf({ parts }: SearchState, reference: number): Segment {
  return (parts[partOf(reference)] as LiveSegment).segment;
}

/** Order of the keys of two entries, by code points. */
export function compareKeys(state: SearchState, left: number, right: number): number {
  const one = segmentOf(state, left);
  const other = segmentOf(state, right);
  if (one === other) return (one.keyRanks[slotOf(left)] as number) - (one.keyRanks[slotOf(right)] as number);
  return compareStrings(one.keys, slotOf(left), other.keys, slotOf(right));
}

/** Whether an entry with this score comes after a place in the ranking. */
export function createAfter(state: SearchState, after: LexicalPlace): (reference: number, score: number) => boolean {
  const key = encode(after.key);
  return (reference, score) => {
    if (score !== after.score) return score < after.score;
    return compareAt(segmentOf(state, reference).keys, slotOf(reference), key) > 0;
  };
}
