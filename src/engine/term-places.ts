// Where a term stands in the dictionaries of a state, remembered as long as the state: a search asks several times, and each
// binary search over a large dictionary costs more than a map.
import { type Bitmap, countBits } from './bitmap.ts';
import { livingPostings } from './live-segment.ts';
import type { Selection } from './query.ts';
import type { SearchState } from './search-state.ts';
import { postingsIn, runsOf } from './selected-run.ts';
import { encode, findString } from './strings.ts';

const keptTerms = 4096;
const known = new WeakMap<SearchState['parts'], Map<string, readonly number[]>>();

/** The term's id in each segment, or -1. */
export function placesOf(state: SearchState, term: string): readonly number[] {
  let places = known.get(state.parts);
  if (!places || places.size >= keptTerms) {
    places = new Map();
    known.set(state.parts, places);
  }
  const present = places.get(term);
  if (present) return present;
  const key = encode(term);
  const found = state.parts.map(({ segment }) => findString(segment.terms, key));
  places.set(term, found);
  return found;
}

/** Postings of the term, those of the dead too, all or those near a selection: what a scan costs. */
export function countPostings(state: SearchState, term: string, selection?: Selection): number {
  let count = 0;
  for (const [part, { segment }] of state.parts.entries()) {
    const id = placesOf(state, term)[part] ?? -1;
    if (id === -1) continue;
    const [from, to] = postingsIn(segment, id, selection && runsOf(selection)[part]);
    count += to - from;
  }
  return count;
}

/** Living entries that hold the term, all or those of a selection. */
export function countLiving(state: SearchState, term: string, selection?: Selection): number {
  let count = 0;
  const runs = selection && runsOf(selection);
  for (const [part, id] of placesOf(state, term).entries()) {
    const live = state.parts[part];
    const selected = selection?.[part];
    const run = runs?.[part];
    if (id !== -1 && live) count += livingPostings(live, id, selected && run && { selected, run });
  }
  return count;
}

/** Living entries, all or those of a selection. */
export function countEntries({ parts, entries }: SearchState, selection?: Selection): number {
  if (selection === undefined) return entries;
  return parts.reduce((sum, { dead }, index) => {
    const selected = selection[index] as Bitmap;
    return sum + countBits(dead ? selected.map((word, at) => word & ~(dead[at] ?? 0)) : selected);
  }, 0);
}
