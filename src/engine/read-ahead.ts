// What hits need lies all over memory, and each read that misses the caches costs as much as scoring fifty postings. Reads that do
// not depend on each other overlap in the processor; so before hits are worked on one after another, one byte of each
// cache line that they will need is read in short loops. Changes no result; a search from cold caches takes half as long.
import { partOf, slotOf } from './references.ts';
import type { SearchState } from './search-state.ts';
import type { Segment } from './segment.ts';

/** Takes what was read, so that no compiler leaves the reading out. */
const sink = new Float64Array(1);
/** Tokens of two bytes on a cache line of 64. */
const tokensOnLine = 32;

function locate({ parts }: SearchState, references: Float64Array) {
  const segments: Segment[] = [];
  const slots = new Uint16Array(references.length);
  for (let place = 0; place < references.length; place++) {
    const reference = references[place] as number;
    slots[place] = slotOf(reference);
    segments.push(parts[partOf(reference)]?.segment as Segment);
  }
  return { segments, slots };
}

/** Before the keys and groups of entries are read. */
export function readKeysAhead(state: SearchState, references: Float64Array): void {
  const { segments, slots } = locate(state, references);
  let sum = 0;
  for (let place = 0; place < slots.length; place++) {
    const { keys, groupOf } = segments[place] as Segment;
    const slot = slots[place] as number;
    sum += (keys.offsets[slot] as number) + (groupOf[slot] as number);
  }
  for (let place = 0; place < slots.length; place++) {
    const { keys, groups, groupOf } = segments[place] as Segment;
    const slot = slots[place] as number;
    sum += (keys.bytes[keys.offsets[slot] as number] as number) + (groups.offsets[groupOf[slot] as number] as number);
  }
  for (let place = 0; place < slots.length; place++) {
    const { groups, groupOf } = segments[place] as Segment;
    sum += groups.bytes[groups.offsets[groupOf[slots[place] as number] as number] as number] as number;
  }
  sink[0] = sum;
}

/** Before the tokens of entries are walked along. */
export function readTokensAhead(state: SearchState, references: Float64Array): void {
  const { segments, slots } = locate(state, references);
  let sum = 0;
  for (let place = 0; place < slots.length; place++)
    sum += (segments[place] as Segment).tokenOffsets[slots[place] as number] as number;
  for (let place = 0; place < slots.length; place++) {
    const { tokensLow, tokensHigh, tokenOffsets } = segments[place] as Segment;
    const slot = slots[place] as number;
    const end = tokenOffsets[slot + 1] as number;
    for (let at = tokenOffsets[slot] as number; at < end; at += tokensOnLine)
      sum += (tokensLow[at] as number) + (tokensHigh[at] as number);
  }
  sink[0] = sum;
}
