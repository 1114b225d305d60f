// A citation names the page on which it begins. A passage whose marked part stands on a later page therefore begins on that page.
// Invariant: what is left is the end of the passage, exactly, and the marked part stands in it.
import type { CallContext } from '../../core/context.ts';
import { isFootnoteError } from '../../core/errors.ts';
import type { Evidence } from '../../core/search.ts';
import type { Frame } from '../../passages/frame.ts';
import { pinpointOf } from '../../passages/pinpoint.ts';
import type { RankedPassage } from '../../passages/rank.ts';
import type { SpanReader } from '../claims/draft.ts';

type OfEvidence = RankedPassage<Evidence>;

/** The same passage where the document has no pages, or one page holds all that stands before the marked part. */
export async function onOnePage(
  one: OfEvidence,
  frame: Frame,
  { readSpan, deadline }: { readonly readSpan: SpanReader; readonly deadline: CallContext['deadline'] },
): Promise<OfEvidence> {
  const { chunk, passage, partCosines } = one;
  const marked = chunk.page === undefined ? undefined : pinpointOf(frame, passage, partCosines)?.part;
  if (!marked) return one;
  const { documentId, chunkId } = chunk;
  const pageOf = async ({ start, end }: { readonly start: number; readonly end: number }) =>
    (
      await readSpan(
        { documentId, chunkId, start: chunk.start + start, end: chunk.start + end },
        deadline.signal,
      ).catch(ignoreCorrupt)
    )?.page;
  const page = await pageOf(marked);
  if (page === (await pageOf(passage))) return one;
  let first = marked;
  for (const part of passage.parts.filter(({ start }) => start < marked.start).reverse()) {
    if ((await pageOf(part)) !== page) break;
    first = part;
  }
  const { start } = first;
  const parts = passage.parts.filter((part) => part.start >= start);
  const gone = passage.parts.length - parts.length;
  return {
    ...one,
    passage: { ...passage, start, text: passage.text.slice(start - passage.start), parts },
    ...(partCosines && { partCosines: partCosines.slice(gone) }),
  };
}

/** The check of citations says that a record is damaged. */
function ignoreCorrupt(error: unknown): undefined {
  if (isFootnoteError(error) && error.code === 'data-corrupt') return undefined;
  throw error;
}
