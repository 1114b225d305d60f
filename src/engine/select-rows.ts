// The slots of rows, gathered range by range: one bitmap for each segment of a state.
import { type Bitmap, createSharedBitmap, setBits } from './bitmap.ts';
import type { Selection } from './query.ts';
import type { SearchState } from './search-state.ts';
import { slotFrom } from './segment.ts';

export interface RowSelection {
  readonly selection: Selection;
  /** Adds the rows of a range, both ends included. */
  add(first: number, last: number): void;
}

export function createRowSelection({ parts }: Pick<SearchState, 'parts'>): RowSelection {
  const selection = parts.map(({ segment }) => createSharedBitmap(segment.sizes.entries));
  const firstRows = Float64Array.from(parts, ({ segment }) => segment.rows[0] as number);
  return {
    selection,
    add(first, last) {
      let index = 0;
      for (let end = firstRows.length; index < end; ) {
        const middle = (index + end) >>> 1;
        if ((firstRows[middle] as number) <= first) index = middle + 1;
        else end = middle;
      }
      // The last segment that does not begin after the range does, and those that begin within it.
      for (index = Math.max(0, index - 1); index < firstRows.length && (firstRows[index] as number) <= last; index++) {
        const { segment } = parts[index] as (typeof parts)[number];
        setBits(selection[index] as Bitmap, slotFrom(segment, first), slotFrom(segment, last + 1));
      }
    },
  };
}
