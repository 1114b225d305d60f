// Reads spans for the verifier: what the record holds at an offset now, its hashes checked on the way.
// One reader serves one request, so a document that carries many citations is read and hashed once.
import type { SpanReader, VerifiedSpan } from '../../answer/claims/draft.ts';
import { quotedAt } from '../../answer/claims/quoted.ts';
import { columnsAbove } from '../../answer/tables/columns.ts';
import { isBarRow } from '../../answer/tables/rows.ts';
import type { Page } from '../../core/document.ts';
import { pageLabelOf, placeOf } from '../../core/documents/places.ts';
import type { TenantRecord } from '../../db/tenant-record.ts';
import { standingText } from '../../text/struck-text.ts';

/** The page a position lies on; a position between two pages belongs to the one before. */
export function pageAt(pages: readonly Page[], position: number): Page | undefined {
  let low = 0;
  let high = pages.length - 1;
  let found: Page | undefined;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const page = pages[middle];
    if (page === undefined) break;
    if (page.start <= position) {
      found = page;
      low = middle + 1;
    } else high = middle - 1;
  }
  return found;
}

/** Line number (from 1) of a position. */
export function lineAt(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < position; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

/** UTF-16 code units: to read and hash as many takes some 5 ms. */
const longText = 500_000;

export function createSpanReader(record: TenantRecord): SpanReader {
  const texts = new Map<string, Promise<{ readonly text: string; readonly standing: string } | undefined>>();
  const layouts = new Map<string, ReturnType<TenantRecord['documents']['places']>>();
  const once = <T>(cache: Map<string, Promise<T>>, key: string, read: () => Promise<T>): Promise<T> => {
    const present = cache.get(key);
    if (present !== undefined) return present;
    const reading = read();
    cache.set(key, reading);
    return reading;
  };

  const readText = async (documentId: string) => {
    const text = await record.documents.text(documentId);
    return text === undefined ? undefined : { text, standing: standingText(text) };
  };

  // oxlint-disable-next-line complexity -- Each field that may be absent is a case.
  return async ({ documentId, chunkId, start, end }): Promise<VerifiedSpan | undefined> => {
    const [row] = await record.documents.chunksById([chunkId]);
    if (row === undefined || row.document.id !== documentId) return undefined;
    const { chunk, document } = row;
    if (!(Number.isInteger(start) && Number.isInteger(end)) || start < chunk.start || end > chunk.end || start >= end)
      return undefined;
    const inChunk = { start: start - chunk.start, end: end - chunk.start };
    const opening = chunk.text.slice(inChunk.start, inChunk.end).split('\n', 1)[0] ?? '';
    // The chunk is its span of the text, under a hash of its own; a long document is read whole only for what stands before its chunk.
    const isEnough = document.textLength > longText && !isBarRow(opening) && (chunk.lines || !document.citeByLine);
    const whole = isEnough ? undefined : await once(texts, documentId, () => readText(documentId));
    if (whole === undefined && !isEnough) return undefined;
    const text = whole?.text;
    const layout =
      chunk.pages || chunk.place !== undefined || !document.citeByLine
        ? await once(layouts, documentId, () => record.documents.places(documentId))
        : undefined;
    const page = chunk.pages ? pageAt(layout?.pages ?? [], start) : undefined;
    const place = placeOf(layout?.places ?? [], { start, end }) ?? pageLabelOf(page);
    const quoted = whole ? quotedAt(whole.text, { start, end }, whole.standing) : quotedAt(chunk.text, inChunk);
    // The header of a row of a table may stand in an earlier chunk.
    const columns = whole && isBarRow(opening) ? columnsAbove(whole.standing, start) : undefined;
    const line = (at: number): number =>
      text === undefined ? (chunk.lines?.[0] ?? 1) - 1 + lineAt(chunk.text, at - chunk.start) : lineAt(text, at);
    return {
      documentId,
      chunkId,
      start,
      end,
      ...quoted,
      title: document.title,
      uri: document.uri,
      source: document.source,
      ...(page && { page: page.number }),
      ...(document.citeByLine && { lines: [line(start), line(Math.max(start, end - 1))] as const }),
      ...(place !== undefined && { place }),
      ...(columns && { columns }),
    };
  };
}
