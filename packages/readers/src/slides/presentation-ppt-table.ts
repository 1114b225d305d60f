// Tables of PowerPoint 97–2003, which are groups of shapes: rows and columns show from where their cells stand. Invariant: no table costs more than its cells
// or `maxRows` × `maxColumns`, whatever the places say.

import { createTableGrid, type GridCell } from '../canonical/table-grid.ts';
import type { ShapeBox } from '../office/presentation-order.ts';
import type { SlideLine } from '../office/presentation-slide.ts';

export interface PptCell {
  readonly text: string;
  readonly box: ShapeBox;
}

const maxRows = 1000;
const maxColumns = 200;
/** Master units (576 to the inch) within which edges are one. */
const sameEdge = 4;

export function pptTableLines(cells: readonly PptCell[]): SlideLine[] {
  const rows = edgesOf(cells.map(({ box }) => box.y)).slice(0, maxRows);
  const columns = edgesOf(cells.map(({ box }) => box.x)).slice(0, maxColumns);
  const covering = new Map<number, { readonly texts: string[]; readonly row: number }>();
  const key = (row: number, column: number): number => row * maxColumns + column;
  for (const cell of cells) {
    const { x, y, width, height } = cell.box;
    const [top, left] = [placeOf(rows, y), placeOf(columns, x)];
    const [bottom, right] = [placeOf(rows, y + height - 2 * sameEdge), placeOf(columns, x + width - 2 * sameEdge)];
    // Cells do not overlap: a place that is taken ends one, and one that begins there is said with the other.
    const taken = covering.get(key(top, left));
    if (taken !== undefined) {
      if (cell.text !== '') taken.texts.push(cell.text);
      continue;
    }
    const placed = { texts: [cell.text], row: top };
    for (let row = top; row <= Math.max(top, bottom) && !covering.has(key(row, left)); row++)
      for (let column = left; column <= Math.max(left, right) && !covering.has(key(row, column)); column++)
        covering.set(key(row, column), placed);
  }
  const grid = createTableGrid();
  return rows.flatMap((_, row) => {
    const line: GridCell[] = [];
    for (let column = 0; column < columns.length; ) {
      const found = covering.get(key(row, column));
      let end = column + 1;
      while (found !== undefined && end < columns.length && covering.get(key(row, end)) === found) end++;
      const isBegun = found?.row === row;
      line.push({
        text: isBegun ? (found?.texts.join(' ').trim() ?? '') : '',
        columns: end - column,
        continues: found !== undefined && !isBegun,
      });
      column = end;
    }
    const text = grid.line(line);
    return text === '' ? [] : [{ kind: 'table-row', text } as const];
  });
}

/** Each edge once, in order. */
function edgesOf(values: readonly number[]): number[] {
  const edges: number[] = [];
  for (const value of values.toSorted((a, b) => a - b))
    if (value - (edges.at(-1) ?? Number.NEGATIVE_INFINITY) > sameEdge) edges.push(value);
  return edges;
}

/** The last edge at or before a value. */
function placeOf(edges: readonly number[], value: number): number {
  let low = 0;
  let high = edges.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((edges[middle] as number) <= value + sameEdge) low = middle;
    else high = middle - 1;
  }
  return low;
}
