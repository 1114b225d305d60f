// Finds columns on a page: two runs of prose side by side, parted by a vertical gutter that nothing between their first and
// last line spans. Tables have short cells and are no columns, but on a page that is wider than high two of them stand side by side.
import type { PdfRules, PdfWord } from './pdf-content.ts';

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly right: number;
  readonly bottom: number;
}

/** A run of words along one line, unbroken by a wide gap. `place` is its position in the content of the page. */
export interface Segment extends Box {
  readonly words: PdfWord[];
  readonly size: number;
  readonly place: number;
}

/** Two boxes stand on one line where they share more than half of the height of the lower one. */
export function sameLine(a: Box, b: Box): boolean {
  const shared = Math.min(a.bottom, b.bottom) - Math.max(a.y, b.y);
  return shared > 0.5 * Math.min(a.bottom - a.y, b.bottom - b.y);
}

/** A page on which two pages, or the columns of a card, may stand side by side: it is wider than high. */
export interface Sheet {
  readonly height: number;
  readonly rules: PdfRules | undefined;
}

/** Splits where two columns stand side by side: what is above them, the columns, what is below. `sheet` only where the page is one. */
export function readColumns(segments: readonly Segment[], sheet?: Sheet, depth = 0): Segment[][] {
  if (segments.length < 8 || depth > 12) return [[...segments]];
  const sorted = segments.toSorted((a, b) => a.y - b.y || a.place - b.place);
  const zone = findZone(sorted, sheet);
  if (zone === undefined) return [sorted];
  const { first, last, gutter } = zone;
  const inside = sorted.slice(first, last + 1);
  const flows: Segment[][] = [];
  const parts = [
    sorted.slice(0, first),
    inside.filter((segment) => middleOf(segment) < gutter),
    inside.filter((segment) => middleOf(segment) >= gutter),
    sorted.slice(last + 1),
  ];
  for (const part of parts) if (part.length > 0) flows.push(...readColumns(part, sheet, depth + 1));
  return flows;
}

/** A run of segments (of those sorted from top to bottom) that a vertical line parts into prose and prose. */
interface Zone {
  readonly first: number;
  readonly last: number;
  readonly gutter: number;
}

const mostSeeds = 24;

/** The largest zone that grows from two segments standing side by side until something spans its gutter. */
function findZone(sorted: readonly Segment[], sheet: Sheet | undefined): Zone | undefined {
  const seeds: { index: number; from: number; to: number }[] = [];
  for (let index = 0; index + 1 < sorted.length; index++) {
    const segment = sorted[index];
    const beside = sorted[index + 1];
    if (segment === undefined || beside === undefined || !sameLine(segment, beside)) continue;
    if (segment.words.length < 3 || beside.words.length < 3) continue;
    const [left, right] = segment.x <= beside.x ? [segment, beside] : [beside, segment];
    if (right.x > left.right) seeds.push({ index, from: left.right, to: right.x });
  }
  const step = Math.max(1, Math.floor(seeds.length / mostSeeds));
  let best: Zone | undefined;
  for (let index = 0; index < seeds.length; index += step) {
    const seed = seeds[index];
    if (seed === undefined) continue;
    const zone = growZone(sorted, seed);
    if (best !== undefined && zone.last - zone.first <= best.last - best.first) continue;
    const inside = sorted.slice(zone.first, zone.last + 1);
    if (isProsePair(inside, zone.gutter) || (sheet && areApart(inside, zone.gutter, sheet))) best = zone;
  }
  return best;
}

function growZone(sorted: readonly Segment[], seed: { index: number; from: number; to: number }): Zone {
  let { from, to } = seed;
  /** Narrows the gutter to let a segment pass on its side of it; false where it spans the gutter. */
  const admits = (segment: Segment): boolean => {
    const least = Math.max(3, segment.size * 0.5);
    const middle = (from + to) / 2;
    if (segment.right <= middle + least || middleOf(segment) < from) {
      if (to - Math.max(from, segment.right) < least) return false;
      from = Math.max(from, segment.right);
      return true;
    }
    if (Math.min(to, segment.x) - from < least) return false;
    to = Math.min(to, segment.x);
    return true;
  };
  let first = seed.index;
  let last = seed.index + 1;
  for (let next = sorted[last + 1]; next !== undefined && admits(next); next = sorted[last + 1]) last++;
  for (let next = sorted[first - 1]; next !== undefined && admits(next); next = sorted[first - 1]) first--;
  return { first, last, gutter: (from + to) / 2 };
}

