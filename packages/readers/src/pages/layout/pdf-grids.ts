// Tables whose every row and column stands between drawn rules, and in which no table is seen by gaps (pdf-tables.ts), as the cells that browsers print in
// Chinese and Japanese stand close. There the rules part the cells. Invariant: what the gaps found stays as it is, and less than a whole grid is none.
import type { PdfRule, PdfRules, PdfWord } from './pdf-content.ts';
import type { CellLine, TableLine } from './pdf-tables.ts';

/** Rules that are so close (points) are one, or the two borders of neighbouring cells. */
const sameRule = 2.5;
const borders = 7;
/** Share of a row that the rule above it, and below it, must run along. */
const leastCovered = 0.85;
/** More lines between two rules are no row of a table but all of one, of which only the head is ruled off. */
const mostLines = 3;
const fewestRows = 3;
const mostColumns = 60;

/** A rule across the page, or several in line, from left to right. */
interface Level {
  readonly at: number;
  readonly spans: readonly PdfRule[];
}

/** The lines between two levels, with the rules that part their cells. */
interface Band {
  readonly first: number;
  last: number;
  readonly top: number;
  readonly bottom: number;
  readonly columns: readonly number[];
}

/** `found` with the rows of grids of which it has no line. */
export function withGrids(
  found: readonly TableLine[],
  lines: readonly CellLine[],
  { horizontal, vertical }: PdfRules,
): readonly TableLine[] {
  if (vertical.length === 0 || horizontal.length === 0) return found;
  const levels = levelsOf(horizontal);
  const all = [...found];
  let run: Band[] = [];
  const finish = (): void => {
    const rows = isGrid(run, found) ? run.map((band) => rowOf(band, lines)) : [];
    const used = (rows[0] ?? []).flatMap((_, column) => (rows.some((row) => row[column]?.length) ? [column] : []));
    const wide = rows.filter((row) => row.filter((cell) => cell.length > 0).length > 1).length;
    if (wide * 2 > rows.length)
      for (const [at, { first, last }] of run.entries()) {
        all.fill('above', first, last + 1);
        all[first] = used.map((column) => rows[at]?.[column] ?? []);
      }
    run = [];
  };
  for (const [index, line] of lines.entries()) {
    const band = run.at(-1);
    const middle = (line.y + line.bottom) / 2;
    if (band !== undefined && middle > band.top && middle < band.bottom && isParted(line, band.columns)) {
      band.last = index;
      continue;
    }
    const next = bandOf(line, index, { levels, vertical });
    const follows =
      band !== undefined &&
      next !== undefined &&
      next.top - band.bottom < borders &&
      isSame(band.columns, next.columns);
    if (!follows) finish();
    if (next !== undefined) run.push(next);
  }
  finish();
  return all;
}

/** Rules in line with one another, from top to bottom. */
function levelsOf(rules: readonly PdfRule[]): Level[] {
  const levels: { at: number; spans: PdfRule[] }[] = [];
  for (const rule of rules.toSorted((a, b) => a.at - b.at)) {
    const last = levels.at(-1);
    if (last !== undefined && rule.at - last.at < 0.8) last.spans.push(rule);
    else levels.push({ at: rule.at, spans: [rule] });
  }
  return levels.map(({ at, spans }) => ({ at, spans: spans.toSorted((a, b) => a.from - b.from) }));
}

/** Whether the rules of a level run along most of what lies between two places. */
function covers({ spans }: Level, from: number, to: number): boolean {
  let covered = 0;
  let end = from;
  for (const span of spans) {
    const start = Math.max(end, span.from);
    if (span.to <= start) continue;
    covered += Math.max(0, Math.min(span.to, to) - start);
    end = Math.max(end, Math.min(span.to, to));
  }
  return covered >= (to - from) * leastCovered;
}

function bandOf(
  line: CellLine,
  index: number,
  { levels, vertical }: { levels: readonly Level[]; vertical: readonly PdfRule[] },
): Band | undefined {
  const middle = (line.y + line.bottom) / 2;
  const isAlong = (level: Level): boolean => covers(level, line.x, line.right);
  const top = levels.findLast((level) => level.at < middle && isAlong(level))?.at;
  const bottom = levels.find((level) => level.at > middle && isAlong(level))?.at;
  if (top === undefined || bottom === undefined) return undefined;
  const crossing = vertical.filter(({ from, to }) => from <= top + borders && to >= bottom - borders);
  const columns: number[] = [];
  for (const { at } of crossing.toSorted((a, b) => a.at - b.at))
    if (at - (columns.at(-1) ?? Number.NEGATIVE_INFINITY) > sameRule) columns.push(at);
  // A border on either side, and one between the cells at least.
  const isWhole =
    (columns[0] ?? Number.POSITIVE_INFINITY) <= line.x + sameRule && (columns.at(-1) ?? 0) >= line.right - sameRule;
  if (!isWhole || columns.length < 3 || columns.length > mostColumns || !isParted(line, columns)) return undefined;
  return { first: index, last: index, top, bottom, columns };
}

/** Whether no word of a line stands on a rule. */
const isParted = (line: CellLine, columns: readonly number[]): boolean =>
  line.cells.every(({ words }) =>
    words.every(({ x, width }) => columns.every((at) => at <= x + sameRule || at >= x + width - sameRule)),
  );

const isSame = (some: readonly number[], others: readonly number[]): boolean =>
  some.length === others.length && some.every((at, index) => Math.abs(at - (others[index] ?? 0)) <= sameRule);

function isGrid(run: readonly Band[], found: readonly TableLine[]): boolean {
  const counts = run.map(({ first, last }) => last - first + 1);
  return (
    run.length >= fewestRows &&
    counts.every((count) => count <= mostLines) &&
    counts.filter((count) => count === 1).length * 2 > run.length &&
    found.slice(run[0]?.first, (run.at(-1)?.last ?? 0) + 1).every((line) => line === undefined)
  );
}

/** The words of each column; empty columns are there too. */
function rowOf({ first, last, columns }: Band, lines: readonly CellLine[]): readonly (readonly PdfWord[])[] {
  const row: PdfWord[][] = columns.slice(1).map(() => []);
  for (const { cells } of lines.slice(first, last + 1)) {
    const before = row.map((cell) => cell.length);
    for (const { words } of cells)
      for (const word of words) {
        const middle = word.x + word.width / 2;
        const column = Math.min(
          row.length - 1,
          Math.max(
            0,
            columns.findLastIndex((at) => at <= middle),
          ),
        );
        const isFirst = row[column]?.length === before[column];
        row[column]?.push(isFirst ? { ...word, spaceBefore: true } : word);
      }
  }
  return row;
}
