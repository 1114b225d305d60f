// Keeps sentences whole across columns and pages: where a paragraph stops within a sentence, what the page sets in between (footnotes,
// tables, captions, labels of figures, notes) goes before or after it. Nothing leaves its page, nothing is lost.
import type { PdfParagraph } from './pdf-headings.ts';
import { isCaption } from './pdf-layout.ts';

export interface FlowFacts {
  /** Size of the type that most of the text is set in. */
  readonly body: number;
  /** Headings end what is before them. */
  readonly isHeading: (paragraph: PdfParagraph) => boolean;
}

/** Paragraphs that may stand between two parts of one. */
const mostBetween = 80;
/** Of the size of the body: footnotes and labels of figures are smaller. */
const smallType = 0.93;

export function keepSentencesWhole(paragraphs: readonly PdfParagraph[], facts: FlowFacts): PdfParagraph[] {
  const ordered = [...paragraphs];
  for (let at = 0; at < ordered.length; at++) {
    const before = ordered[at];
    if (before === undefined || isAside(before, facts.body) || facts.isHeading(before)) continue;
    let next = at + 1;
    while (next < ordered.length && next - at <= mostBetween && mayBeAside(ordered[next], facts.body)) next++;
    // Without a caption among them, short lines are no labels.
    if (!ordered.slice(at + 1, next).some(hasCaption))
      for (next = at + 1; next < ordered.length && next - at <= mostBetween; next++)
        if (!isAside(ordered[next], facts.body)) break;
    const after = ordered[next];
    if (next === at + 1 || after === undefined || facts.isHeading(after) || !runsOn(before, after)) continue;
    const between = ordered.slice(at + 1, next);
    // No page goes before or behind another, as a full page of figures would between two of text.
    if (between.some(({ page }) => page !== before.page && page !== after.page)) continue;
    // Each page is one range of the text: what stands on the first page goes before, what stands on the next one behind.
    const first = after.page === before.page ? [] : between.filter(({ page }) => page === before.page);
    const rest = between.filter((paragraph) => !first.includes(paragraph));
    // Not between a heading and its text.
    let start = at;
    for (
      let over = ordered[start - 1];
      over && over.page === before.page && facts.isHeading(over);
      over = ordered[start - 1]
    )
      start--;
    [...first, ...ordered.slice(start, at + 1), after, ...rest].forEach((paragraph, index) => {
      ordered[start + index] = paragraph;
    });
    at += first.length;
  }
  return ordered;
}

/** Characters of a line that may be a label within a figure or a line of a listing. */
const longestLabel = 45;

function mayBeAside(paragraph: PdfParagraph | undefined, body: number): boolean {
  if (paragraph === undefined) return false;
  return isAside(paragraph, body) || paragraph.lines.every(({ text }) => text.length <= longestLabel);
}

function hasCaption({ lines }: PdfParagraph): boolean {
  return isCaption(lines[0]?.text ?? '');
}

/** What is set beside the text rather than in it. */
function isAside(paragraph: PdfParagraph | undefined, body: number): boolean {
  const first = paragraph?.lines[0];
  if (paragraph === undefined || first === undefined) return false;
  if (paragraph.isNote || first.isRow || isCaption(first.text) || first.words[0]?.turn !== 0) return true;
  return paragraph.lines.every((line) => line.size <= body * smallType);
}

/** A paragraph that a page or column break, or what stands between, cut in two: it stops within a sentence and goes on. */
export function runsOn(before: PdfParagraph, after: PdfParagraph): boolean {
  const last = before.lines.at(-1);
  const first = after.lines[0];
  if (last === undefined || first === undefined || before.isNote || after.isNote) return false;
  if (Math.abs(last.size - first.size) > 0.5 || first.isRow || last.isRow) return false;
  if (/[\p{Ll},-]$/u.test(last.text) && /^\p{Ll}/u.test(first.text))
    return before.lines.length + after.lines.length > 3;
  return isBroken(before, after);
}

/** The line fills its column, no sentence ends with it, and the text goes on at the top of another column or page. */
function isBroken(before: PdfParagraph, after: PdfParagraph): boolean {
  const last = before.lines.at(-1);
  const first = after.lines[0];
  if (last === undefined || first === undefined || before.lines.length < 2 || after.lines.length < 2) return false;
  const right = before.lines.reduce((most, line) => Math.max(most, line.right), Number.NEGATIVE_INFINITY);
  const isElsewhere = after.page !== before.page || first.bottom < last.y;
  const isOpen = /[\p{L}\p{N},-]$/u.test(last.text) && last.right > right - last.size * 2;
  return (
    isElsewhere &&
    isOpen &&
    last.bold === first.bold &&
    /^[\p{L}\p{N}("“„‘]/u.test(first.text) &&
    !isCaption(first.text)
  );
}
