// The vocabulary between composing and verifying: a draft proposes claims with the spans that should carry them; only
// what the verifier accepts becomes an Answer.
import type { ClaimForm, ClaimKind } from '../../core/answer.ts';
import type { SpanOrigin } from '../../core/answers/span-origin.ts';
import type { SourceSpan } from '../../core/document.ts';
import type { Evidence } from '../../core/search.ts';
import type { Degree } from '../support/grade.ts';
import type { Columns } from '../tables/rows.ts';

/** A span of one document that a claim rests on. `chunkId` names the chunk it was read in. */
export interface SpanReference extends SourceSpan {
  readonly documentId: string;
  readonly chunkId: string;
}

/** What a passage has beside its text. */
export interface PassageFacts {
  /** Present: the claim is an exact piece of the span that it cites. */
  readonly form?: ClaimForm;
  /** The title and the headings over it, outermost first. */
  readonly headingPath?: readonly string[];
  /** The part that answers: offsets into the text. */
  readonly pinpoint?: SourceSpan;
}

export interface DraftClaim extends PassageFacts {
  /** One sentence, list item or table row of at most 60 words, or a passage of at most 120. */
  readonly text: string;
  readonly spans: readonly SpanReference[];
  /** How well it answers the question, 0..1. */
  readonly relevance: number;
}

export interface Draft {
  readonly claims: readonly DraftClaim[];
}

/** What the composer reads: a chunk that fits the budget, with its tokens. */
export interface ContextBlock {
  readonly evidence: Evidence;
  readonly tokens: number;
  /** One sentence stands for a chunk that the budget has no room for. */
  readonly isSummary?: true;
}

export interface Context {
  readonly blocks: readonly ContextBlock[];
  readonly tokens: number;
  /** Evidence left out and why, `code: words`: nothing is silently truncated. */
  readonly dropped: readonly { readonly chunkId: string; readonly reason: string }[];
}

/** The record's word on a span: what stands there now. Undefined: no such document or chunk for this caller. */
export interface VerifiedSpan {
  readonly documentId: string;
  readonly chunkId: string;
  readonly start: number;
  readonly end: number;
  /** The document's text at `start..end`, after its hash was checked, with blanks for what is struck out in it: nothing is claimed from that. */
  readonly quote: string;
  /** Exactly the document's text there, where it differs. */
  readonly written?: string;
  readonly title: string;
  readonly uri: string;
  readonly source: string;
  readonly page?: number;
  readonly lines?: readonly [number, number];
  readonly place?: string;
  /** What names the cells where the span begins with a row of a table whose header stands above it; without it they have no names. */
  readonly columns?: Columns;
  /** Where it stands, if not in a document that was searched; `documentId` and `chunkId` name that instead. */
  readonly origin?: SpanOrigin;
}

/** Reads spans from the record for one scope. Throws `data-corrupt` if a hash does not match. */
export type SpanReader = (reference: SpanReference, signal?: AbortSignal) => Promise<VerifiedSpan | undefined>;

/** The verifier's word on one claim. */
export interface ClaimVerdict {
  /** 0..1. */
  readonly support: number;
  readonly verdict: 'supported' | 'unsupported';
  readonly reasons: readonly string[];
}

/** A claim that the verifier let through, with the spans as the record has them now. */
export interface VerifiedClaim extends PassageFacts {
  readonly text: string;
  readonly support: number;
  readonly relevance: number;
  readonly spans: readonly VerifiedSpan[];
  /** What was read beside the quotes to find the claim in them: `read-by-columns: Station, Salinity`. */
  readonly notes?: readonly string[];
  /** Absent: `quoted`. */
  readonly kind?: ClaimKind;
  readonly derivation?: string;
  readonly judgedBy?: string;
  /** Names and figures that it takes from the question alone. */
  readonly fromQuestion?: readonly string[];
}

export interface DroppedClaim {
  readonly text: string;
  readonly support: number;
  readonly reasons: readonly string[];
  /** Present: nothing forbids the claim, but rules cannot tell whether its quotes carry it. */
  readonly undecided?: UndecidedClaim;
}

/** A claim in words of its own, with the chance that its quotes carry it as its support. */
export interface UndecidedClaim extends VerifiedClaim {
  readonly degree: Degree;
}

/** What verifying a draft yields. Used by agent/turn: `verifyDraft(draft, readSpan, { signal })` in answer/verify.ts. */
export interface VerifiedDraft {
  readonly claims: readonly VerifiedClaim[];
  readonly dropped: readonly DroppedClaim[];
}
