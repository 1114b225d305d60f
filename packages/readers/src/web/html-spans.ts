// The cells of each row of an HTML table as its columns have them (HTML §4.9.12): one over several columns leaves the others of them empty, one over
// several rows is read for each of these, so that every figure stays under its header. Invariant: what it adds is bounded, whatever the spans say.
import type { DefaultTreeAdapterTypes } from 'parse5';
import { createTableGrid, type GridCell, headerLevels } from '../canonical/table-grid.ts';

type Element = DefaultTreeAdapterTypes.Element;

/** Undefined is an empty one. */
type RowCell = Element | undefined;

const maxColumns = 200;
const maxAdded = 50_000;
/** A longer text would be said too often. */
const maxRepeated = 200;

const isElement = (node: DefaultTreeAdapterTypes.ChildNode): node is Element => 'tagName' in node;

/** Gives the cells of a row with those that reach into it; undefined where no cell of its table spans, so that the row's children are its cells. */
export function spannedRows(): (table: Element, row: Element) => readonly RowCell[] | undefined {
  const known = new WeakMap<Element, ReadonlyMap<Element, readonly RowCell[]>>();
  return (table, row) => {
    let rows = known.get(table);
    if (rows === undefined) {
      rows = rowsOf(table);
      known.set(table, rows);
    }
    return rows.get(row);
  };
}

/** So much of titles is written before the cells of a page; rows after that stay without. */
const maxTitles = 5_000_000;

/**
 * Gives the titles of the columns of a row below a header of several levels, such as "Weekend Last"; undefined for any other row, whose header stands above
 * it once. `isHeader`: whether the page marks a row as one.
 */
export function leveledTitles(
  spanned: ReturnType<typeof spannedRows>,
  isHeader: (row: Element) => boolean,
): (table: Element, row: Element) => readonly string[] | undefined {
  const known = new WeakMap<
    Element,
    { readonly titles: readonly string[]; readonly head: ReadonlySet<Element> } | undefined
  >();
  let written = 0;
  const read = (table: Element) => {
    const rows = [table, ...table.childNodes.filter(isElement)]
      .filter((part) => part === table || /^(?:thead|tbody)$/.test(part.tagName))
      .flatMap((part) => part.childNodes.filter((node): node is Element => isElement(node) && node.tagName === 'tr'));
    const marked = rows.findIndex((row) => !isHeader(row));
    // Most tables have one row above the others, and no cell over several columns.
    if (marked < 2 && spanned(table, rows[0] ?? table) === undefined) return undefined;
    const cells = rows.map((row) => gridCells(spanned(table, row) ?? row.childNodes.filter(isCell)));
    const levels = Math.max(marked, headerLevels(cells));
    if (levels < 2 || levels > 4) return undefined;
    const grid = createTableGrid();
    for (const row of cells.slice(0, levels)) grid.line(row, { isHeader: true });
    const titles = grid.titles();
    return titles.filter((title) => title !== '').length < 2
      ? undefined
      : { titles, head: new Set(rows.slice(0, levels)) };
  };
  return (table, row) => {
    if (!known.has(table)) known.set(table, read(table));
    const found = known.get(table);
    if (found === undefined || found.head.has(row) || written > maxTitles) return undefined;
    written += found.titles.reduce((sum, { length }) => sum + length, 0);
    return found.titles;
  };
}

const isCell = (node: DefaultTreeAdapterTypes.ChildNode): node is Element =>
  isElement(node) && (node.tagName === 'td' || node.tagName === 'th');

/** The columns that a cell leaves empty behind it are its own. */
function gridCells(row: readonly RowCell[]): GridCell[] {
  const cells: { text: string; columns: number; continues: boolean }[] = [];
  for (const cell of row) {
    const last = cells.at(-1);
    if (cell === undefined && last) last.columns++;
    else cells.push({ text: cell === undefined ? '' : textOf(cell), columns: 1, continues: false });
  }
  return cells;
}

/** Up to a little more than a title has. */
function textOf(cell: Element): string {
  let text = '';
  const pending: DefaultTreeAdapterTypes.ChildNode[] = [cell];
  for (let node = pending.pop(); node !== undefined && text.length <= maxRepeated; node = pending.pop()) {
    if ('value' in node) text += ` ${node.value}`;
    else if ('childNodes' in node) pending.push(...node.childNodes.slice(0, maxRepeated).reverse());
  }
  return text.replace(/\s+/gu, ' ').trim();
}

function rowsOf(table: Element): ReadonlyMap<Element, readonly RowCell[]> {
  const found = new Map<Element, readonly RowCell[]>();
  let added = 0;
  let hasSpans = false;
  // A cell ends with its part of the table.
  for (const part of [table, ...table.childNodes.filter(isElement)]) {
    if (part !== table && !/^(?:thead|tbody|tfoot)$/.test(part.tagName)) continue;
    const carried: ({ readonly cell: RowCell; left: number } | undefined)[] = [];
    for (const row of part.childNodes.filter(isElement)) {
      if (row.tagName !== 'tr') continue;
      const cells: RowCell[] = [];
      const takeCarried = (): void => {
        for (let above = carried[cells.length]; above !== undefined && above.left > 0; above = carried[cells.length]) {
          above.left--;
          added++;
          cells.push(above.cell);
        }
      };
      for (const cell of row.childNodes.filter(isElement)) {
        if (cell.tagName !== 'td' && cell.tagName !== 'th') continue;
        takeCarried();
        const first = cells.length;
        const columns = spanOf(cell, 'colspan');
        const rows = spanOf(cell, 'rowspan');
        hasSpans ||= columns > 1 || rows > 1;
        cells.push(cell, ...new Array<RowCell>(Math.max(0, Math.min(columns, maxColumns - first) - 1)).fill(undefined));
        added += columns - 1;
        const again = rows > 1 && textLength(cell) <= maxRepeated ? cell : undefined;
        for (let column = first; column < cells.length; column++)
          carried[column] = rows > 1 ? { cell: column === first ? again : undefined, left: rows - 1 } : undefined;
        if (added > maxAdded) return new Map();
      }
      takeCarried();
      // Of rows that have no cells of their own, too.
      if (added > maxAdded) return new Map();
      found.set(row, cells);
    }
  }
  return hasSpans ? found : new Map();
}

/** To the end of its part for 0. */
function spanOf(cell: Element, name: 'colspan' | 'rowspan'): number {
  const said = Number.parseInt(cell.attrs.find((one) => one.name === name)?.value ?? '1', 10);
  if (name === 'rowspan' && said === 0) return 65_534;
  return said >= 1 ? Math.min(said, name === 'colspan' ? 1000 : 65_534) : 1;
}

/** Up to a little more than what may be repeated. */
function textLength(cell: Element): number {
  let length = 0;
  const pending: DefaultTreeAdapterTypes.ChildNode[] = [cell];
  for (let node = pending.pop(); node !== undefined && length <= maxRepeated; node = pending.pop()) {
    if ('value' in node) length += node.value.trim().length;
    else if ('childNodes' in node) pending.push(...node.childNodes.slice(0, maxRepeated));
  }
  return length;
}
