// How deep a question of each intent is read, and how much of it: written as `research 15, faq 10`. Pure.
import type { Intent } from '../../core/answer.ts';

/** Of each intent; absent: as for all. */
export interface IntentDepths {
  /** Hits that are read for an answer where the request does not say. */
  readonly hits: Readonly<Partial<Record<Intent, number>>>;
  /** Tokens of passages that an answer is composed from. */
  readonly contextTokens: Readonly<Partial<Record<Intent, number>>>;
}

/** Hits that are read for an answer: answers lie deeper than the page a person looks at. */
export const usualDepth = 20;
