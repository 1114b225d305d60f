// What is said of places that were read back, verified: for claims that the form of a passage makes.
import type { SpanReader, VerifiedClaim, VerifiedSpan } from '../../answer/claims/draft.ts';
import { verifyDraft } from '../../answer/verify.ts';

export interface Reading {
  readonly readSpan: SpanReader;
  readonly signal: AbortSignal;
}

/** `isLast`: nothing more is looked for, so that what is less sure of its place counts as well. */
export interface FormReading extends Reading {
  readonly isLast?: boolean;
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
