// What a composer leaves behind when its claims are released: what was read, what fell, and how sure it is.
import type { ClaimCounts } from '../core/answer.ts';
import type { Degradation } from '../core/search.ts';
import type { Context, VerifiedClaim } from './claims/draft.ts';
import type { Hydration } from './context/hydrate.ts';

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
  /** Of an abstention: the checked passages that come closest, and are not asserted to answer. */
  readonly closest?: readonly VerifiedClaim[];
  /** Claims of a model that nothing forbids and nothing confirms: they stand in no text. */
  readonly reworded?: readonly VerifiedClaim[];
  /** What became of the claims that a model proposed; absent where it proposed none. */
  readonly claims?: ClaimCounts;
  /** What a model read that was shown summaries first. */
  readonly hydration?: Hydration;
  /** A model proposed what was released, or found that nothing answers. */
  readonly isByModel?: true;
  readonly degraded: readonly Degradation[];
}
