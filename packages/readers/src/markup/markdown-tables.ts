// Long tables of Markdown (GFM), found line by line in linear time and hidden from the full parser, which takes four kilobytes of memory for
// each cell: one of 120,000 cells, 700 KB as a file, would need more than a file may take. Invariant: what hides is as long as what it hides.
import type { Block } from '../document.ts';

/** Tables with fewer cells are left to the full parser. */
const manyCells = 1000;
const fence = /^ {0,3}(`{3,}|~{3,})/u;
const rowStart = /^ {0,3}\|/u;
const delimiterRow = /^[ \t|:-]+$/u;

export interface WithoutTables {
  /** The text with spaces in place of long tables. */
  readonly text: string;
  /** Their rows. */
  readonly rows: readonly Block[];
}

/** Only tables whose rows begin with a bar, as tools write them, outside of fenced code. */
export function hideLongTables(text: string): WithoutTables {
  const parts: string[] = [];
  const rows: Block[] = [];
  let kept = 0;
  let open: string | undefined;
  for (let start = 0; start < text.length; ) {
    const end = lineEnd(text, start);
    const first = text.charCodeAt(start);
    // Only lines that begin with a space, a bar or a fence can matter: all others cost nothing.
    if (first === 0x20 || first === 0x7c || first === 0x60 || first === 0x7e) {
      const mark = fence.exec(text.slice(start, Math.min(end, start + 200)))?.[1];
      if (mark !== undefined) {
        if (open === undefined) open = mark;
        else if (mark.startsWith(open)) open = undefined;
      } else if (open === undefined) {
        const table = tableAt(text, start, end);
        if (table !== undefined) {
          const [from, to] = [table[0]?.start ?? start, table.at(-1)?.end ?? end];
          parts.push(text.slice(kept, from), text.slice(from, to).replace(/[^\n]/g, ' '));
          rows.push(...table);
          kept = to;
          start = to + 1;
          continue;
        }
      }
    }
    start = end + 1;
  }
  return kept === 0 ? { text, rows } : { text: parts.join('') + text.slice(kept), rows };
}

/** The rows of the long table whose header stands there, the header first; undefined where there is none, or a short one. */
function tableAt(text: string, start: number, end: number): Block[] | undefined {
  if (!rowStart.test(text.slice(start, start + 4))) return undefined;
  const secondEnd = lineEnd(text, end + 1);
  const second = text.slice(end + 1, secondEnd);
  if (!delimiterRow.test(second) || !second.includes('-')) return undefined;
  const columns = cellsIn(text.slice(start, end));
  if (columns !== cellsIn(second)) return undefined;
  const rows: Block[] = [{ ...trimmed(text, start, end), kind: 'table-row', isHeader: true }];
  let last = secondEnd;
  while (last + 1 < text.length && rowStart.test(text.slice(last + 1, last + 5))) {
    const next = lineEnd(text, last + 1);
    rows.push({ ...trimmed(text, last + 1, next), kind: 'table-row' });
    last = next;
  }
  return columns * rows.length >= manyCells ? rows : undefined;
}

function lineEnd(text: string, start: number): number {
  const newline = text.indexOf('\n', start);
  return newline < 0 ? text.length : newline;
}

function trimmed(text: string, start: number, end: number): { readonly start: number; readonly end: number } {
  const line = text.slice(start, end);
  return { start: start + line.length - line.trimStart().length, end: start + line.trimEnd().length };
}

/** Bars that part cells, without those at both ends. */
function cellsIn(row: string): number {
  const line = row.trim();
  let bars = 0;
  for (let at = line.indexOf('|', 1); at >= 0; at = line.indexOf('|', at + 1)) if (line[at - 1] !== '\\') bars++;
  return line.endsWith('|') && !line.endsWith('\\|') ? bars : bars + 1;
}

/** Both sorted; rows that stand in a block of the others (a list, a quotation) are part of it. */
export function withTableRows(blocks: readonly Block[], rows: readonly Block[]): Block[] {
  if (rows.length === 0) return [...blocks];
  const merged: Block[] = [];
  let next = 0;
  let reached = 0;
  const addUntil = (limit: number): void => {
    for (let row = rows[next]; row !== undefined && row.start < limit; row = rows[++next])
      if (row.start >= reached) merged.push(row);
  };
  for (const block of blocks) {
    addUntil(block.start);
    merged.push(block);
    reached = Math.max(reached, block.end);
  }
  addUntil(Number.POSITIVE_INFINITY);
  return merged;
}
