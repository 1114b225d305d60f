// The chance that the first passage answers the question: a logistic model over its features and how far it stands before the next one, fitted on folders
// of real documents (sureness.json). It is the confidence of an answer without a model, and decides how the answer opens. Invariant: one number, one place.
import type { Features } from './features.ts';
import fitted from './sureness.json' with { type: 'json' };

type Signal = keyof Omit<typeof fitted.words, 'bias'>;

export interface SurenessInput {
  readonly first: { readonly features: Features; readonly score: number };
  /** The next passage that says something else. */
  readonly next?: { readonly score: number } | undefined;
  readonly hasCosines: boolean;
}

/** Below this chance nothing is asserted: what comes closest is shown as such. */
export const closestBelow = 0.35;
/** Below this chance the documents do not seem to say. */
export const abstainBelow = 0.12;

export function surenessOf({ first, next, hasCosines }: SurenessInput): number {
  const { bias, ...weights } = hasCosines ? fitted.encoder : fitted.words;
  const margin = Math.min(2, first.score - (next?.score ?? 0));
  const sum = Object.entries(weights).reduce(
    (total, [name, weight]) =>
      total + weight * (name === 'margin' ? margin : first.features[name as Exclude<Signal, 'margin'>]),
    bias,
  );
  return Math.round(1000 / (1 + Math.exp(-sum))) / 1000;
}
