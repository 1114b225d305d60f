// The seam between a turn and whoever writes its answer: passages as they stand (passages/passage-composer.ts) or a model
// (write/model-composer.ts). Invariant: a composer releases only claims that the verifier kept, in the order in which they are read, and takes none back.
import type { CallContext } from '../core/context.ts';
import type { ToldTurn } from '../core/conversation.ts';
import type { Evidence } from '../core/search.ts';
import type { PassageScorer } from '../models/encoder/passage-scorer.ts';
import type { CollectionStatistics } from '../passages/frame.ts';
import type { SpanReader, VerifiedClaim } from './claims/draft.ts';
import type { Composition } from './composition.ts';

export interface ComposeRequest {
  /** References to earlier turns are resolved. */
  readonly question: string;
  /** Ranked, best first, whole chunks. */
  readonly evidence: readonly Evidence[];
  readonly contextTokens: number;
  /** What a model may read; default: as much. */
  readonly modelContextTokens?: number;
  /** Of passages as they stand. Default: by the question, three or five. */
  readonly maxClaims?: number;
  /** What was said before, for a model: data that tells what the question refers to, and no source. */
  readonly conversation?: { readonly turns: readonly ToldTurn[]; readonly mode: string };
  /** How whoever asks wants answers to sound, for a model: data, which changes no rule. */
  readonly wishes?: string;
}

export interface ComposePorts extends CallContext {
  readonly readSpan: SpanReader;
  /** How near passages are to the question in meaning; absent: nobody can say. */
  readonly passageScorer?: PassageScorer | undefined;
  /** How rare the question's words are in the collection; asked only where there is something to read. */
  readonly statistics: () => Promise<CollectionStatistics | undefined>;
  /** One more search under the request's own scope, sources and filter. Throws like a retriever. */
  readonly search: (query: string) => Promise<readonly Evidence[]>;
  /** Told before the first claim which passages it leads to. Default: the claims are the passages. */
  readonly onPassages?: (passages: readonly VerifiedClaim[]) => void;
  /** Says before the first claim that none is asserted to answer the question. Default: nobody is told. */
  readonly onUnsure?: () => void;
  /** Hands out a claim that passed its check; what follows is appended after it. */
  readonly release: (claim: VerifiedClaim) => void;
  /** Runs a step under a name for the answer's timings; throws when the request's time is over. */
  readonly timed: <T>(name: string, work: () => T | Promise<T>) => Promise<T>;
}

export interface Composer {
  /** A model writes: it is asked once for a whole question, however many parts that has. */
  readonly isByModel?: true;
  compose(request: ComposeRequest, ports: ComposePorts): Promise<Composition>;
}
