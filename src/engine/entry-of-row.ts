// Finds entries by row: what joins the vectors of an index, which know rows only, to its keys and groups.
import { hasBit } from './bitmap.ts';
import type { LiveSegment } from './live-segment.ts';
import type { SearchState } from './search-state.ts';
import { slotFrom } from './segment.ts';
import { compareStrings } from './strings.ts';

export interface EntryPlace {
  readonly part: number;
  readonly slot: number;
}

/** Where the entry of a row lies; undefined if there is none or it was deleted. */
export function entryOfRow({ parts }: Pick<SearchState, 'parts'>, row: number): EntryPlace | undefined {
  let low = 0;
  let high = parts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (((parts[middle] as LiveSegment).segment.rows[0] as number) <= row) low = middle;
    else high = middle - 1;
  }
  const found = parts[low];
  if (!found) return undefined;
  const slot = slotFrom(found.segment, row);
  if (found.segment.rows[slot] !== row || (found.dead !== undefined && hasBit(found.dead, slot))) return undefined;
  return { part: low, slot };
}

/** Whether the key of one row stands before that of another: the order of equal scores. Rows without an entry stand last. */
export function rowPrecedes(state: Pick<SearchState, 'parts'>, left: number, right: number): boolean {
  const one = entryOfRow(state, left);
  const other = entryOfRow(state, right);
  if (!one || !other) return one !== undefined || (other === undefined && left < right);
  const keysOf = ({ part }: EntryPlace) => (state.parts[part] as LiveSegment).segment.keys;
  return compareStrings(keysOf(one), one.slot, keysOf(other), other.slot) < 0;
}
