// Puts the words of one page into reading order: words into lines, lines into columns where a gutter parts prose from
// prose (what spans the gutter ends the columns), columns into paragraphs. Tables are read row by row.
import { bordersAmong, isRuledOff } from './pdf-borders.ts';
import { type Box, readColumns, type Segment, sameLine } from './pdf-columns.ts';
import type { PdfPage, PdfRules, PdfWord } from './pdf-content.ts';
import { withGrids } from './pdf-grids.ts';
import { setMarksApart } from './pdf-superscripts.ts';
import { findTables, type TableRow } from './pdf-tables.ts';

export interface PdfLine {
  readonly words: readonly PdfWord[];
  readonly x: number;
  readonly y: number;
  readonly right: number;
  readonly bottom: number;
  /** Size of most of its characters. */
  readonly size: number;
  readonly bold: boolean;
  readonly text: string;
  /** Holds a wide gap, as rows of a table do. */
  readonly isRow: boolean;
  /** The words by column, where the line is a row of a table. */
  readonly row?: TableRow;
  /** Starts a new paragraph. Set by the layout of its column. */
  readonly startsBlock: boolean;
}

/** Lines in reading order. Text that is turned is read after the upright text, in its own frame. */
export function layoutPage(page: PdfPage): PdfLine[] {
  const lines: PdfLine[] = [];
  const marked = setMarksApart(page.words);
  const turnOf = directionsOf(marked);
  const counts = [0, 1, 2, 3].map((turn) => marked.filter((word) => turnOf(word) === turn).length);
  const turns = ([0, 1, 2, 3] as const).filter((turn) => (counts[turn] ?? 0) > 0);
  turns.sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0) || a - b);
  for (const turn of turns) {
    const words = marked.filter((word) => turnOf(word) === turn);
    const upright = words.map((word) => ({
      word,
      box: uprightBox(word, page, turn),
    }));
    for (const line of layoutUpright(upright, page, turn)) lines.push(line);
  }
  return lines;
}

/** How much longer than wide a word must be to show its direction. */
const clearlyLonger = 1.6;
const eastAsian = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * The way in which a word is read. Where upright characters of Chinese, Japanese or Korean stand in columns, lines run down and follow each other
 * from right to left, as those of a page turned clockwise do; what stands across all the same (a running head) stays so.
 */
function directionsOf(words: readonly PdfWord[]): (word: PdfWord) => PdfWord['turn'] {
  const isLong = (word: PdfWord): boolean => word.turn === 0 && word.text.length > 1;
  const isAcross = (word: PdfWord): boolean => isLong(word) && word.width > word.height * clearlyLonger;
  let down = 0;
  let across = 0;
  for (const word of words) {
    if (isAcross(word)) across += word.text.length;
    else if (isLong(word) && word.height > word.width * clearlyLonger && eastAsian.test(word.text))
      down += word.text.length;
  }
  return (word) => (down > across && word.turn === 0 && !isAcross(word) ? 1 : word.turn);
}

interface Placed {
  readonly word: PdfWord;
  readonly box: Box;
}

/** The box of a word in the frame in which its text runs from left to right. */
function uprightBox(word: PdfWord, page: PdfPage, turn: number): Box {
  const right = word.x + word.width;
  const bottom = word.y + word.height;
  switch (turn) {
    case 1:
      return {
        x: word.y,
        right: bottom,
        y: page.width - right,
        bottom: page.width - word.x,
      };
    case 2:
      return {
        x: page.width - right,
        right: page.width - word.x,
        y: page.height - bottom,
        bottom: page.height - word.y,
      };
    case 3:
      return {
        x: page.height - bottom,
        right: page.height - word.y,
        y: word.x,
        bottom: right,
      };
    default:
      return { x: word.x, y: word.y, right, bottom };
  }
}

/** How much wider than high a page is that may hold two. */
const clearlyWider = 1.15;

function layoutUpright(placed: readonly Placed[], page: PdfPage, turn: PdfWord['turn']): PdfLine[] {
  // Rules are known as they are seen: turned text has tables without them.
  const rules = turn === 0 ? page.rules : undefined;
  const borders = bordersAmong(
    rules,
    placed.map(({ box }) => box),
  );
  const segments = joinSegments(placed, borders);
  const { width, height } = page;
  const sheet = turn === 0 && width > height * clearlyWider ? { height, rules } : undefined;
  return readColumns(segments, sheet).flatMap((flow) => paragraphs(joinLines(flow, { rules, borders })));
}

