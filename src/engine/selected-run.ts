// Where the selected slots of a segment lie. Sources are brought one after another, so that what a selection leaves of a segment mostly is one
// run: postings outside of it need not be read, and inside a run without gaps no bit needs to be asked. Pure.
import type { Bitmap } from './bitmap.ts';
import type { Selection } from './query.ts';
import { postingFrom, type Segment } from './segment.ts';

/** From the first selected slot up to and without `end`; empty where both are 0. */
export interface SelectedRun {
  readonly first: number;
  readonly end: number;
  /** Every slot of the run is selected. */
  readonly isWhole: boolean;
}

const nothing: SelectedRun = { first: 0, end: 0, isWhole: true };
const everyBit = 0xffffffff;

/** The shortest run that holds every selected slot. */
export function runOf(selected: Bitmap): SelectedRun {
  let low = 0;
  let high = selected.length - 1;
  while (low <= high && selected[low] === 0) low += 1;
  if (low > high) return nothing;
  while (selected[high] === 0) high -= 1;
  const lowest = selected[low] as number;
  const highest = selected[high] as number;
  const skipped = 31 - Math.clz32(lowest & -lowest);
  const kept = 32 - Math.clz32(highest);
  const upper = (everyBit << skipped) >>> 0;
  const lower = kept === 32 ? everyBit : 2 ** kept - 1;
  let isWhole = low === high ? lowest === (upper & lower) >>> 0 : lowest === upper && highest === lower;
  for (let at = low + 1; isWhole && at < high; at++) isWhole = selected[at] === everyBit;
  return { first: low * 32 + skipped, end: high * 32 + kept, isWhole };
}

/** Nobody changes a selection that is searched with. */
const known = new WeakMap<Selection, readonly SelectedRun[]>();

/** One run for each segment. */
export function runsOf(selection: Selection): readonly SelectedRun[] {
  const runs = known.get(selection) ?? selection.map(runOf);
  known.set(selection, runs);
  return runs;
}

/** Places of a term's postings whose slots lie in a run, or of all of them. */
export function postingsIn(segment: Segment, term: number, run?: SelectedRun): readonly [from: number, to: number] {
  const from = segment.postingOffsets[term] as number;
  const to = segment.postingOffsets[term + 1] as number;
  if (run === undefined) return [from, to];
  const first = postingFrom(segment, run.first, from, to);
  return [first, postingFrom(segment, run.end, first, to)];
}
