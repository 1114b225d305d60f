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
    const match = (byPage.get(entry.page) ?? []).find((paragraph) => {
      if (found.has(paragraph) || paragraph.lines.length > 4) return false;
      const text = folded(textOf(paragraph));
      return text === title || (text.endsWith(title) && text.length - title.length <= 14);
    });
    if (match !== undefined) found.set(match, Math.min(6, entry.level));
  }
  return found;
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
    (run) => ideograph.test(run) || new Set(run.toLowerCase()).size > 1,
  );
  return [...words.join('')].length >= signs.length * fewestInWords;
}

const ideograph = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

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
