// Finds the headings of a PDF: lines that its outline names, and, where it has none, lines set larger or bolder than the
// body. Levels follow the outline, else the size of the type and the depth of the numbering.
import type { PdfOutlineEntry } from './pdf-content.ts';
import type { PdfLine } from './pdf-layout.ts';

/** Lines of one paragraph, in reading order. */
export interface PdfParagraph {
  readonly page: number;
  /** Does not stand in the content of its page (a form field, a note), or is stamped over it. */
  readonly isNote?: boolean;
  readonly lines: readonly PdfLine[];
}

/** The level of each paragraph that is a heading. */
export function findHeadings(
  paragraphs: readonly PdfParagraph[],
  outline: readonly PdfOutlineEntry[],
): ReadonlyMap<PdfParagraph, number> {
  const named = headingsOfOutline(paragraphs, outline);
  if (named.size >= 3 && named.size >= outline.length * 0.4) return named;
  return headingsByType(paragraphs);
}

function headingsOfOutline(
  paragraphs: readonly PdfParagraph[],
  outline: readonly PdfOutlineEntry[],
): Map<PdfParagraph, number> {
  const byPage = new Map<number, PdfParagraph[]>();
  for (const paragraph of paragraphs) byPage.set(paragraph.page, [...(byPage.get(paragraph.page) ?? []), paragraph]);
  const found = new Map<PdfParagraph, number>();
  for (const entry of outline) {
    const title = folded(entry.title);
    if (title.length < 2) continue;
    const match = (byPage.get(entry.page) ?? [])
      .filter((paragraph) => !found.has(paragraph) && paragraph.lines.length <= 4 && isNamed(textOf(paragraph), title))
      .reduce<PdfParagraph | undefined>(likelier, undefined);
    if (match !== undefined) found.set(match, Math.min(6, entry.level));
  }
  return found;
}

/** What may stand before a title on its line: "Chapter 12". */
const longestNumbering = 14;

/** `title` is folded. It may follow its number, but begins within no word or number: "the latest" is no "Test". */
function isNamed(text: string, title: string): boolean {
  const before = folded(text).length - title.length;
  if (before < 0 || before > longestNumbering || !folded(text).endsWith(title)) return false;
  if (before === 0) return true;
  const signs = [...text.normalize('NFKC').toLowerCase()];
  let start = signs.length;
  for (let left = title.length; left > 0 && start > 0; start--) left -= folded(signs[start - 1] ?? '').length;
  const [last = '', first = ''] = signs.slice(start - 1);
  return ![letter, digit].some((kind) => kind.test(last) && kind.test(first)) || unspaced.test(last);
}

const letter = /[\p{L}\p{M}]/u;
const digit = /\p{N}/u;

/** Of two paragraphs of a page that read as a title, in reading order: what repeats it at the head of the page is set no larger than the heading below. */
function likelier(one: PdfParagraph | undefined, other: PdfParagraph): PdfParagraph {
  const difference = one === undefined ? 0 : rankOf(other) - rankOf(one);
  return one === undefined || difference >= 0 ? other : one;
}

/** By size, in half points, then weight. */
function rankOf({ lines: [first] }: PdfParagraph): number {
  return first === undefined ? 0 : Math.round(first.size * 2) + (first.bold ? 0.5 : 0);
}

function headingsByType(paragraphs: readonly PdfParagraph[]): Map<PdfParagraph, number> {
  const body = bodySize(paragraphs);
  const isFurniture = furnitureOf(paragraphs);
  const type = { body, isBold: isMostlyBold(paragraphs) };
  const candidates = paragraphs.filter((paragraph) => isCandidate(paragraph, type) && !isFurniture(paragraph));
  const length = (list: readonly PdfParagraph[]): number => list.reduce((sum, each) => sum + textOf(each).length, 0);
  // Where a fifth of the text is bold or large, weight and size do not mean a heading.
  const kept = length(candidates) > 0.2 * length(paragraphs) ? [] : candidates;
  const styles = [...new Set(kept.map(styleOf))].sort((a, b) => sizeIn(b) - sizeIn(a) || depthIn(a) - depthIn(b));
  return new Map(kept.map((paragraph) => [paragraph, Math.min(6, styles.indexOf(styleOf(paragraph)) + 1)]));
}

