// What is told of all compared things together, from what was found of each: which came first, which is longer. Invariant: a comparison rests on quotes that
// were read back from the record and passes the verifier like any claim; where it cannot be told, the answer says why.
import type { SpanReader, SpanReference, VerifiedClaim, VerifiedSpan } from '../../answer/claims/draft.ts';
import { compareBy } from '../../answer/support/compared/compare.ts';
import { verifyDraft } from '../../answer/verify.ts';
import type { Evidence } from '../../core/search.ts';
import type { Weighing } from '../plan/weighing.ts';
import { candidatePlaces } from './candidate-places.ts';

export interface Weighed {
  readonly claim?: VerifiedClaim;
  /** Why there is none. */
  readonly missing?: string;
}

/** Places that are read back for one thing. */
const mostReads = 12;

/** Throws what the reader throws. */
export async function weigh(
  { things, relation }: Weighing,
  evidence: readonly Evidence[],
  { readSpan, signal }: { readonly readSpan: SpanReader; readonly signal: AbortSignal },
): Promise<Weighed> {
  if (!relation) return { missing: 'No figures tell it outright: it can only be read from what is cited for each.' };
  const references = new Map<string, SpanReference>();
  for (const thing of things) {
    let reads = 0;
    for (const { documentId, chunkId, start, text, title } of evidence)
      for (const place of candidatePlaces({ text, title }, thing, relation)) {
        if (reads >= mostReads) break;
        reads += 1;
        const span = { documentId, chunkId, start: start + place.start, end: start + place.end };
        references.set(JSON.stringify([documentId, span.start, span.end]), span);
      }
  }
  const spans: VerifiedSpan[] = [];
  for (const reference of references.values()) {
    const span = await readSpan(reference, signal);
    if (span) spans.push(span);
  }
  const compared = compareBy(relation, things, spans);
  if ('missing' in compared) return { missing: compared.missing };
  const rests = compared.quotes.flatMap((at) => spans[at] ?? []);
  const { claims } = await verifyDraft(
    { claims: [{ text: compared.text, spans: rests, relevance: 1 }], coverage: 1, confidence: 1 },
    readSpan,
    { signal },
  );
  const [claim] = claims;
  return claim ? { claim } : { missing: 'The comparison did not pass the check against the cited text.' };
}
