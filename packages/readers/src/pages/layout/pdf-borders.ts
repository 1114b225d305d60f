// Tells the borders of table cells among the upright rules of a page: words on either side of one are of two cells, however close they stand, as
// invoices and forms print them. Bars of formulas, and lines beside a paragraph, are no borders.
import type { Box } from './pdf-columns.ts';
import type { PdfRule, PdfRules } from './pdf-content.ts';

/** Points by which a word may reach over a border. */
const mostOver = 1.5;
/** Comparisons of rules and words: a page with more is a drawing. */
const mostLooks = 8_000_000;

/** The rules of a page of which the upright ones may be borders: no word stands across them. */
export function bordersAmong(rules: PdfRules | undefined, words: readonly Box[]): PdfRules | undefined {
  if (rules === undefined || rules.vertical.length * words.length > mostLooks) return undefined;
  const isFree = ({ at, from, to }: PdfRule): boolean =>
    words.every(({ x, right, y, bottom }) => {
      const middle = (y + bottom) / 2;
      return middle < from || middle > to || at < x + mostOver || at > right - mostOver;
    });
  return { horizontal: rules.horizontal, vertical: rules.vertical.filter(isFree) };
}

/** Heights of a line that a border is long at least: bars of formulas are as high as their line. */
const leastHeights = 1.15;
/** Rules that are closer (points) are the borders of neighbouring cells. */
const nextBorder = 12;

/** Whether a border parts two boxes of one line: another one runs along the same row, and a rule across both cells. */
export function isRuledOff(before: Box, after: Box, rules: PdfRules | undefined): boolean {
  if (rules === undefined || after.x < before.right - mostOver) return false;
  const [top, bottom] = [Math.min(before.y, after.y), Math.max(before.bottom, after.bottom)];
  const middle = (top + bottom) / 2;
  const isAlong = ({ from, to }: PdfRule): boolean =>
    from < middle && to > middle && to - from > (bottom - top) * leastHeights;
  const border = rules.vertical.find(
    (rule) => rule.at > before.right - mostOver && rule.at < after.x + mostOver && isAlong(rule),
  );
  if (border === undefined) return false;
  const isAcross = ({ from, to }: PdfRule): boolean => from < border.at && to > border.at - mostOver;
  return (
    rules.vertical.some((rule) => Math.abs(rule.at - border.at) > nextBorder && isAlong(rule)) &&
    rules.horizontal.some(isAcross)
  );
}

/** Points by which the borders of a column may differ from row to row. */
const sameBorder = 2.5;
/** Rows between fewer borders stand in no grid of their own. */
const fewestBorders = 3;

/** Where upright rules stand that run along a line, from left to right. */
export function bordersOf({ y, bottom }: Box, rules: PdfRules | undefined): readonly number[] {
  const middle = (y + bottom) / 2;
  const along = rules?.vertical.filter(({ from, to }) => from < middle && to > middle) ?? [];
  const places: number[] = [];
  for (const { at } of along.toSorted((a, b) => a.at - b.at))
    if (at - (places.at(-1) ?? Number.NEGATIVE_INFINITY) > sameBorder) places.push(at);
  return places;
}

/** Whether lines begin a grid of their own: their borders are others than those of the line before, not more or fewer of the same. */
export function beginsGrid([before = [], borders = [], after = []]: readonly (
  | readonly number[]
  | undefined
)[]): boolean {
  if (borders.length < fewestBorders || after.length !== borders.length) return false;
  const [few, many] = before.length < borders.length ? [before, borders] : [borders, before];
  return few.length < 2 || !few.every((at) => many.some((other) => Math.abs(other - at) <= sameBorder));
}
