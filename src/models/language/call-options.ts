// What a call of a model may take: time, money and silence. Nothing of it reaches the provider.
import type { ModelBudget } from '../../core/budget.ts';
import type { Deadline } from '../../core/deadline.ts';

/** How long silence is waited for. */
export interface Patience {
  /**
   * Until the first words of a model, or the whole of an answer that does not stream. Default: an equal share of the time for each
   * model of the list, and half of one for what the caller does without them.
   */
  readonly firstTokenMs?: number | undefined;
  /** Between two pieces of an answer that has begun; at most half of what was left when it was asked for. */
  readonly idleMs?: number | undefined;
}

export interface CallOptions {
  readonly deadline: Deadline;
  /**
   * Reserved before each attempt, settled after it; what it cannot pay throws `quota-exceeded` unsent. Kept by `createModelChain`: a
   * model alone makes its one attempt without looking at it.
   */
  readonly budget?: ModelBudget;
  /** Ends the call earlier than the deadline: the client of one stream went away. */
  readonly signal?: AbortSignal;
  /** How long silence is waited for. Kept by `createModelChain`. Default: as long as the deadline allows. */
  readonly patience?: Patience;
  /** Told how many calls of the same model are before this one, where they have to wait for each other, and again when that changes; 0: its turn has come. */
  readonly waits?: (ahead: number) => void;
  /** Called by streams of a model that is at work and says nothing yet: it reasons. */
  readonly heard?: () => void;
}
