// Reads the rows of tables and the records in a quote as cells with the names of their columns, as the parsers write them: "name: value;
// name: value" on one line, "name: value" line by line, or cells parted by bars under names that stand above. Invariant: a cell is named by
// its own column or not at all; where the columns cannot be told, there is no row.
import { withoutAnchors } from '../../text/anchors.ts';
import { withSingleBlanks } from '../../text/one-line.ts';
import { segmentSentences } from '../../text/sentences.ts';

/** `name` is '' where none is known. */
export interface Cell {
  readonly name: string;
  readonly value: string;
}

/** What names the cells of rows that are parted by bars. */
export interface Columns {
  readonly names: readonly string[];
  /** The header is marked as Markdown marks it: rows may begin and end with a bar. */
  readonly isMarkdown: boolean;
}

export interface Row {
  /** In their order; the first one is what the row is called by, unless `heading` is. */
  readonly cells: readonly Cell[];
  /** The line that stands over a record: the name of a person over the lines of a card. */
  readonly heading?: string;
  readonly text: string;
}

const mostCells = 200;
const mostRows = 400;
/** Longer values are prose, in which a colon names nothing. */
const mostValueWords = 25;
const longestHeading = 160;

const keyed = /^([^:;|\n]{1,100}?):[ \t]+(\S.*)$/u;
/** Where the next field of a line begins: `; name: `. */
const nextField = /;[ \t]+(?=[^:;|\n]{1,100}?:[ \t]+\S)/u;
/** A bar between cells stands apart from their words. */
const bar = /(?<=\s)\|(?=\s)/u;
const delimiterCell = /^:?-+:?$/u;

/** Whether the line is a row whose cells are parted by bars. */
export function isBarRow(line: string): boolean {
  const trimmed = line.trim();
  if (trimmed.length > 2 && trimmed.startsWith('|') && trimmed.endsWith('|')) return true;
  return bar.test(` ${trimmed} `);
}

/** The line between the names of the columns and the rows in Markdown. */
export function isDelimiterRow(line: string): boolean {
  if (!line.includes('|') || !/^[\s|:-]+$/u.test(line)) return false;
  return barCells(line, true).every((cell) => delimiterCell.test(cell));
}

/**
 * The cells of a row. In Markdown a bar may stand before the first and behind the last cell; elsewhere one before the first says that the first
 * cell is empty.
 */
export function barCells(line: string, isMarkdown: boolean): string[] {
  let row = withoutAnchors(line).trim();
  const isFramed = row.length > 2 && row.startsWith('|') && /(?<!\\)\|$/u.test(row);
  if (isMarkdown || isFramed) row = row.replace(/^\|/u, '').replace(/(?<!\\)\|$/u, '');
  return (isMarkdown || isFramed ? row.split(/(?<!\\)\|/u) : ` ${row} `.split(bar)).map((cell) =>
    cell.replace(/\s+/gu, ' ').trim(),
  );
}

/** Cells under their names; undefined where there are more of them than names. */
function underColumns(values: readonly string[], columns: readonly string[]): readonly Cell[] | undefined {
  if (values.length > columns.length || values.length > mostCells) return undefined;
  return values.flatMap((value, at) => (value === '' ? [] : [{ name: columns[at] ?? '', value }]));
}

/** The fields of a line "name: value; name: value"; undefined for other lines. */
function fieldsOf(line: string): readonly Cell[] | undefined {
  const parts = line.split(nextField);
  if (parts.length > mostCells) return undefined;
  const cells: Cell[] = [];
  for (const part of parts) {
    const [, name, value] = keyed.exec(part.trim()) ?? [];
    if (name !== undefined && value !== undefined) cells.push({ name: name.trim(), value: withSingleBlanks(value) });
    // The parsers write a cell without a name alone: the first one of a line that may stand before its first field.
    else return undefined;
  }
  return cells;
}

/** The first cell has no title: "Q350; Salinity: 5.6". */
function unnamedFirst(line: string): readonly Cell[] | undefined {
  const at = line.search(nextField);
  if (at < 1) return undefined;
  const first = line.slice(0, at).trim();
  const rest = fieldsOf(line.slice(at + 1).trim());
  if (rest === undefined || first.includes(';') || keyed.test(first)) return undefined;
  return [{ name: '', value: withSingleBlanks(first) }, ...rest];
}

const isShort = ({ value }: Cell): boolean => value.split(/\s+/u).length <= mostValueWords;

/** The cells of one line that holds several, without what stands around it; undefined for a line of prose. */
function recordOf(line: string): readonly Cell[] | undefined {
  const cells = fieldsOf(line) ?? unnamedFirst(line);
  return cells !== undefined && cells.length >= 2 && cells.every(isShort) ? cells : undefined;
}

