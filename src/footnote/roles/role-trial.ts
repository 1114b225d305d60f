// What trying the model of a role is, and what it tells.
import type { ModelAttempt, ModelUsage } from '../../models/language/generation.ts';

/** What a trial that succeeded tells. */
export interface TrialOutcome {
  /** `provider:model` that served, which may be a later one of the list. */
  readonly served: string;
  /** What it did, for people. */
  readonly detail: string;
  readonly usage?: Pick<ModelUsage, 'inputTokens' | 'outputTokens'>;
  /** US dollars; absent where no price is known. */
  readonly costUsd?: number;
  /** All that were asked; more than one where earlier ones failed. */
  readonly attempts?: readonly ModelAttempt[];
  /** Input and output together, as the provider's own list says. */
  readonly toldContextTokens?: number;
  /** Length of the vectors of an embedding model. */
  readonly dimensions?: number;
  /** What an operator should know. */
  readonly notes?: readonly string[];
}

export interface RoleTrial {
  readonly role: string;
  /** As it is configured. */
  readonly model: string;
  /** Throws FootnoteError where the model cannot do what the role needs. */
  run(signal?: AbortSignal): Promise<TrialOutcome>;
}
