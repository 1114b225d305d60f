// Where a span of a document stands on its pages, as boxes: one a line, made of the boxes of its words. Invariant: no box holds a word that is not
// of the span, and where nothing can be boxed the reason is said; nothing near it is given. Pure, as a view is (document-view.ts).
import type { DocumentRecord, Page, WordBox } from '../../core/document.ts';
import { FootnoteError } from '../../core/errors.ts';
import type { DocumentStructure } from '../../db/repositories/changes.ts';

/** A span, or a page, whose words come one by one. */
export interface BoxesAsked {
  readonly start?: number;
  readonly end?: number;
  readonly page?: number;
}

export interface DocumentBoxes {
  /** Those that the boxes stand on. */
  readonly pages: readonly Omit<Page, 'start' | 'end'>[];
  readonly boxes: readonly WordBox[];
}

/** Longer spans, and spans of more words, are asked for page by page. */
const longestSpan = 100_000;
const mostWords = 4_000;

/** Throws `invalid-request` for what is no range or page of the document, `unsupported` where nothing of it has boxes. */
export function boxesOf(
  { id, mime, textLength }: DocumentRecord,
  { pages, words }: DocumentStructure,
  { start, end, page }: BoxesAsked,
): DocumentBoxes {
  const refuse = (message: string) => new FootnoteError('invalid-request', message);
  const nothing = (reason: string) =>
    new FootnoteError('unsupported', `${reason} GET /v1/documents/${id}/view shows a span within its text.`);
  const isSpan = start !== undefined && end !== undefined;
  if (page === undefined ? !isSpan : start !== undefined || end !== undefined)
    throw refuse('query: give start and end of a span, or the number of a page.');
  if (isSpan && (start >= end || end > textLength))
    throw refuse(`query.start and query.end: ${start}..${end} is not a span of this text of ${textLength} characters.`);
  if (isSpan && end - start > longestSpan)
    throw refuse(`query.end: boxes are given for at most ${longestSpan} characters. Ask for the words of each page.`);
  if (pages.length === 0) throw nothing(`This document (${mime}) has no pages.`);
  if (words.length === 0) throw nothing('It is not recorded where words of this document stand on its pages.');
  if (page !== undefined && !pages.some(({ number }) => number === page))
    throw refuse(`query.page: there is no page ${page}; pages are ${pages[0]?.number} to ${pages.at(-1)?.number}.`);
  const asked = words
    .filter(isPlaced)
    .filter((word) => (isSpan ? word.start < end && word.end > start : word.page === page));
  if (isSpan && asked.length > mostWords)
    throw refuse(`query.end: boxes are given for at most ${mostWords} words. Ask for the words of each page.`);
  const boxes = isSpan ? linesOf(asked, words) : asked;
  if (isSpan && boxes.length === 0) throw nothing(`Nothing between ${start} and ${end} stands in a box on a page.`);
  const shown = new Set(page === undefined ? boxes.map((box) => box.page) : [page]);
  return {
    pages: pages.filter(({ number }) => shown.has(number)).map(({ start: _, end: __, ...facts }) => facts),
    boxes,
  };
}

/** A note without a place of its own gives its words a box of no size: there is nothing to show. */
const isPlaced = ({ width, height }: WordBox): boolean => width > 0 && height > 0;

/** Words are looked up by the strip of the page in which their centre lies. */
const stripHeight = 8;
const stripOf = (y: number): number => Math.floor(y / stripHeight);

function linesOf(span: readonly WordBox[], words: readonly WordBox[]): WordBox[] {
  const strips = Map.groupBy(words.filter(isPlaced), ({ page, y, height }) => `${page} ${stripOf(y + height / 2)}`);
  const holdsOthers = (box: WordBox, word: WordBox): boolean => {
    const isOther = (one: WordBox): boolean => !isWithin(one, box) && !isSamePlace(one, word) && hasCentreOf(box, one);
    for (let strip = stripOf(box.y); strip <= stripOf(box.y + box.height); strip += 1)
      if (strips.get(`${box.page} ${strip}`)?.some(isOther)) return true;
    return false;
  };
  const lines: WordBox[] = [];
  for (const word of span) {
    const line = lines.at(-1);
    const ways =
      line?.page === word.page && isBeside(line, word) ? [around(line, word), ...alongLower(line, word)] : [];
    const both = ways.find((way) => !holdsOthers(way, word));
    if (both) lines[lines.length - 1] = both;
    else lines.push(word);
  }
  return lines;
}

/** A word of so many letters is taller than wide only where its line runs up or down the page. */
const lettersThatTell = 4;
const runsUpOrDown = ({ start, end, width, height }: WordBox): boolean =>
  end - start >= lettersThatTell && height > width;

/** Whether they stand on one line: half the height of the smaller is common to both, or half the width where the line runs up or down. */
const isBeside = (one: WordBox, other: WordBox): boolean =>
  runsUpOrDown(one) || runsUpOrDown(other)
    ? isHalfCommon([one.x, one.width], [other.x, other.width])
    : isHalfCommon([one.y, one.height], [other.y, other.height]);

type Stretch = readonly [from: number, length: number];

const isHalfCommon = ([from, length]: Stretch, [otherFrom, otherLength]: Stretch): boolean =>
  2 * (Math.min(from + length, otherFrom + otherLength) - Math.max(from, otherFrom)) >= Math.min(length, otherLength);

function around(one: WordBox, other: WordBox): WordBox {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  const width = Math.max(one.x + one.width, other.x + other.width) - x;
  const height = Math.max(one.y + one.height, other.y + other.height) - y;
  return { page: one.page, x, y, width, height, start: one.start, end: other.end };
}

/** What is higher than that is large type. */
const mostBeyond = 2;

/** As high as the lower of them, where the other reaches beyond it: fonts of formulas claim lines above and below their own. */
function alongLower(one: WordBox, other: WordBox): WordBox[] {
  if (runsUpOrDown(one) || runsUpOrDown(other)) return [];
  const [lower, higher] = one.height < other.height ? [one, other] : [other, one];
  const centre = higher.y + higher.height / 2 - lower.y;
  const ratio = higher.height / lower.height;
  const reachesBeyond = ratio >= 1.25 && ratio <= mostBeyond && centre >= 0 && centre <= lower.height;
  return reachesBeyond ? [{ ...around(one, other), y: lower.y, height: lower.height }] : [];
}

/** Words of a field of a form all have the place of the field. */
const isSamePlace = (one: WordBox, other: WordBox): boolean =>
  one.x === other.x && one.y === other.y && one.width === other.width && one.height === other.height;

const isWithin = (word: WordBox, box: WordBox): boolean => word.start >= box.start && word.end <= box.end;

function hasCentreOf(box: WordBox, { x, y, width, height }: WordBox): boolean {
  const [centreX, centreY] = [x + width / 2 - box.x, y + height / 2 - box.y];
  return centreX >= 0 && centreX <= box.width && centreY >= 0 && centreY <= box.height;
}
