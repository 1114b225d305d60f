// What is said of places that were read back, verified: for claims that the form of a passage makes.
import { claimTextOf } from '../../answer/claim-text.ts';
import type { SpanReader, VerifiedClaim, VerifiedSpan } from '../../answer/claims/draft.ts';
import { verifyDraft } from '../../answer/verify.ts';
import type { SourceSpan } from '../../core/document.ts';
import type { Evidence } from '../../core/search.ts';

export interface Reading {
  readonly readSpan: SpanReader;
  readonly signal: AbortSignal;
}

/** What stands at a place of a passage, as the record has it. `place`: from the beginning of the passage. */
export const readPlace = (
  { documentId, chunkId, start }: Evidence,
  place: SourceSpan,
  { readSpan, signal }: Reading,
): Promise<VerifiedSpan | undefined> =>
  readSpan({ documentId, chunkId, start: start + place.start, end: start + place.end }, signal);

/** What stands at a place, said as it is; none where the record has nothing there. Throws what the reader throws. */
export async function claimsAt(
  evidence: Evidence,
  place: SourceSpan,
  reading: Reading,
): Promise<readonly VerifiedClaim[]> {
  const span = await readPlace(evidence, place, reading);
  return span ? claimsThat(claimTextOf(span.quote), [span], reading) : [];
}

/** One claim, or none where the spans do not carry it. Throws what the reader throws. */
export async function claimsThat(
  text: string,
  spans: readonly VerifiedSpan[],
  { readSpan, signal }: Reading,
): Promise<readonly VerifiedClaim[]> {
  const { claims } = await verifyDraft(
    { claims: [{ text, spans, relevance: 1 }], coverage: 1, confidence: 1 },
    readSpan,
    { signal },
  );
  return claims;
}
