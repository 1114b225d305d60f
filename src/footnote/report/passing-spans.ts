// Spans of files that came with a request: no record holds them, and they are read in the passages that its trace has of them.
import type { SpanReader } from '../../answer/claims/draft.ts';
import { columnsAbove } from '../../answer/tables/columns.ts';
import { isBarRow } from '../../answer/tables/rows.ts';
import type { RankedRow } from '../../retrieval/rank.ts';
import { lineAt } from '../record/span-reader.ts';

/** What such passages do not hold is read as before. */
export function withPassing(readSpan: SpanReader, passages: ReadonlyMap<string, RankedRow>): SpanReader {
  return async (reference, signal) => {
    const { documentId, chunkId, start, end } = reference;
    const row = passages.get(chunkId);
    if (row?.document.id !== documentId) return readSpan(reference, signal);
    const { chunk, document } = row;
    if (start < chunk.start || end > chunk.end || start >= end) return undefined;
    const from = start - chunk.start;
    const quote = chunk.text.slice(from, end - chunk.start);
    const columns = isBarRow(quote.split('\n', 1)[0] ?? '') ? columnsAbove(chunk.text, from) : undefined;
    const line = (at: number): number => (chunk.lines?.[0] ?? 1) - 1 + lineAt(chunk.text, at - chunk.start);
    return {
      ...{ documentId, chunkId, start, end, quote },
      ...{ title: document.title, uri: document.uri, source: document.source },
      ...(document.citeByLine && { lines: [line(start), line(Math.max(start, end - 1))] as const }),
      ...(chunk.place !== undefined && !document.citeByLine && { place: chunk.place }),
      ...(columns && { columns }),
    };
  };
}
