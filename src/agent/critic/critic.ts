// The port of the critic, which looks at a draft before it is released. Invariant: a critic only says what it wants; what becomes of that
// (review.ts) is searched under the request's own scope, and checked like any other claim.
import type { VerifiedClaim } from '../../answer/claims/draft.ts';
import type { CriticVerdict } from '../../core/agent-events.ts';
import type { CallContext } from '../../core/context.ts';
import type { Degradation, Evidence } from '../../core/search.ts';
import type { HeldDraft } from '../revise/held-draft.ts';

export interface Critique {
  readonly verdict: CriticVerdict;
  /** Share of what is asked that the draft answers, 0..1. */
  readonly coverage: number;
  /** How far the quotes carry what the draft says, 0..1. */
  readonly groundedness: number;
  readonly reason: string;
  /** `provider:model` */
  readonly model: string;
  /** Claims that do not belong into the answer. */
  readonly remove: readonly VerifiedClaim[];
  /** Claims to be said otherwise, over the same quotes. */
  readonly revise: readonly { readonly claim: VerifiedClaim; readonly text: string }[];
  /** What to search for. */
  readonly queries: readonly string[];
  /** Passages to be read whole. */
  readonly read: readonly Evidence[];
}

/** The critic could not be asked: the draft stays as it is. */
export interface NoCritique {
  readonly failure: Degradation;
}

export interface CriticCall extends CallContext {
  /** What the critic may take of the time, milliseconds. */
  readonly shareMs: number;
}

/** Throws only the request's own `cancelled` and `deadline-exceeded`. */
export type Critic = (draft: HeldDraft, call: CriticCall) => Promise<Critique | NoCritique>;
