// PDF to canonical text: words in reading order, lines ended by "\n", paragraphs and pages by a blank line; running heads
// set aside, every word with its box. Hyphens at line ends stay, so that a quote reads as the page does.

import { canonicalText, governHeadings, parsedDocument } from '../canonical/canonical-text.ts';
import type { Metadata, Page, ParsedDocument, RunningHead } from '../document.ts';
import { ReadError } from '../read-error.ts';
import type { ParseInput, Parser } from '../reader.ts';
import type { PdfContent, PdfNote, PdfPage, PdfWord } from './layout/pdf-content.ts';
import { keepSentencesWhole } from './layout/pdf-flow.ts';
import { bodySize, findHeadings, type PdfParagraph } from './layout/pdf-headings.ts';
import { layoutPage, type PdfLine } from './layout/pdf-layout.ts';
import { findRunningHeads, type PageLines } from './layout/pdf-running-heads.ts';
import { pdfTitle } from './layout/pdf-title.ts';
import { findStamped } from './layout/pdf-watermarks.ts';
import { recognisePages } from './ocr-pdf.ts';
import { languagesTried } from './page-recognition.ts';
import { readPdf } from './pdf-reader.ts';
import { writeParagraphs } from './pdf-writer.ts';

export const pdf: Parser = {
  name: 'pdf',
  mimes: ['application/pdf'],
  parse: async (input: ParseInput) => {
    const content = await recognisePages(await readPdf(input.bytes, input.name, input.password), input);
    if (content.pages.length === 0)
      throw new ReadError('invalid-media', `${input.name} is a PDF without pages. Export it again.`);
    if (content.pages.every((page) => page.words.length === 0 && page.notes.length === 0)) {
      const { length } = content.pages;
      throw content.pages.every((page) => page.isBlank)
        ? new ReadError('invalid-media', `${input.name} is empty: nothing stands on its ${length} page(s).`, {
            details: { reason: 'empty', pages: length },
          })
        : new ReadError(
            'invalid-media',
            `${input.name} has no text layer: its ${length} page(s) are images or empty, and ${unread(input)}`,
            { details: { reason: 'no-text-layer', pages: length } },
          );
    }
    const document = assemble(content);
    if (document.text === '')
      throw new ReadError(
        'invalid-media',
        `${input.name} shows no text: all that it holds lies outside its visible page(s). Export it again.`,
        { details: { reason: 'empty', pages: content.pages.length } },
      );
    return document;
  },
};

/** Why pictures gave no text. */
function unread(input: ParseInput): string {
  return input.recognition?.off
    ? 'OCR is switched off. Switch it on, or give a file with text.'
    : `no text was found in them ${languagesTried(input)}; or a file with text.`;
}

/** The document of pages whose words are known: of a PDF, or of pictures that were recognised. */
export function assemble(content: PdfContent, mime = 'application/pdf'): ParsedDocument {
  const { watermarks, stamps } = findStamped(content.pages);
  const linesOf = (page: PdfPage, isOfThem: (word: PdfWord) => boolean): PdfLine[] =>
    layoutPage({ ...page, words: page.words.filter(isOfThem) });
  // What lies outside the visible page (printer's marks) or is stamped on each is no part of the text, but it is disclosed.
  const outside = content.pages.map((page) => linesOf(page, (word) => !isVisible(word, page) || watermarks.has(word)));
  const laidOut: PageLines[] = content.pages.map((page) => {
    const isRead = (word: PdfWord): boolean => isVisible(word, page) && !watermarks.has(word);
    const askew = linesOf(page, (word) => isRead(word) && word.isAskew === true && stamps.has(word));
    const others = linesOf(page, (word) => isRead(word) && !(word.isAskew && stamps.has(word)));
    return { page, lines: [...others, ...askew] };
  });
  const aside = findRunningHeads(laidOut);
  const paragraphs = laidOut.flatMap(({ page, lines }) => [
    ...paragraphsOf(
      lines.filter((line) => !aside.has(line)),
      page.number,
      stamps,
    ),
    ...page.notes.map((note) => ({ page: page.number, lines: [noteLine(note)], isNote: true })),
  ]);
  const levels = findHeadings(paragraphs, content.outline);
  const body = bodySize(paragraphs);
  const ordered = keepSentencesWhole(paragraphs, { body, isHeading: (paragraph) => levels.has(paragraph) });
  const { text, words, blocks, marks, pageStarts } = writeParagraphs(ordered, levels);
  return parsedDocument({
    text,
    mime,
    title: pdfTitle(content.info['title'], paragraphs),
    pages: pageRanges(content, pageStarts, text.length),
    headings: governHeadings(marks, text.length),
    blocks,
    words,
    runningHeads: laidOut.flatMap(({ page, lines }, index): RunningHead[] =>
      [...lines.filter((line) => aside.has(line)), ...(outside[index] ?? [])].map((line) => ({
        page: page.number,
        text: canonicalText(line.text),
      })),
    ),
    metadata: metadataOf(content),
    attachments: content.attachments,
    warnings: content.warnings,
  });
}

function isVisible(word: PdfWord, page: PdfPage): boolean {
  const x = word.x + word.width / 2;
  const y = word.y + word.height / 2;
  return x >= 0 && x <= page.width && y >= 0 && y <= page.height;
}

function paragraphsOf(lines: readonly PdfLine[], page: number, stamps: ReadonlySet<PdfWord>): PdfParagraph[] {
  const groups: { readonly lines: PdfLine[]; readonly isNote: boolean }[] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    const isNote = line.words.every((word) => stamps.has(word));
    if (last === undefined || line.startsBlock || isNote !== last.isNote) groups.push({ lines: [line], isNote });
    else last.lines.push(line);
  }
  return groups.map((group) => ({ page, lines: group.lines, ...(group.isNote && { isNote: true }) }));
}

/** A note as a line of the page: every word of it stands where the note does. */
function noteLine({ text, x, y, width, height }: PdfNote): PdfLine {
  const words = text
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word): PdfWord => ({ text: word, x, y, width, height, size: 1, bold: false, turn: 0, spaceBefore: true }));
  const [right, bottom] = [x + width, y + height];
  return { words, text, x, y, right, bottom, size: 1, bold: false, isRow: false, startsBlock: true };
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

function metadataOf({ info: { title: _, ...others }, recognised }: PdfContent): Metadata {
  return {
    ...Object.fromEntries(Object.entries(others).map(([key, value]) => [key, canonicalText(value)])),
    ...(recognised && { ocrPages: recognised.pages, ocrConfidence: recognised.confidence }),
  };
}