/** Words that follow each other in the content, on one line, without a wide gap or a rule of a table between them. */
function joinSegments(placed: readonly Placed[], borders: PdfRules | undefined): Segment[] {
  const segments: Segment[] = [];
  let current:
    | {
        words: PdfWord[];
        x: number;
        y: number;
        right: number;
        bottom: number;
        last: Box;
      }
    | undefined;
  const finish = (): void => {
    if (current === undefined) return;
    const { words, x, y, right, bottom } = current;
    segments.push({
      words,
      x,
      y,
      right,
      bottom,
      size: mainSize(words),
      place: segments.length,
    });
  };
  for (const { word, box } of placed) {
    if (current !== undefined) {
      const gap = Math.max(box.x - current.last.right, current.last.x - box.right);
      const size = Math.max(word.size, current.words.at(-1)?.size ?? 0, 1);
      if (
        sameLine(current.last, box) &&
        gap < size * (word.spaceBefore ? 0.9 : 3) &&
        box.right > current.x - size * 1.6 &&
        !(word.spaceBefore && isRuledOff(current.last, box, borders))
      ) {
        current.words.push(word);
        current.x = Math.min(current.x, box.x);
        current.right = Math.max(current.right, box.right);
        current.y = Math.min(current.y, box.y);
        current.bottom = Math.max(current.bottom, box.bottom);
        current.last = box;
        continue;
      }
    }
    finish();
    current = { words: [word], ...box, last: box };
  }
  finish();
  return segments;
}

interface Row extends Box {
  readonly segments: Segment[];
}

/** Joins segments that stand side by side, and sorts from top to bottom. */
function joinLines(
  flow: readonly Segment[],
  { rules, borders }: { readonly rules: PdfRules | undefined; readonly borders: PdfRules | undefined },
): PdfLine[] {
  const rows: {
    segments: Segment[];
    x: number;
    y: number;
    right: number;
    bottom: number;
  }[] = [];
  for (const segment of [...flow].sort((a, b) => a.y - b.y || a.x - b.x)) {
    const row = rows.slice(-4).findLast((candidate) => standsBeside(candidate, segment));
    if (row === undefined) {
      rows.push({
        segments: [segment],
        x: segment.x,
        y: segment.y,
        right: segment.right,
        bottom: segment.bottom,
      });
    } else {
      row.segments.push(segment);
      row.x = Math.min(row.x, segment.x);
      row.y = Math.min(row.y, segment.y);
      row.right = Math.max(row.right, segment.right);
      row.bottom = Math.max(row.bottom, segment.bottom);
    }
  }
  rows.sort((a, b) => a.y + a.bottom - b.y - b.bottom);
  const lines = rows.map((row) => lineOf(row));
  const cells = rows.map((row, index) => ({
    ...row,
    size: lines[index]?.size ?? 1,
    cells: row.segments.toSorted((one, other) => one.x - other.x || one.place - other.place),
  }));
  const found = findTables(cells, rules, borders);
  const tables = rules === undefined ? found : withGrids(found, cells, rules);
  const joined: PdfLine[] = [];
  for (const [index, line] of lines.entries()) {
    const row = tables[index];
    const above = joined.at(-1);
    if (row === 'above' && above !== undefined) {
      const text = `${above.text} ${line.text}`;
      joined[joined.length - 1] = { ...above, words: [...above.words, ...line.words], bottom: line.bottom, text };
    } else joined.push(row === undefined || row === 'above' ? line : { ...line, row, isRow: true });
  }
  return joined;
}

function standsBeside(row: Row, segment: Segment): boolean {
  const anchor = row.segments[0];
  if (anchor === undefined || !sameLine(anchor, segment)) return false;
  if (segment.x > row.right || segment.right < row.x) return true;
  return row.segments.every(
    (other) =>
      Math.min(other.right, segment.right) - Math.max(other.x, segment.x) <
      0.5 * Math.min(other.right - other.x, segment.right - segment.x),
  );
}

function lineOf(row: Row): PdfLine {
  const backwards = isRightToLeft(row.segments.flatMap((segment) => segment.words.map((word) => word.text)).join(''));
  const ordered = row.segments.toSorted((a, b) => (backwards ? b.right - a.right : a.x - b.x) || a.place - b.place);
  const words = ordered.flatMap((segment) => segment.words);
  const size = mainSize(words);
  const weighted = words.reduce((sum, word) => sum + (word.bold ? word.text.length : 0), 0);
  const length = words.reduce((sum, word) => sum + word.text.length, 0);
  return {
    words,
    x: row.x,
    y: row.y,
    right: row.right,
    bottom: row.bottom,
    size,
    bold: weighted > 0.8 * length,
    text: words.map((word, index) => (index > 0 && word.spaceBefore ? ' ' : '') + word.text).join(''),
    isRow: ordered.some((segment, index) => index > 0 && segment.x - (ordered[index - 1]?.right ?? 0) > size * 2),
    startsBlock: true,
  };
}

