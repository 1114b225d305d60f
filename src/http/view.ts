// The canonical text of any document as a page with one span highlighted. The text is data: it is escaped, the page has no
// script and its policy allows none. Selecting and copying yields exactly the canonical text.
import type { Page } from '../core/document.ts';
import { FootnoteError } from '../core/errors.ts';
import { pageLabelOf, placeOf, placesOf } from '../core/places.ts';
import type { Footnote } from '../footnote/facade.ts';

/** No script, no image, no frame, nothing from elsewhere: only our style sheet. */
export const viewPolicy =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Longest text on one page, UTF-16 code units; longer documents are shown in parts. */
const pageLength = 200_000;
const contextLength = 1000;

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
  readonly text: string;
  readonly pages: readonly Page[];
  readonly citeByLine: boolean;
  /** The part shown, offsets into the text. */
  readonly from: number;
  readonly to: number;
}

export interface ViewRange {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly from?: number | undefined;
}

/** Reads what the page needs. Throws `invalid-request` if the range does not lie in the text. */
export async function documentView(
  documents: Footnote['documents'],
  id: string,
  range: ViewRange,
): Promise<DocumentView> {
  const document = await documents.get(id);
  const [{ text }, structure] = await Promise.all([documents.text(id), documents.structure(id)]);
  const start = range.start ?? 0;
  const end = range.end ?? start;
  if (start > end || end > text.length)
    throw new FootnoteError(
      'invalid-request',
      `query.start and query.end: ${start}..${end} is not a range of this text, which has ${text.length} characters.`,
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
    text,
    pages,
    citeByLine: document.citeByLine,
    from,
    to,
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

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // An HTML parser would change these two.
  '\r': '&#13;',
  '\u0000': '\ufffd',
};

/** Text that can stand in an element or a quoted attribute. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"'\r\0]/g, (character) => entities[character] ?? character);
}

/** In titles and names, where no element can stand. */
const escapeName = (text: string): string =>
  escapeHtml(text)
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
    .replace(/[\u061c\u200e\u200f]/g, '');

/**
 * Text of the document. Characters that turn the order of what is read (CVE-2021-42574) each stand in an isolate of their own, where they
 * turn nothing, with their name as a label: what is copied is the text all the same.
 */
const escapeText = (text: string): string =>
  escapeHtml(text).replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (control) => {
    const code = control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return `<bdi class="control" data-label="U+${code}">&#x${code};</bdi>`;
  });

/** The whole page. */
export function viewPage(view: DocumentView): string {
  const { excerpt, from, to } = view;
  const place = [
    excerpt.page === undefined ? undefined : `page ${excerpt.page}`,
    excerpt.lines === undefined
      ? undefined
      : excerpt.lines[0] === excerpt.lines[1]
        ? `line ${excerpt.lines[0]}`
        : `lines ${excerpt.lines[0]}–${excerpt.lines[1]}`,
    excerpt.place,
    `characters ${excerpt.start}–${excerpt.end} of ${excerpt.textLength}`,
  ].filter((part) => part !== undefined);
  const partLink = (offset: number, label: string): string =>
    `<a href="?start=${excerpt.start}&amp;end=${excerpt.end}&amp;from=${offset}">${label}</a>`;
  const links = [
    ...(excerpt.end > excerpt.start && excerpt.start >= from && excerpt.start < to
      ? ['<a href="#span">Go to the quoted passage</a>']
      : []),
    ...(from > 0 ? [partLink(Math.max(0, from - pageLength), 'Earlier part')] : []),
    ...(to < excerpt.textLength ? [partLink(to, 'Later part')] : []),
  ];
  const title = escapeName(excerpt.title);
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="/assets/view.css">
</head>
<body>
<header>
<h1><bdi>${title}</bdi></h1>
<p><bdi>${escapeName(excerpt.source)}</bdi> · <bdi>${escapeName(excerpt.uri)}</bdi> · ${place.join(' · ')}</p>
${links.length > 0 ? `<nav aria-label="Parts of the document">${links.join(' ')}</nav>` : ''}
</header>
<main>
<pre class="${view.citeByLine ? 'lines' : 'prose'}" dir="auto">
${renderText(view)}</pre>
</main>
</body>
</html>
`;
}

/** Whether an offset lies between the two halves of a surrogate pair. */
function splitsCharacter(text: string, offset: number): boolean {
  return /[\uD800-\uDBFF]/.test(text[offset - 1] ?? '') && /[\uDC00-\uDFFF]/.test(text[offset] ?? '');
}

interface Insert {
  readonly at: number;
  /** Among inserts at one offset: what ends before what begins. */
  readonly order: number;
  readonly html: string;
}

/** The part shown, escaped, with empty marker elements (their labels are style, not text) and the span in a mark. */
function renderText({ text, pages, citeByLine, excerpt, from, to }: DocumentView): string {
  const inserts: Insert[] = [];
  // A span that cuts a character in two is shown with the whole character: half of one cannot be sent.
  const start = Math.max(from, excerpt.start - (splitsCharacter(text, excerpt.start) ? 1 : 0));
  const end = Math.min(to, excerpt.end + (splitsCharacter(text, excerpt.end) ? 1 : 0));
  if (excerpt.start < excerpt.end && start < end) {
    // Without a script, focus is what scrolls to the span.
    inserts.push({ at: start, order: 3, html: '<mark id="span" tabindex="-1" autofocus>' });
    inserts.push({ at: end, order: 0, html: '</mark>' });
  }
  for (const page of pages)
    if (page.start >= from && page.start < to)
      inserts.push({
        at: page.start,
        order: 1,
        html: `<span class="page" id="page-${page.number}" data-label="${escapeName(`Page ${page.label ?? page.number}`)}"></span>`,
      });
  if (citeByLine) {
    let line = lineOf(text, from);
    for (let at = from; at < to; line++) {
      inserts.push({ at, order: 2, html: `<span class="line" data-label="${line}"></span>` });
      const next = text.indexOf('\n', at);
      if (next === -1) break;
      at = next + 1;
    }
  }
  inserts.sort((left, right) => left.at - right.at || left.order - right.order);
  const pieces: string[] = [];
  let at = from;
  for (const insert of inserts) {
    pieces.push(escapeText(text.slice(at, insert.at)), insert.html);
    at = insert.at;
  }
  pieces.push(escapeText(text.slice(at, to)));
  return pieces.join('');
}
