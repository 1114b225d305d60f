// Finds the lines of a PDF that are not part of its text though they stand on its pages: running heads and feet and page
// numbers. They are reported as such; nothing is deleted without a trace.
import type { PdfPage } from './pdf-content.ts';
import type { PdfLine } from './pdf-layout.ts';

export interface PageLines {
  readonly page: PdfPage;
  readonly lines: readonly PdfLine[];
}

/** Pages on which a line must repeat to be a running head. */
const fewestRepeats = 3;
/** Lines from the edge of the page that can be running heads. */
const edgeLines = 3;
/** Pages apart that two repeats may be: left and right pages alternate, and openings of chapters have none. */
const reachPages = 4;

/** The lines to keep out of the text. */
export function findRunningHeads(pages: readonly PageLines[]): ReadonlySet<PdfLine> {
  const found = new Set<PdfLine>();
  const candidates = new Map<string, { line: PdfLine; index: number }[]>();
  pages.forEach(({ page, lines }, index) => {
    const visible: PdfLine[] = [];
    for (const [index, line] of lines.entries())
      if (line.words[0]?.turn === 0 && !isHeaderOfTable(line, lines[index + 1])) visible.push(line);
    const sorted = visible.toSorted((a, b) => a.y - b.y);
    const edges = new Set([...sorted.slice(0, edgeLines), ...sorted.slice(-edgeLines)]);
    for (const line of edges) {
      const middle = (line.y + line.bottom) / 2 / page.height;
      if (middle > 0.15 && middle < 0.85) continue;
      for (const key of keysOf(line, middle < 0.5 ? 'head' : 'foot')) {
        const places = candidates.get(key) ?? [];
        places.push({ line, index });
        candidates.set(key, places);
      }
    }
  });
  for (const [key, places] of candidates) {
    for (const run of runsOf(places)) {
      if (new Set(run.map((place) => place.index)).size < fewestRepeats) continue;
      if (key.startsWith('number') ? !countsUp(run) : !numbersFollow(run)) continue;
      for (const { line } of run) found.add(line);
    }
  }
  return found;
}

/** Cells of what stands over a table again on each of its pages: without it, the rows there would have no names for their columns. */
const fewestHeaderCells = 3;

function isHeaderOfTable({ row }: PdfLine, below: PdfLine | undefined): boolean {
  if (row === undefined || below?.row === undefined) return false;
  return row.filter((words) => words.length > 0).length >= fewestHeaderCells && below.row.length >= fewestHeaderCells;
}

/** A line repeats if it reads the same but for its numbers, at the same height; a bare page number if only its height agrees. */
function keysOf(line: PdfLine, edge: 'head' | 'foot'): string[] {
  const text = line.text.replace(/\s+/g, ' ').trim();
  const height = Math.round(line.y / 6);
  const bare =
    /^[\s\-–—|.]*(?:(?:page|seite|p\.)\s*)?(?:\d{1,4}|[ivxlc]{1,7})(?:\s*(?:\/|of|von)\s*\d{1,4})?[\s\-–—|.]*$/i.test(
      text,
    );
  if (bare) return [`number ${edge}`];
  if (!/\p{L}/u.test(text) && !/\d/.test(text)) return [];
  const pattern = text.replace(/\d+/g, '#').toLowerCase();
  return [`${edge} ${height} ${pattern}`, `${edge} ${height + 1} ${pattern}`];
}

function* runsOf<T extends { readonly index: number }>(places: readonly T[]): Generator<T[]> {
  let run: T[] = [];
  for (const place of places) {
    const last = run.at(-1);
    if (last !== undefined && place.index - last.index > reachPages) {
      yield run;
      run = [];
    }
    run.push(place);
  }
  if (run.length > 0) yield run;
}

/** Numbers in a running head stay as they are or grow with the pages; lines of data that differ in their figures do not. */
function numbersFollow(run: readonly { readonly line: PdfLine; readonly index: number }[]): boolean {
  let agree = 0;
  for (let index = 1; index < run.length; index++) {
    const before = run[index - 1];
    const place = run[index];
    if (before === undefined || place === undefined) continue;
    const earlier = before.line.text.match(/\d+/g) ?? [];
    const later = place.line.text.match(/\d+/g) ?? [];
    const pages = place.index - before.index;
    if (later.every((digits, at) => [0, pages].includes(Number(digits) - Number(earlier[at])))) agree++;
  }
  return agree >= (run.length - 1) * 0.6;
}

/** Page numbers grow with the pages; three figures at the foot of three tables do not. */
function countsUp(run: readonly { readonly line: PdfLine; readonly index: number }[]): boolean {
  let agree = 0;
  for (let index = 1; index < run.length; index++) {
    const before = run[index - 1];
    const place = run[index];
    if (before === undefined || place === undefined) continue;
    if (pageNumber(place.line.text) - pageNumber(before.line.text) === place.index - before.index) agree++;
  }
  return agree >= (run.length - 1) * 0.6;
}

function pageNumber(text: string): number {
  const digits = /\d+/.exec(text)?.[0];
  if (digits !== undefined) return Number(digits);
  const values: Record<string, number> = { i: 1, v: 5, x: 10, l: 50, c: 100 };
  const roman = [...(/[ivxlc]+/i.exec(text)?.[0].toLowerCase() ?? '')].map((letter) => values[letter] ?? 0);
  return roman.reduce((sum, value, index) => sum + (value < (roman[index + 1] ?? 0) ? -value : value), 0);
}
