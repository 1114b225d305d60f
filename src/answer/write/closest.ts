// The passages that come closest to a question that a model found no answer to: the sentences that would have been said without it, else how
// the best passages that it read begin. Invariant: only what the verifier keeps.
import { countWords } from '../../text/sentences.ts';
import { claimTextOf } from '../claim-text.ts';
import type { Context, Draft, DraftClaim, VerifiedClaim } from '../claims/draft.ts';
import type { ComposePorts } from '../composer.ts';
import { piecesOf } from '../extract/readings.ts';
import { verifyDraft } from '../verify.ts';

const mostPassages = 3;
const longestWords = 60;

/** Throws what the reader throws. */
export async function closestPassages(
  { draft, context: { blocks } }: { readonly draft: Draft; readonly context: Context },
  { readSpan, deadline }: Pick<ComposePorts, 'readSpan' | 'deadline'>,
): Promise<readonly VerifiedClaim[]> {
  const claims = draft.claims.length > 0 ? draft.claims : blocks.flatMap(({ evidence }) => openingOf(evidence));
  const asked = { ...draft, claims: claims.slice(0, mostPassages) };
  return (await verifyDraft(asked, readSpan, { signal: deadline.signal })).claims;
}

/** The first sentences of a passage. */
function openingOf({ documentId, chunkId, text, start }: Context['blocks'][number]['evidence']): readonly DraftClaim[] {
  let end = 0;
  for (const piece of piecesOf(text)) {
    if (countWords(text.slice(0, piece.end)) > longestWords) break;
    end = piece.end;
  }
  const opening = text.slice(0, end);
  const from = opening.search(/\S/u);
  if (from < 0) return [];
  const spans = [{ documentId, chunkId, start: start + from, end: start + end }];
  return [{ text: claimTextOf(opening.slice(from)), spans, relevance: 0 }];
}
