// Joins parts into one without their dead, in the order of rows.
import { hasBit } from '../bitmap.ts';
import { createPart, type GrowingPart, type PartOptions, slotFrom, type VectorPart } from './vector-part.ts';

/** The part's bits are not written yet. */
export function mergeParts(parts: readonly VectorPart[], options: PartOptions): GrowingPart {
  const merged = createPart(options);
  const heads = parts.map((part) => ({ part, slot: 0 }));
  const rowAt = ({ part, slot }: { part: VectorPart; slot: number }): number =>
    part.rows[slot] ?? Number.POSITIVE_INFINITY;
  for (;;) {
    let least = heads[0];
    let following = Number.POSITIVE_INFINITY;
    for (const head of heads.slice(1)) {
      if (least === undefined || rowAt(head) < rowAt(least)) {
        following = least === undefined ? following : rowAt(least);
        least = head;
      } else following = Math.min(following, rowAt(head));
    }
    if (least === undefined || rowAt(least) === Number.POSITIVE_INFINITY) return merged;
    // All that one part has before the next part's row goes over at once.
    const end = slotFrom(least.part.rows, following, least.slot);
    appendLiving(merged, least.part, { first: least.slot, end });
    least.slot = end;
  }
}

function appendLiving(merged: GrowingPart, part: VectorPart, range: { first: number; end: number }): void {
  const { dead } = part;
  let first = range.first;
  while (first < range.end) {
    if (dead !== undefined && hasBit(dead, first)) {
      first++;
      continue;
    }
    let end = first + 1;
    while (end < range.end && (dead === undefined || !hasBit(dead, end))) end++;
    merged.appendFrom(part, first, end);
    first = end;
  }
}
