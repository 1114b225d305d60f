// Reads what a PDF says about itself with PDFium: its outline (bookmarks) in order with levels, and its information
// dictionary (ISO 32000-1, 12.3.3 and 14.3.3). Bounded: an outline that runs in circles ends.

import type { OpenPdf } from '../../engines/pdf-module.ts';
import type { PdfOutlineEntry } from './pdf-content.ts';

const mostOutlineEntries = 5000;

/** Entries that lead to a page of the document. */
export function readOutline({ pdfium, memory, document }: OpenPdf): PdfOutlineEntry[] {
  const entries: PdfOutlineEntry[] = [];
  const visited = new Set<number>();
  const pending: { bookmark: number; level: number }[] = [];
  const open = (parent: number, level: number): void => {
    const siblings: { bookmark: number; level: number }[] = [];
    for (
      let bookmark = pdfium.FPDFBookmark_GetFirstChild(document, parent);
      bookmark !== 0 && !visited.has(bookmark) && visited.size < mostOutlineEntries;
      bookmark = pdfium.FPDFBookmark_GetNextSibling(document, bookmark)
    ) {
      visited.add(bookmark);
      siblings.push({ bookmark, level });
    }
    pending.push(...siblings.reverse());
  };
  open(0, 1);
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    const { bookmark, level } = item;
    const title = memory.utf16((buffer, length) => pdfium.FPDFBookmark_GetTitle(bookmark, buffer, length));
    let target = pdfium.FPDFBookmark_GetDest(document, bookmark);
    if (target === 0) {
      const action = pdfium.FPDFBookmark_GetAction(bookmark);
      if (action !== 0) target = pdfium.FPDFAction_GetDest(document, action);
    }
    if (target !== 0)
      entries.push({
        title,
        level,
        page: pdfium.FPDFDest_GetDestPageIndex(document, target) + 1,
      });
    open(bookmark, level + 1);
  }
  return entries;
}

const infoKeys = {
  Title: 'title',
  Author: 'author',
  Subject: 'subject',
  Keywords: 'keywords',
  Creator: 'creator',
  Producer: 'producer',
};

/** The fields that are set; dates as RFC 3339. */
export function readInfo({ pdfium, memory, document }: OpenPdf): Record<string, string> {
  const info: Record<string, string> = {};
  const read = (tag: string): string =>
    memory.utf16((buffer, length) => pdfium.FPDF_GetMetaText(document, tag, buffer, length)).trim();
  for (const [tag, key] of Object.entries(infoKeys)) {
    const value = read(tag);
    if (value !== '') info[key] = value;
  }
  for (const [tag, key] of [
    ['CreationDate', 'created'],
    ['ModDate', 'modified'],
  ] as const) {
    const date = pdfDate(read(tag));
    if (date !== undefined) info[key] = date;
  }
  return info;
}

/** PDF dates (ISO 32000-1, 7.9.4), such as D:20090401163925-07'00', as RFC 3339. */
function pdfDate(value: string): string | undefined {
  const match = /^D?:?(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?(?:([+-])(\d{2})'?(\d{2})?)?/.exec(value);
  if (match === null) return undefined;
  const [
    ,
    year,
    month = '01',
    day = '01',
    hour = '00',
    minute = '00',
    second = '00',
    sign,
    offsetHours,
    offsetMinutes = '00',
  ] = match;
  const zone = sign === undefined ? 'Z' : `${sign}${offsetHours}:${offsetMinutes}`;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
