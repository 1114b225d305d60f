// Which neighbouring segments of an index should become one. Invariant: they follow one another, and those of the log begin with its first row.
import type { LiveSegment } from '../../engine/live-segment.ts';
import { maximumEntries, type Segment } from '../../engine/segment.ts';

export interface SealTiming {
  /** Entries in the log that are worth a segment of their own; sixteen of the default and a little make a full one. */
  readonly sealFrom: number;
  /** After this long without a change, segments with deleted entries are rewritten. */
  readonly quietMs: number;
}

export const ordinarySeals: SealTiming = { sealFrom: 3500, quietMs: 2000 };

const mergeFrom = 4;
/** Segments of the log, however small, that are sealed in quiet times. */
const quietLog = 8;
/** How much larger than what follows it a segment may be to be merged with it in quiet times. */
const quietRatio = 6;

export interface SegmentChoice {
  /** Whether the database holds it; the others are of the log. */
  isStored(segment: Segment): boolean;
  readonly sealFrom: number;
  readonly isQuiet: boolean;
  /** Deleted entries are to go now. Default: false. */
  readonly isPurging?: boolean;
}

const living = ({ segment, deadCount }: LiveSegment): number => segment.sizes.entries - deadCount;

/**
 * Those to merge now; empty: nothing to do. While documents come in, few segments of like size are merged, so that each chunk is copied seldom; in
 * quiet times, more, so that searches meet few of them.
 */
export function chooseSegments(
  parts: readonly LiveSegment[],
  { isStored, sealFrom, isQuiet, isPurging }: SegmentChoice,
): readonly LiveSegment[] {
  const log = parts.filter(({ segment }) => !isStored(segment));
  const logged = log.reduce((sum, part) => sum + living(part), 0);
  // Where none of it lives there is nothing to seal.
  if (logged >= sealFrom || (isQuiet && logged > 0 && log.length >= quietLog)) return upTo(log);
  const kept = parts.filter(({ segment }) => isStored(segment));
  const ratio = isQuiet ? quietRatio : 1.5;
  let entries = 0;
  const run: LiveSegment[] = [];
  for (const part of [...kept].reverse()) {
    if (run.length > 0 && (living(part) > entries * ratio || entries + living(part) > maximumEntries)) break;
    entries += living(part);
    run.unshift(part);
  }
  if (run.length >= (isQuiet ? 2 : mergeFrom)) return run;
  const mostlyDeleted = kept.find((part) => part.deadCount * 4 > part.segment.sizes.entries);
  if (mostlyDeleted) return [mostlyDeleted];
  const withDeletes = isQuiet || isPurging ? kept.find((part) => part.deadCount > 0) : undefined;
  return withDeletes ? [withDeletes] : [];
}

function upTo(parts: readonly LiveSegment[]): readonly LiveSegment[] {
  const run: LiveSegment[] = [];
  let entries = 0;
  for (const part of parts) {
    if (run.length > 0 && entries + living(part) > maximumEntries) break;
    entries += living(part);
    run.push(part);
  }
  return run;
}