/** Enough of a line to tell its direction. */
const directionSample = 2000;

function isRightToLeft(line: string): boolean {
  const text = line.slice(0, directionSample);
  const strong = text.match(/[\p{L}]/gu) ?? [];
  const backwards = text.match(/[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/gu) ?? [];
  return backwards.length > strong.length / 2;
}

function mainSize(words: readonly PdfWord[]): number {
  const weights = new Map<number, number>();
  for (const word of words) {
    const size = Math.round(word.size * 2) / 2;
    weights.set(size, (weights.get(size) ?? 0) + word.text.length);
  }
  let best = 0;
  let most = -1;
  for (const [size, weight] of weights) {
    if (weight > most) {
      most = weight;
      best = size;
    }
  }
  return best;
}

const listStart = /^(?:[•◦▪‣●○■□–—*·-]\s|\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)]\s)/i;

/** Marks the lines that begin a paragraph: after a gap, at an indent, at a change of size or weight, at a list item. */
function paragraphs(lines: readonly PdfLine[]): PdfLine[] {
  const pitches = lines
    .slice(1)
    .map((line, index) => line.y - (lines[index]?.y ?? 0))
    .filter((pitch) => pitch > 0);
  pitches.sort((a, b) => a - b);
  const pitch = pitches[Math.floor(pitches.length * 0.4)] ?? 0;
  const left = commonLeft(lines);
  const right = lines.reduce((most, line) => Math.max(most, line.right), Number.NEGATIVE_INFINITY);
  return lines.map((line, index) => {
    const before = lines[index - 1];
    if (before === undefined) return line;
    const size = Math.max(1, Math.min(line.size, before.size));
    const gap = line.y - before.y;
    const isApart = gap > pitch * 1.35 && gap > size * 1.25 && line.y - before.bottom > size * 0.3;
    const isIndented = line.x - left > size * 0.7 && line.x - left < size * 5 && before.x - left < size * 0.5;
    const isResized = Math.abs(line.size - before.size) > 0.12 * size && !continues(before, line);
    const isReweighted =
      line.bold !== before.bold && !continues(before, line) && before.right - before.x < (line.right - left) * 0.8;
    const isItem = listStart.test(line.text) && !/-$/.test(before.text);
    // A line that stops well before the edge ends a paragraph, if what follows can begin one.
    const isAfterEnd =
      before.right < right - (right - left) * 0.2 &&
      /^["“„‘(]?[\p{Lu}\p{Nd}]/u.test(line.text) &&
      !/[,-]$/.test(before.text);
    const isNextRow = (line.isRow && before.isRow) || line.row !== undefined || before.row !== undefined;
    const isCaptioned = isCaption(line.text) && !/[\p{Ll},-]$/u.test(before.text);
    const startsBlock =
      isCaptioned || isApart || isIndented || isResized || isReweighted || isItem || isAfterEnd || isNextRow;
    return { ...line, startsBlock };
  });
}

const captionStart =
  /^(?:fig(?:ure|\.)?|table|tab\.|exhibit|chart|plate|listing|algorithm|abb(?:ildung|\.)|tabelle|tableau|figura|tabla|[図表图])\s*(?:[A-Z]?\d+(?:[.-]\d+)*|[IVX]+\b)/iu;

/** What stands under or over a figure, table or listing, with its number; not "Table 3 shows". */
export function isCaption(text: string): boolean {
  const start = captionStart.exec(text)?.[0];
  return start !== undefined && /^(?:\s*[:.|–—)]\s|\s+["“„‘(]?\p{Lu}|\s*$)/u.test(`${text.slice(start.length)} `);
}

function continues(before: PdfLine, line: PdfLine): boolean {
  return /[\p{Ll},-]$/u.test(before.text) && /^\p{Ll}/u.test(line.text);
}

/** The left edge that most lines share. */
function commonLeft(lines: readonly PdfLine[]): number {
  const counts = new Map<number, number>();
  for (const line of lines) counts.set(Math.round(line.x), (counts.get(Math.round(line.x)) ?? 0) + 1);
  let best = lines[0]?.x ?? 0;
  let most = 0;
  for (const [x, count] of counts) {
    if (count > most || (count === most && x < best)) {
      best = x;
      most = count;
    }
  }
  return best;
}
