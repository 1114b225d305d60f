// Reads what names the columns of a cited row: the header stands above it in the same document, and is read there as evidence, not cited.
// Invariant: nothing is read but through the reader of the request, for its scope and from the row's own chunk.
import type { SpanReader, VerifiedSpan } from './draft.ts';
import { columnsAbove, farthestHeader } from './table-columns.ts';
import { type Columns, isBarRow } from './table-rows.ts';

/** So much is read above a row at first; twice as much each time until the header is found or the chunk begins. */
const firstStep = 1_024;

/** The columns of the row that a span begins with; undefined where it is none, or its header cannot be told. */
export async function readColumns(
  span: VerifiedSpan,
  reader: SpanReader,
  signal?: AbortSignal,
): Promise<Columns | undefined> {
  if (!isBarRow(span.quote.split('\n', 1)[0] ?? '')) return undefined;
  if (span.columns) return span.columns;
  const { documentId, chunkId, end } = span;
  // A span that begins outside of its chunk is not read: where the chunk begins is found by asking.
  let [readable, refused] = [span.start, -1];
  for (let step = firstStep; readable - refused > 1 && span.start - readable < farthestHeader; ) {
    const start = refused < 0 ? Math.max(0, readable - step) : Math.floor((readable + refused) / 2);
    const read = await reader({ documentId, chunkId, start, end }, signal);
    if (read?.start !== start || read.end !== end || !read.quote.endsWith(span.quote)) refused = start;
    else {
      readable = start;
      const columns = columnsAbove(read.quote, span.start - start, start === 0);
      if (columns) return columns;
      step *= 2;
    }
  }
  return undefined;
}