function middleOf(segment: Segment): number {
  return (segment.x + segment.right) / 2;
}

/**
 * Both sides are prose at the same height. Cells of a table are short and do not count as prose, so that tables are read
 * row by row.
 */
function isProsePair(segments: readonly Segment[], gutter: number): boolean {
  const left = segments.filter((segment) => middleOf(segment) < gutter);
  const right = segments.filter((segment) => middleOf(segment) >= gutter);
  if (left.length < 4 || right.length < 4) return false;
  return isProse(left) && isProse(right) && sharedHeight(left, right) >= 0.3;
}

/** Segments of one side, and of the height of the sheet, that two halves have at least. */
const fewestOfHalf = 16;
const leastHeight = 0.5;
/** Share of the segments of either side that stand on no line of the other. */
const leastUnmatched = 0.4;
/** Sizes of the type by which base lines of one row may differ. */
const sameBase = 0.2;

/** Neither side goes by the lines of the other, as rows of a table do, and no rule runs across both. */
function areApart(segments: readonly Segment[], gutter: number, { height, rules }: Sheet): boolean {
  const left = segments.filter((segment) => middleOf(segment) < gutter);
  const right = segments.filter((segment) => middleOf(segment) >= gutter);
  if (left.length < fewestOfHalf || right.length < fewestOfHalf) return false;
  const [top, bottom] = extent(segments);
  if (bottom - top < height * leastHeight) return false;
  if (rules?.horizontal.some(({ at, from, to }) => at > top && at < bottom && from < gutter && to > gutter))
    return false;
  return isUnmatched(left, right) && isUnmatched(right, left);
}

function isUnmatched(segments: readonly Segment[], others: readonly Segment[]): boolean {
  const bases = others.map(({ bottom }) => bottom).sort((a, b) => a - b);
  const unmatched = segments.filter(({ bottom, size }) => {
    let [low, high] = [0, bases.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((bases[middle] ?? 0) < bottom - size * sameBase) low = middle + 1;
      else high = middle;
    }
    return (bases[low] ?? Number.POSITIVE_INFINITY) > bottom + size * sameBase;
  });
  return unmatched.length >= segments.length * leastUnmatched;
}

/**
 * Lines of several words, about as long as most of the text is, and most of it by length: set text, not cells. Labels of
 * a figure in the column are many but short, and do not count for much.
 */
function isProse(segments: readonly Segment[]): boolean {
  const widthOf = (segment: Segment): number => segment.right - segment.x;
  const widths = segments.map(widthOf).sort((a, b) => b - a);
  const total = widths.reduce((sum, width) => sum + width, 0);
  let covered = 0;
  const long = widths.find((width) => {
    covered += width;
    return covered >= total / 2;
  });
  const filling = segments.filter((segment) => segment.words.length >= 4 && widthOf(segment) > (long ?? 0) * 0.6);
  return filling.length >= 4 && filling.reduce((sum, segment) => sum + widthOf(segment), 0) >= total * 0.5;
}

/** From the top of the highest to the bottom of the lowest. A page may have more than fit among the arguments of a call. */
function extent(segments: readonly Segment[]): [number, number] {
  let [top, low] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { y, bottom } of segments) {
    top = Math.min(top, y);
    low = Math.max(low, bottom);
  }
  return [top, low];
}

/** How much of the lower of two columns stands beside the other one. */
function sharedHeight(left: readonly Segment[], right: readonly Segment[]): number {
  const [leftTop, leftBottom] = extent(left);
  const [rightTop, rightBottom] = extent(right);
  const shared = Math.min(leftBottom, rightBottom) - Math.max(leftTop, rightTop);
  return shared / Math.max(1, Math.min(leftBottom - leftTop, rightBottom - rightTop));
}
