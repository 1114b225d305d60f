// PDF to canonical text: words in reading order, lines ended by "\n", paragraphs and pages by a blank line; running heads
// set aside, every word with its box. Hyphens at line ends stay, so that a quote reads as the page does.
import type { Block, BlockKind, Metadata, Page, ParsedDocument, RunningHead, WordBox } from '../../core/document.ts';
import { FootnoteError } from '../../core/errors.ts';
import type { ParseInput, Parser } from '../parse.ts';
import { canonicalText, governHeadings, type HeadingMark, parsedDocument } from './canonical-text.ts';
import type { PdfContent, PdfPage, PdfWord } from './pdf-content.ts';
import { findHeadings, type PdfParagraph, textOf } from './pdf-headings.ts';
import { layoutPage, type PdfLine } from './pdf-layout.ts';
import { readPdf } from './pdf-reader.ts';
import { findRunningHeads, type PageLines } from './pdf-running-heads.ts';
import { pdfTitle } from './pdf-title.ts';

export const pdf: Parser = {
  name: 'pdf',
  mimes: ['application/pdf'],
  parse: async (input: ParseInput) => {
    const content = await readPdf(input.bytes, input.name, input.password);
    if (content.pages.length === 0)
      throw new FootnoteError('invalid-media', `${input.name} is a PDF without pages. Export it again.`);
    if (content.pages.every((page) => page.words.length === 0)) {
      throw new FootnoteError(
        'invalid-media',
        `${input.name} has no text layer: its ${content.pages.length} page(s) are images or empty. Run OCR on it and ingest the result.`,
        { details: { reason: 'no-text-layer', pages: content.pages.length } },
      );
    }
    return assemble(content);
  },
};

function assemble(content: PdfContent): ParsedDocument {
  // What lies outside the visible page (printer's marks) is no part of the text, but it is disclosed.
  const outside = content.pages.map((page) =>
    layoutPage({
      ...page,
      words: page.words.filter((word) => !isVisible(word, page)),
    }),
  );
  const laidOut: PageLines[] = content.pages.map((page) => ({
    page,
    lines: layoutPage({
      ...page,
      words: page.words.filter((word) => isVisible(word, page)),
    }),
  }));
  const aside = findRunningHeads(laidOut);
  const paragraphs = laidOut.flatMap(({ page, lines }) =>
    paragraphsOf(
      lines.filter((line) => !aside.has(line)),
      page.number,
    ),
  );
  const levels = findHeadings(paragraphs, content.outline);

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
  let previous: PdfParagraph | undefined;
  for (const paragraph of paragraphs) {
    if (previous !== undefined) put(runsOn(previous, paragraph) || isNextRow(previous, paragraph) ? '\n' : '\n\n');
    previous = paragraph;
    if (!pageStarts.has(paragraph.page)) pageStarts.set(paragraph.page, length);
    const start = length;
    paragraph.lines.forEach((line, index) => {
      if (index > 0) put('\n');
      line.words.forEach((word, place) => {
        const text = canonicalText(word.text);
        if (place > 0 && word.spaceBefore) put(' ');
        if (text !== '') {
          const { x, y, width, height } = word;
          words.push({
            start: length,
            end: length + text.length,
            page: paragraph.page,
            x,
            y,
            width,
            height,
          });
        }
        put(text);
      });
    });
    const level = levels.get(paragraph);
    if (level !== undefined) marks.push({ start, level, title: textOf(paragraph) });
    blocks.push({
      start,
      end: length,
      kind: level === undefined ? kindOf(paragraph) : 'heading',
    });
  }
  const text = parts.join('');
  const pages = pageRanges(content, pageStarts, length);
  return parsedDocument({
    text,
    mime: 'application/pdf',
    title: pdfTitle(content.info['title'], paragraphs),
    pages,
    headings: governHeadings(marks, length),
    blocks,
    words,
    runningHeads: laidOut.flatMap(({ page, lines }, index): RunningHead[] =>
      [...lines.filter((line) => aside.has(line)), ...(outside[index] ?? [])].map((line) => ({
        page: page.number,
        text: canonicalText(line.text),
      })),
    ),
    metadata: metadataOf(content.info),
    warnings: [...content.warnings, ...doubts(content, text)],
  });
}

function isVisible(word: PdfWord, page: PdfPage): boolean {
  const x = word.x + word.width / 2;
  const y = word.y + word.height / 2;
  return x >= 0 && x <= page.width && y >= 0 && y <= page.height;
}

function paragraphsOf(lines: readonly PdfLine[], page: number): PdfParagraph[] {
  const groups: PdfLine[][] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    if (last === undefined || line.startsBlock) groups.push([line]);
    else last.push(line);
  }
  return groups.map((group) => ({ page, lines: group }));
}

/** A paragraph that a page or column break cut in two: it stops within a sentence and goes on in lower case. */
function runsOn(before: PdfParagraph, after: PdfParagraph): boolean {
  const last = before.lines.at(-1);
  const first = after.lines[0];
  if (last === undefined || first === undefined || Math.abs(last.size - first.size) > 0.5) return false;
  return /[\p{Ll},-]$/u.test(last.text) && /^\p{Ll}/u.test(first.text) && before.lines.length + after.lines.length > 3;
}

function isNextRow(before: PdfParagraph, after: PdfParagraph): boolean {
  return before.page === after.page && kindOf(before) === 'table-row' && kindOf(after) === 'table-row';
}

function kindOf({ lines }: PdfParagraph): BlockKind {
  const [first] = lines;
  if (lines.length === 1 && first?.isRow) return 'table-row';
  return first !== undefined && /^[•◦▪‣●○■□]\s/.test(first.text) ? 'list-item' : 'paragraph';
}

/** Pages tile the text; a page without text is an empty range. */
function pageRanges(content: PdfContent, starts: ReadonlyMap<number, number>, length: number): Page[] {
  const pages: Page[] = [];
  let end = length;
  for (const page of content.pages.toReversed()) {
    const start = starts.get(page.number) ?? end;
    const { number, width, height, label } = page;
    pages.push({
      number,
      start,
      end,
      width,
      height,
      ...(label === undefined ? {} : { label }),
    });
    end = start;
  }
  return pages.reverse();
}

function metadataOf({ title: _, ...others }: PdfContent['info']): Metadata {
  return Object.fromEntries(Object.entries(others).map(([key, value]) => [key, canonicalText(value)]));
}

/** What a reader should know before trusting the text. */
function doubts(content: PdfContent, text: string): string[] {
  const warnings: string[] = [];
  const silent = content.pages.filter((page) => page.words.length === 0).map((page) => page.number);
  if (silent.length > 0) {
    const list =
      silent.length > 12 ? `${silent.slice(0, 12).join(', ')} and ${silent.length - 12} more` : silent.join(', ');
    warnings.push(`${silent.length} page(s) without a text layer (empty, or images that need OCR): ${list}.`);
  }
  const broken = (text.match(/[\ufffd\p{Co}]/gu) ?? []).length;
  if (broken > 0 && broken > text.length / 200)
    warnings.push(`The character map of the file is broken: ${broken} characters have no known meaning.`);
  return warnings;
}
