// A span of a document in its surroundings, and the part of the text that a page shows around it. Pure, so that the thread that reads
// long documents can do it (record-thread.ts): what leaves it is short.
import type { DocumentRecord, Page } from '../../core/document.ts';
import { pageLabelOf, placeOf, placesOf } from '../../core/documents/places.ts';
import { FootnoteError } from '../../core/errors.ts';
import type { DocumentStructure } from '../../db/repositories/changes.ts';

/** Longest text on one page, UTF-16 code units; longer documents are shown in parts. */
export const pageLength = 200_000;
const contextLength = 1000;
/** A quote is a passage; whole documents are read as text. */
const longestQuote = 1_000_000;

export interface DocumentExcerpt {
  readonly documentId: string;
  readonly title: string;
  readonly uri: string;
  readonly source: string;
  readonly start: number;
  readonly end: number;
  readonly quote: string;
  readonly before: string;
  readonly after: string;
  readonly page?: number;
  readonly lines?: readonly [first: number, last: number];
  readonly place?: string;
  readonly textLength: number;
}

export interface DocumentView {
  readonly excerpt: DocumentExcerpt;
  readonly citeByLine: boolean;
  /** The part shown, offsets into the text. */
  readonly from: number;
  readonly to: number;
  readonly shown: string;
  /** The line, from 1, that the part shown begins in. */
  readonly firstLine: number;
  /** Those that begin in the part shown. */
  readonly pages: readonly Page[];
}

export interface ViewedDocument {
  readonly document: DocumentRecord;
  readonly text: string;
  readonly structure: DocumentStructure;
}

export interface ViewRange {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly from?: number | undefined;
}

/** Throws `invalid-request` if the range does not lie in the text, or is longer than a view shows. */
export function viewOf({ document, text, structure }: ViewedDocument, range: ViewRange): DocumentView {
  const start = range.start ?? 0;
  const end = range.end ?? start;
  if (start > end || end > text.length)
    throw new FootnoteError(
      'invalid-request',
      `query.start and query.end: ${start}..${end} is not a range of this text, which has ${text.length} characters.`,
    );
  if (end - start > longestQuote)
    throw new FootnoteError(
      'invalid-request',
      `query.start and query.end: a view shows at most ${longestQuote} characters, not ${end - start}. GET the text for longer ranges.`,
    );
  const { pages } = structure;
  const shownPage = pages.find((candidate) => start < candidate.end && start >= candidate.start);
  const page = shownPage?.number;
  const place = placeOf(placesOf(structure, document), { start, end }) ?? pageLabelOf(shownPage);
  const { from, to } = shownPart(text, { from: range.from, start });
  return {
    excerpt: {
      documentId: document.id,
      title: document.title,
      uri: document.uri,
      source: document.source,
      start,
      end,
      quote: text.slice(start, end),
      before: text.slice(Math.max(0, start - contextLength), start),
      after: text.slice(end, end + contextLength),
      ...(page === undefined ? {} : { page }),
      ...(document.citeByLine ? { lines: [lineOf(text, start), lineOf(text, Math.max(start, end - 1))] as const } : {}),
      ...(place === undefined ? {} : { place }),
      textLength: text.length,
    },
    citeByLine: document.citeByLine,
    from,
    to,
    shown: text.slice(from, to),
    firstLine: document.citeByLine ? lineOf(text, from) : 1,
    pages: pages.filter((one) => one.start >= from && one.start < to),
  };
}

function shownPart(
  text: string,
  { from, start }: { from: number | undefined; start: number },
): { from: number; to: number } {
  if (text.length <= pageLength) return { from: 0, to: text.length };
  const wanted = Math.min(from ?? Math.max(0, start - pageLength / 4), Math.max(0, text.length - 1));
  // Begin at a line, if one is near.
  const lineStart = text.lastIndexOf('\n', wanted) + 1;
  const near = wanted - lineStart < 10_000 ? lineStart : wanted;
  const begin = near - (splitsCharacter(text, near) ? 1 : 0);
  const end = Math.min(text.length, begin + pageLength);
  return { from: begin, to: end - (splitsCharacter(text, end) ? 1 : 0) };
}

/** The line of an offset, from 1. */
function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

/** Whether an offset lies between the two halves of a surrogate pair. */
export function splitsCharacter(text: string, offset: number): boolean {
  return /[\uD800-\uDBFF]/.test(text[offset - 1] ?? '') && /[\uDC00-\uDFFF]/.test(text[offset] ?? '');
}