/** Pages on which a line must come again to belong to the paper that all is printed on, and the part of the pages that it must be on. */
const fewestRepeats = 3;
const mostPages = 0.6;

/** What says the same at the same place of most pages names nothing on any of them. */
function furnitureOf(paragraphs: readonly PdfParagraph[]): (paragraph: PdfParagraph) => boolean {
  const placeOf = (paragraph: PdfParagraph): string => {
    const [{ x, y, size } = { x: 0, y: 0, size: 0 }] = paragraph.lines;
    return [textOf(paragraph), ...[x, y, size].map(Math.round)].join('\n');
  };
  const pagesAt = new Map<string, Set<number>>();
  for (const paragraph of paragraphs) {
    const pages = pagesAt.get(placeOf(paragraph)) ?? new Set();
    pagesAt.set(placeOf(paragraph), pages.add(paragraph.page));
  }
  const fewest = Math.max(fewestRepeats, mostPages * new Set(paragraphs.map(({ page }) => page)).size);
  return (paragraph) => (pagesAt.get(placeOf(paragraph))?.size ?? 0) >= fewest;
}

/** Fonts that say that they are bold set whole documents. */
function isMostlyBold(paragraphs: readonly PdfParagraph[]): boolean {
  let difference = 0;
  for (const { lines, isNote } of paragraphs)
    for (const { text, bold } of isNote ? [] : lines) difference += bold ? text.length : -text.length;
  return difference > 0;
}

/** `type` is what most of the text is set in. */
function isCandidate(paragraph: PdfParagraph, type: { readonly body: number; readonly isBold: boolean }): boolean {
  const [first] = paragraph.lines;
  if (first === undefined || first.isRow || paragraph.isNote || paragraph.lines.length > 3) return false;
  const text = textOf(paragraph);
  if (text.length > 160 || (text.match(/\p{L}/gu) ?? []).length < 3 || /[,;:]$/.test(text)) return false;
  if (!isOfWords(text)) return false;
  if (/\.$/.test(text) && text.length > 60) return false;
  const isLarger = paragraph.lines.every((line) => line.size >= type.body * 1.12);
  const isBolder = !type.isBold && paragraph.lines.every((line) => line.bold && line.size >= type.body * 0.95);
  return isLarger || isBolder;
}

/** Part of the letters and symbols of a heading that words are made of. */
const fewestInWords = 0.5;

/** Not notes, figures or formulas whose fonts say that they are letters: those stand alone, or the same one again and again. */
function isOfWords(text: string): boolean {
  const signs = text.match(/[^\s\p{N}\p{P}]/gu) ?? [];
  const words = (text.match(/[\p{L}\p{M}]+/gu) ?? []).filter(
    (run) => unspaced.test(run) || new Set(run.toLowerCase()).size > 1,
  );
  return [...words.join('')].length >= signs.length * fewestInWords;
}

/** Scripts that put no spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

function styleOf(paragraph: PdfParagraph): string {
  const [first] = paragraph.lines;
  const numbering = /^(?:\d+\.)*\d+\.?(?=\s)/.exec(textOf(paragraph))?.[0];
  const depth = numbering === undefined ? 0 : numbering.split('.').filter((part) => part !== '').length;
  return `${Math.round((first?.size ?? 0) * 2) / 2} ${Math.max(0, depth - 1)}`;
}

const sizeIn = (style: string): number => Number(style.split(' ')[0]);
const depthIn = (style: string): number => Number(style.split(' ')[1]);

/** The size that most characters are set in. */
export function bodySize(paragraphs: readonly PdfParagraph[]): number {
  const weights = new Map<number, number>();
  for (const { lines, isNote } of paragraphs) {
    for (const line of isNote ? [] : lines) weights.set(line.size, (weights.get(line.size) ?? 0) + line.text.length);
  }
  return [...weights].reduce<[number, number]>((best, entry) => (entry[1] > best[1] ? entry : best), [0, 0])[0];
}

export function textOf(paragraph: PdfParagraph): string {
  return paragraph.lines
    .map((line) => line.text)
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Letters and digits only, so that numbering, ligatures and spacing do not keep a title from its line. */
function folded(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
