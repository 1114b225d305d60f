// Rows of DOC and RTF, which know of a cell where it ends (twentieths of a point) and whether it goes on from above, as rows of a grid (table-grid.ts): how many
// columns a cell takes shows from the edges of all rows. Invariant: a row whose edges do not fit its cells is written cell by cell.
import { createTableGrid } from './table-grid.ts';

export interface CellEdges {
  /** Of the row, from left to right: one more than cells. */
  readonly edges: readonly number[];
  /** By cell: it goes on from the row above. */
  readonly continues: readonly boolean[];
  /** By cell: it is one with the cell before it. */
  readonly isJoined: readonly boolean[];
  /** The row is said again on every page. */
  readonly isHeader: boolean;
}

export interface EdgedRow {
  readonly texts: readonly string[];
  readonly known?: CellEdges | undefined;
}

/** Edges that are so close are one: programs round, and set rows a little apart. */
const sameEdge = 120;

/** Each row as one line, '' for an empty one. */
function linesOfRows(rows: readonly EdgedRow[]): string[] {
  const all = rows.flatMap(({ known }) => known?.edges ?? []).sort((a, b) => a - b);
  // The place of each edge among those that differ.
  const places = new Map<number, number>();
  let start = Number.NEGATIVE_INFINITY;
  let place = -1;
  for (const edge of all) {
    if (edge - start > sameEdge) {
      start = edge;
      place++;
    }
    places.set(edge, place);
  }
  const placeOf = (edge: number | undefined): number => places.get(edge ?? 0) ?? 0;
  const grid = createTableGrid();
  return rows.map(({ texts, known }) => {
    if (known?.edges.length !== texts.length + 1)
      return grid.line(texts.map((text) => ({ text, columns: 1, continues: false })));
    const cells: { text: string; columns: number; continues: boolean }[] = [];
    for (const [index, text] of texts.entries()) {
      const columns = Math.max(1, placeOf(known.edges[index + 1]) - placeOf(known.edges[index]));
      const before = cells.at(-1);
      if (known.isJoined[index] && before !== undefined) {
        before.columns += columns;
        before.text = `${before.text} ${text}`.trim();
      } else cells.push({ text, columns, continues: known.continues[index] ?? false });
    }
    return grid.line(cells, { isHeader: known.isHeader, freeColumns: placeOf(known.edges[0]) });
  });
}

export interface TableRows {
  /** With the keys of the pictures that the row shows. */
  add(row: EdgedRow, pictures: readonly string[]): void;
  /** Writes the rows that wait. */
  end(): void;
}

/** Rows wait for the end of their table. */
export function createTableRows(write: (line: string, pictures: readonly string[]) => void): TableRows {
  let waiting: { readonly row: EdgedRow; readonly pictures: readonly string[] }[] = [];
  return {
    add(row, pictures) {
      if (row.texts.length > 0 || pictures.length > 0) waiting.push({ row, pictures });
    },
    end() {
      const lines = linesOfRows(waiting.map(({ row }) => row));
      const rows = waiting;
      waiting = [];
      for (const [index, line] of lines.entries()) write(line, rows[index]?.pictures ?? []);
    },
  };
}
