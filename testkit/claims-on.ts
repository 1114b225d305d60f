// Claims as the verifier leaves them, for tests and benches: the words of a passage, cited where they stand in it.
import type { VerifiedClaim } from '../src/answer/claims/draft.ts';
import type { Evidence } from '../src/core/search.ts';

/** Throws where the passage does not hold the text. */
export function claimOn(evidence: Evidence, text: string): VerifiedClaim {
  const at = evidence.text.indexOf(text);
  if (at < 0) throw new Error(`The passage does not say: ${text}`);
  const { documentId, chunkId, title, uri, source } = evidence;
  const span = {
    documentId,
    chunkId,
    title,
    uri,
    source,
    start: evidence.start + at,
    end: evidence.start + at + text.length,
  };
  return { text, relevance: 1, support: 1, kind: 'quoted', spans: [{ ...span, quote: text }] };
}
