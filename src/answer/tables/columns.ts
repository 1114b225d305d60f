// Names the columns of a row whose cells are parted by bars: by the line that Markdown draws under them, else by rows of words or years at the
// top of the table over rows with figures. Invariant: where two headers could be meant, or the top of the table is not seen, there is none.
import { isFigure, isYear } from '../../text/quantities/table-figures.ts';
import { barCells, type Columns, isBarRow, isDelimiterRow, isFieldLine } from './rows.ts';

/** So much text above a row is looked at; a table with more above the row has no header as far as we can tell. */
const farthestHeader = 60_000;
const mostHeaderRows = 3;
const longestCell = 120;

/** Whether a line may name columns: words, and of figures only years. */
export function mayNameColumns(line: string): boolean {
  if (!isBarRow(line)) return !/\d/u.test(line) && !isFieldLine(line);
  return barCells(line, false).every((cell) => !/\d/u.test(cell) || isYear(cell));
}

const filled = (cells: readonly string[]): number => cells.filter((cell) => cell !== '').length;
const hasFigure = (cells: readonly string[]): boolean => cells.some(isFigure);

/** The names of the columns of the row that begins at `start` of a document's text; undefined where they cannot be told. */
export function columnsAbove(text: string, start: number): Columns | undefined {
  const lineEnd = text.indexOf('\n', start);
  const row = text.slice(start, lineEnd < 0 ? text.length : lineEnd);
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  if (!isBarRow(row) || text.slice(lineStart, start).trim() !== '') return undefined;
  // A line that is cut would be another row, or none, and end the table.
  const from = lineStart <= farthestHeader ? 0 : text.indexOf('\n', lineStart - farthestHeader - 1) + 1;
  const above = text.slice(from, lineStart).split('\n');
  above.pop();
  const table: string[] = [];
  let isTop = from === 0;
  for (let line = above.pop(); line !== undefined; line = above.pop()) {
    if (line.trim() === '' || !isBarRow(line)) {
      isTop = true;
      if (line.trim() === '') table.push(...headerApart(above, [...table.toReversed(), row]));
      break;
    }
    table.push(line);
  }
  table.reverse();
  const marks = table.flatMap((line, at) => (isDelimiterRow(line) ? [at] : []));
  if (marks.length > 0) {
    // Of two marked headers the lower one may be a row of dashes.
    const mark = marks[0] as number;
    return marks.length === 1 && mark === 1
      ? { names: barCells(table[0] as string, true), isMarkdown: true }
      : undefined;
  }
  const named = isTop
    ? unmarked(
        table.map((line) => barCells(line, false)),
        barCells(row, false),
      )
    : undefined;
  const cells = table.map((line) => barCells(line, false));
  return named ?? (isTop ? cornered(cells, barCells(row, false)) : undefined);
}

/** Nothing stands over the labels of the rows, and a name over each other cell: "| Germany | France" over "Capital | Berlin | Paris". */
function cornered([header, ...table]: readonly (readonly string[])[], row: readonly string[]): Columns | undefined {
  if (header?.[0] !== '' || header.length < 3 || header.length !== row.length) return undefined;
  const isNamed = header.slice(1).every((cell) => /\p{L}/u.test(cell) && !isFigure(cell) && cell.length <= longestCell);
  const isWhole = row.every((cell) => cell !== '') && /\p{L}/u.test(row[0] ?? '');
  if (!isNamed || !isWhole || table.some(([first]) => first === '')) return undefined;
  return { names: header, isMarkdown: false };
}

/** HTML may part the header from the rows: as many names as the rows have cells, without figures, over rows that begin with figures. */
function headerApart(above: readonly string[], rows: readonly string[]): string[] {
  const line = above.at(-1) ?? '';
  const before = above.at(-2) ?? '';
  if (!isBarRow(line) || isDelimiterRow(line) || !mayNameColumns(line) || isBarRow(before)) return [];
  const widths = rows.filter((row) => !isDelimiterRow(row)).map((row) => barCells(row, false).length);
  const fits = Math.max(...widths) === barCells(line, false).length && hasFigure(barCells(rows[0] as string, false));
  return fits && barCells(line, false).every((cell) => cell !== '') ? [line] : [];
}

/** Words and years at the top, with figures in the rows under them, and no second such row between them and ours. */
function unmarked(table: readonly (readonly string[])[], row: readonly string[]): Columns | undefined {
  const first = [...table, row].findIndex(hasFigure);
  if (first < 1 || first > mostHeaderRows || first > table.length) return undefined;
  const header = table.slice(0, first);
  if (
    !header.some((cells) => filled(cells) >= 2) ||
    header.some((cells) => cells.some((cell) => cell.length > longestCell))
  )
    return undefined;
  const below = [...table.slice(first), row];
  if (below.some((cells) => !hasFigure(cells) && filled(cells) >= 2)) return undefined;
  const width = Math.max(...header.map((cells) => cells.length));
  const names = Array.from({ length: width }, (_, column) =>
    header
      .map((cells) => cells[column] ?? '')
      .filter((cell, at, all) => cell !== '' && cell !== all[at - 1])
      .join(' '),
  );
  return { names, isMarkdown: false };
}
