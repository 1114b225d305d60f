// Writes paragraphs of a PDF as canonical text: lines ended by "\n", paragraphs by a blank line, cells of a table parted by " | ",
// and says where every word stands.

import { canonicalText, type HeadingMark } from '../canonical/canonical-text.ts';
import type { Block, BlockKind, WordBox } from '../document.ts';
import type { PdfWord } from './layout/pdf-content.ts';
import { runsOn } from './layout/pdf-flow.ts';
import { type PdfParagraph, textOf } from './layout/pdf-headings.ts';
import type { PdfLine } from './layout/pdf-layout.ts';

export interface WrittenText {
  readonly text: string;
  readonly words: readonly WordBox[];
  readonly blocks: readonly Block[];
  readonly marks: readonly HeadingMark[];
  /** Where each page begins that has text. */
  readonly pageStarts: ReadonlyMap<number, number>;
}

const cellBorder = ' | ';

/** `levels` holds the paragraphs that are headings. */
export function writeParagraphs(
  paragraphs: readonly PdfParagraph[],
  levels: ReadonlyMap<PdfParagraph, number>,
): WrittenText {
  const parts: string[] = [];
  const words: WordBox[] = [];
  const blocks: Block[] = [];
  const marks: HeadingMark[] = [];
  const pageStarts = new Map<number, number>();
  let length = 0;
  const put = (text: string): void => {
    parts.push(text);
    length += text.length;
  };
  const putWord = (word: PdfWord, page: number): void => {
    const text = canonicalText(word.text);
    const { x, y, width, height } = word.printed ?? word;
    if (text !== '') words.push({ start: length, end: length + text.length, page, x, y, width, height });
    put(text);
  };
  const putWords = (line: readonly PdfWord[], page: number): void => {
    line.forEach((word, place) => {
      if (place > 0 && word.spaceBefore) put(' ');
      putWord(word, page);
    });
  };
  const putLine = ({ row, words: whole }: PdfLine, page: number): void => {
    const start = length;
    for (const [column, cell] of (row ?? [whole]).entries()) {
      // A row begins with its first cell, or with the border that shows it empty.
      if (column > 0) put(length === start ? cellBorder.trimStart() : cellBorder);
      putWords(cell, page);
    }
  };

  let previous: PdfParagraph | undefined;
  for (const paragraph of paragraphs) {
    if (previous !== undefined) put(runsOn(previous, paragraph) || isNextRow(previous, paragraph) ? '\n' : '\n\n');
    previous = paragraph;
    if (!pageStarts.has(paragraph.page)) pageStarts.set(paragraph.page, length);
    const start = length;
    paragraph.lines.forEach((line, index) => {
      if (index > 0) put('\n');
      putLine(line, paragraph.page);
    });
    const level = levels.get(paragraph);
    if (level !== undefined) marks.push({ start, level, title: textOf(paragraph) });
    if (length > start) blocks.push({ start, end: length, kind: level === undefined ? kindOf(paragraph) : 'heading' });
  }
  return { text: parts.join(''), words, blocks, marks, pageStarts };
}

function isNextRow(before: PdfParagraph, after: PdfParagraph): boolean {
  return before.page === after.page && kindOf(before) === 'table-row' && kindOf(after) === 'table-row';
}

function kindOf({ lines, isNote }: PdfParagraph): BlockKind {
  const [first] = lines;
  if (isNote) return 'other';
  if (lines.length === 1 && first?.isRow) return 'table-row';
  return first !== undefined && /^[•◦▪‣●○■□]\s/.test(first.text) ? 'list-item' : 'paragraph';
}
