// The chance that the first passage answers the question: a logistic model over its features and how far it stands before the next one, fitted on folders
// of real documents (sureness.json, by scripts/fit-sureness.ts). It is the confidence of an answer without a model, and decides how the answer opens. Invariant: one number, one place.
import type { Features } from './features.ts';
import fitted from './sureness.json' with { type: 'json' };

export interface SurenessInput {
  readonly first: { readonly features: Features; readonly score: number };
  /** The next passage that says something else. */
  readonly next?: { readonly score: number } | undefined;
}

/** Below this chance nothing is asserted: what comes closest is shown as such. Of five folders 40 of 100 answers are at least so sure, and 68 of 100 of these right. */
export const closestBelow = 0.5;
/** Below this chance the documents do not seem to say. */
export const abstainBelow = 0.18;

/** A larger distance to the next passage tells no more. */
const mostMargin = 2;

/** The numbers that the chance is told from. */
export function surenessNumbers({ first: { features, score }, next }: SurenessInput): {
  readonly all: number;
  readonly margin: number;
  readonly rank: number;
} {
  return { all: features.all, margin: Math.min(mostMargin, score - (next?.score ?? 0)), rank: features.rank };
}

/** 0..1. */
export function surenessOf(input: SurenessInput): number {
  const numbers = surenessNumbers(input);
  const { all, margin, rank } = fitted.weights;
  const sum = fitted.bias + all * numbers.all + margin * numbers.margin + rank * numbers.rank;
  return Math.round(1000 / (1 + Math.exp(-sum))) / 1000;
}
