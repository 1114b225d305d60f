// The chance that the first passage answers the question: a logistic model over its features and how far it stands before the next one, one with the
// encoder and one without, fitted on folders of real documents (sureness.json, by scripts/fit-sureness.ts). It is the confidence of an answer without a model, and decides how the answer opens. Invariant: one number, one place.
import type { Features } from './features.ts';
import fitted from './sureness.json' with { type: 'json' };

export interface SurenessInput {
  readonly first: { readonly features: Features; readonly score: number };
  /** The next passage that says something else. */
  readonly next?: { readonly score: number } | undefined;
}

/** Below this chance nothing is asserted: what comes closest is shown as such. Of 400 questions over seven folders 54 of 100 answers with the encoder are at least so sure, and 75 of 100 of these right. */
export const closestBelow = 0.52;
/** Below this chance the documents do not seem to say. */
export const abstainBelow = 0.18;

/** A larger distance to the next passage tells no more. */
const mostMargin = 2;

/** What the chance is told from; `partCosine` is 0 without the encoder. */
export const surenessNumbers = ['all', 'margin', 'rank', 'partCosine'] as const;

export function surenessNumbersOf({
  first: { features, score },
  next,
}: SurenessInput): Readonly<Record<(typeof surenessNumbers)[number], number>> {
  const { all, rank, partCosine } = features;
  return { all, margin: Math.min(mostMargin, score - (next?.score ?? 0)), rank, partCosine };
}

/** 0..1. */
export function surenessOf(input: SurenessInput): number {
  const numbers = surenessNumbersOf(input);
  const { bias, weights } = input.first.features.tokens === 0 ? fitted.words : fitted.encoder;
  const sum = surenessNumbers.reduce((total, name) => total + weights[name] * numbers[name], bias);
  return Math.round(1000 / (1 + Math.exp(-sum))) / 1000;
}
