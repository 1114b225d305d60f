// The seam between a turn and whoever writes its answer: sentences as they stand (sentences/sentence-composer.ts) or a model
// (write/model-composer.ts). Invariant: a composer releases only claims that the verifier kept, in the order in which they are read, and takes none back.
import type { ClaimCounts } from '../core/answer.ts';
import type { CallContext } from '../core/context.ts';
import type { ToldTurn } from '../core/conversation.ts';
import type { Degradation, Evidence } from '../core/search.ts';
import type { Context, SpanReader, VerifiedClaim } from './claims/draft.ts';
import type { Hydration } from './context/hydrate.ts';
import type { CollectionStatistics } from './extract/candidates.ts';

export interface ComposeRequest {
  /** References to earlier turns are resolved. */
  readonly question: string;
  /** Ranked, best first, whole chunks. */
  readonly evidence: readonly Evidence[];
  readonly contextTokens: number;
  /** Of sentences as they stand. Default: by the question, three or five. */
  readonly maxClaims?: number;
  /** What was said before, for a model: data that tells what the question refers to, and no source. */
  readonly conversation?: { readonly turns: readonly ToldTurn[]; readonly mode: string };
}

export interface ComposePorts extends CallContext {
  readonly readSpan: SpanReader;
  /** How rare the question's words are in the collection; asked only where there is something to read. */
  readonly statistics: () => Promise<CollectionStatistics | undefined>;
  /** One more search under the request's own scope, sources and filter. Throws like a retriever. */
  readonly search: (query: string) => Promise<readonly Evidence[]>;
  /** Says before the first claim that none is asserted to answer the question. Default: nobody is told. */
  readonly onUnsure?: () => void;
  /** Hands out a claim that passed its check; what follows is appended after it. */
  readonly release: (claim: VerifiedClaim) => void;
  /** Runs a step under a name for the answer's timings; throws when the request's time is over. */
  readonly timed: <T>(name: string, work: () => T | Promise<T>) => Promise<T>;
}

export interface Composition {
  /** What was read: listed as the answer's sources. */
  readonly context: Context;
  /** Claims that did not pass the check. */
  readonly dropped: number;
  readonly coverage: number;
  readonly confidence: number;
  /** The claims are what comes closest, and are not asserted to answer. */
  readonly isUnsure?: true;
  /** Why nothing was released, where the composer knows. */
  readonly abstainReason?: string;
  /** What became of the claims that a model proposed; absent where it proposed none. */
  readonly claims?: ClaimCounts;
  /** What a model read that was shown summaries first. */
  readonly hydration?: Hydration;
  /** A model proposed what was released, or found that nothing answers. */
  readonly isByModel?: true;
  readonly degraded: readonly Degradation[];
}

export interface Composer {
  /** A model writes: it is asked once for a whole question, however many parts that has. */
  readonly isByModel?: true;
  compose(request: ComposeRequest, ports: ComposePorts): Promise<Composition>;
}
