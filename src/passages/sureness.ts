// The chance that the first passage answers the question: a logistic model over its features and how far it stands before the next one, one with the
// encoder and one without, fitted on folders of real documents (sureness.json, by scripts/fit-sureness.ts). It is the confidence of an answer without a model, and decides how the answer opens. Invariant: one number, one place.
import type { Features } from './features.ts';
import fitted from './sureness.json' with { type: 'json' };

export interface SurenessInput {
  readonly first: { readonly features: Features; readonly score: number };
  /** The next passage that says something else. */
  readonly next?: { readonly score: number } | undefined;
}

/** Below this chance nothing is asserted: what comes closest is shown as such. Of 522 questions over nine folders, each told by what the others taught, 51 of 100 that have an answer are at least so sure, 78 of 100 of these right, and 10 of the 78 that have none. */
export const closestBelow = 0.56;
/** Below this chance the documents do not seem to say. */
export const abstainBelow = 0.15;

/** A larger distance to the next passage tells no more. */
const mostMargin = 4;

/** What the chance is told from; the last two are 0 without the encoder. */
export const surenessNumbers = ['all', 'margin', 'rank', 'partCosine', 'tokens'] as const;

export function surenessNumbersOf({
  first: { features, score },
  next,
}: SurenessInput): Readonly<Record<(typeof surenessNumbers)[number], number>> {
  const { all, rank, partCosine, tokens } = features;
  return { all, margin: Math.min(mostMargin, score - (next?.score ?? 0)), rank, partCosine, tokens };
}

/** 0..1. */
export function surenessOf(input: SurenessInput): number {
  const numbers = surenessNumbersOf(input);
  const { bias, weights } = input.first.features.tokens === 0 ? fitted.words : fitted.encoder;
  const sum = surenessNumbers.reduce((total, name) => total + weights[name] * numbers[name], bias);
  return Math.round(1000 / (1 + Math.exp(-sum))) / 1000;
}
