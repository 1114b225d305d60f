// A segment with what was deleted from it since: the bits of the dead are all that ever changes beside a segment.
import { type Bitmap, hasBit } from './bitmap.ts';
import type { Segment } from './segment.ts';
import { postingsIn, type SelectedRun } from './selected-run.ts';

export interface LiveSegment {
  readonly segment: Segment;
  readonly dead: Bitmap | undefined;
  readonly deadCount: number;
}

/** The same as every thread of the process can read it. */
export interface SharedSegment {
  readonly bytes: Uint8Array<SharedArrayBuffer>;
  /** Bits of deleted slots. */
  readonly dead: Bitmap | undefined;
}

/** What a selection leaves of a segment. */
export interface SelectedPart {
  readonly selected: Bitmap;
  readonly run: SelectedRun;
}

/** Postings of a term whose entries live and, where there is a selection, belong to it. */
export function livingPostings({ segment, dead }: LiveSegment, term: number, part?: SelectedPart): number {
  const [from, to] = postingsIn(segment, term, part?.run);
  const selected = part?.run.isWhole ? undefined : part?.selected;
  if (dead === undefined && selected === undefined) return to - from;
  let count = 0;
  for (let at = from; at < to; at++) {
    const slot = segment.slots[at] as number;
    if ((dead === undefined || !hasBit(dead, slot)) && (selected === undefined || hasBit(selected, slot))) count++;
  }
  return count;
}

/** Whether a living entry holds the term. */
export function isLiving({ segment, dead }: LiveSegment, term: number): boolean {
  const to = segment.postingOffsets[term + 1] as number;
  for (let at = segment.postingOffsets[term] as number; at < to; at++)
    if (dead === undefined || !hasBit(dead, segment.slots[at] as number)) return true;
  return false;
}