interface Line {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** A blank line stands before it; two or more say that it comes from elsewhere. */
  readonly blanks: number;
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let blanks = 0;
  let from = 0;
  for (const line of text.split('\n')) {
    const trimmed = line.trim();
    const start = from + line.length - line.trimStart().length;
    from += line.length + 1;
    if (trimmed === '') blanks += 1;
    else {
      lines.push({ text: trimmed, start, end: start + trimmed.length, blanks });
      blanks = 0;
    }
  }
  return lines;
}

const none: Columns = { names: [], isMarkdown: false };

/** Every row and record of a text. `columns` name those cells parted by bars whose header does not stand in the text itself. */
export function rowsOf(text: string, columns?: Columns): Row[] {
  const rows: Row[] = [];
  const lines = linesOf(text);
  let { names, isMarkdown }: Columns = columns ?? none;
  for (let at = 0; at < lines.length && rows.length < mostRows; at += 1) {
    const { text: line, blanks } = lines[at] as Line;
    // The names hold for the table in which the text begins.
    if (at > 0 && blanks > 0) ({ names, isMarkdown } = none);
    if (isBarRow(line)) {
      const below = lines[at + 1];
      if (below !== undefined && below.blanks === 0 && isDelimiterRow(below.text)) {
        [names, isMarkdown] = [barCells(line, true), true];
        at += 1;
        continue;
      }
      const cells = names.length < 2 ? undefined : underColumns(barCells(line, isMarkdown), names);
      if (cells !== undefined && cells.length >= 2) rows.push({ cells, text: line });
      continue;
    }
    names = [];
    const record = recordOf(line);
    if (record !== undefined) {
      rows.push({ cells: record, text: line });
      continue;
    }
    const block = blockOf(lines, at);
    if (block.row) rows.push(block.row);
    at = Math.max(at, block.last);
  }
  return rows;
}

/** What a name does not hold, and a clause before a colon does. */
const predicate = /\b(?:is|are|was|were|has|have|had|can|will|must|may|should|does|do|ist|sind|war|hat|est|sont)\b/iu;

/** "Backoff is a way of spacing retries: the wait doubles. Without it …" is no field. */
const isProse = ({ name, value }: Cell): boolean => predicate.test(name) || segmentSentences(value).length > 1;

interface LineBlock {
  /** Undefined: the lines are no record. */
  readonly row: Row | undefined;
  /** The last of the lines that were looked at; less than the first where that is no field. */
  readonly last: number;
}

/** Lines "name: value" that stand together, with the line over them that names them all. */
function blockOf(lines: readonly Line[], from: number): LineBlock {
  const cells: Cell[] = [];
  let last = from - 1;
  for (let at = from; at < lines.length; at += 1) {
    const { text, blanks } = lines[at] as Line;
    if (at > from && blanks > 0) break;
    const [, name, value] = keyed.exec(text) ?? [];
    // A line of several fields is a record of its own.
    if (name === undefined || value === undefined || recordOf(text) !== undefined) break;
    cells.push({ name: name.trim(), value: withSingleBlanks(value) });
    last = at;
  }
  if (cells.length === 0 || cells.length > mostCells || !cells.every(isShort)) return { row: undefined, last };
  const above = lines[from - 1];
  const isHeading =
    above !== undefined &&
    lines[from]?.blanks === 1 &&
    above.text.length <= longestHeading &&
    !/[!?:;|]|\.$/u.test(above.text) &&
    segmentSentences(above.text).length < 2 &&
    (from === 1 || above.blanks > 0);
  if (cells.length < 2 && (!isHeading || cells.some(isProse))) return { row: undefined, last };
  const text = lines.slice(from, last + 1).map((line) => line.text);
  return { row: { cells, text: text.join('\n'), ...(isHeading && { heading: above.text }) }, last };
}

/** Whether the line is of a row or record, alone or with others. */
export function isFieldLine(line: string): boolean {
  return keyed.test(line.trim()) || isBarRow(line);
}

/** Whether a piece of text holds several cells, which only their names keep apart. */
export function isTabular(piece: string): boolean {
  const lines = linesOf(piece);
  if (lines.some(({ text }) => recordOf(text) !== undefined)) return true;
  if (lines.some(({ text }) => isBarRow(text) && barCells(text, false).length >= 3)) return true;
  for (let at = 0; at < lines.length; at += 1) {
    const { row, last } = blockOf(lines, at);
    if ((row?.cells.length ?? 0) >= 2) return true;
    at = Math.max(at, last);
  }
  return false;
}
