// The canonical text of any document as a page with one span highlighted. The text is data: it is escaped, the page has no
// script and its policy allows none. Selecting and copying yields exactly the canonical text.

import type { Footnote } from '../../footnote/facade.ts';
import {
  type DocumentView,
  pageLength,
  splitsCharacter,
  type ViewRange,
  viewOf,
} from '../../footnote/record/document-view.ts';
import { escapeName, escapeText } from '../../footnote/report/inert-html.ts';

/** No script, no image, no frame, nothing from elsewhere: only our style sheet. */
export const viewPolicy =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Reads what the page needs. Throws `invalid-request` if the range does not lie in the text. */
export async function documentView(
  documents: Footnote['documents'],
  id: string,
  range: ViewRange,
): Promise<DocumentView> {
  const elsewhere = await documents.view?.(id, range);
  if (elsewhere) return elsewhere;
  const document = await documents.get(id);
  const [{ text }, structure] = await Promise.all([documents.text(id), documents.structure(id)]);
  return viewOf({ document, text, structure }, range);
}

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
<link rel="stylesheet" href="../../../assets/view.css">
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

interface Insert {
  readonly at: number;
  /** Among inserts at one offset: what ends before what begins. */
  readonly order: number;
  readonly html: string;
}

/** The part shown, escaped, with empty marker elements (their labels are style, not text) and the span in a mark. */
function renderText({ shown, firstLine, pages, citeByLine, excerpt, from, to }: DocumentView): string {
  const inserts: Insert[] = [];
  // A span that cuts a character in two is shown with the whole character: half of one cannot be sent.
  const start = Math.max(from, excerpt.start - (splitsCharacter(shown, excerpt.start - from) ? 1 : 0));
  const end = Math.min(to, excerpt.end + (splitsCharacter(shown, excerpt.end - from) ? 1 : 0));
  if (excerpt.start < excerpt.end && start < end) {
    // Without a script, focus is what scrolls to the span.
    inserts.push({ at: start, order: 3, html: '<mark id="span" tabindex="-1" autofocus>' });
    inserts.push({ at: end, order: 0, html: '</mark>' });
  }
  for (const page of pages)
    inserts.push({
      at: page.start,
      order: 1,
      html: `<span class="page" id="page-${page.number}" data-label="${escapeName(`Page ${page.label ?? page.number}`)}"></span>`,
    });
  if (citeByLine) {
    let line = firstLine;
    for (let at = from; at < to; line++) {
      inserts.push({ at, order: 2, html: `<span class="line" data-label="${line}"></span>` });
      const next = shown.indexOf('\n', at - from);
      if (next === -1) break;
      at = from + next + 1;
    }
  }
  inserts.sort((left, right) => left.at - right.at || left.order - right.order);
  const pieces: string[] = [];
  let at = from;
  for (const insert of inserts) {
    pieces.push(escapeText(shown.slice(at - from, insert.at - from)), insert.html);
    at = insert.at;
  }
  pieces.push(escapeText(shown.slice(at - from)));
  return pieces.join('');
}
