// The passages that a sentence rests on, where it names none: the one that carries most of it, and another one that carries what is missing there.
import { compareTexts, type QuoteUnder } from '../support/comparison.ts';
import { sharesOf } from '../support/features.ts';

/** Share of the sentence that a further passage has to add. */
const leastAdded = 0.12;

/** The places of the passages, best first; empty where none has a word of the sentence. */
export function nearestTo(sentence: string, passages: readonly QuoteUnder[], question = ''): readonly number[] {
  const measure = (quotes: readonly QuoteUnder[]) => sharesOf(compareTexts({ claim: sentence, quotes, question }));
  const scored = passages.map((passage, at) => ({ at, shares: measure([passage]) }));
  const [best] = scored.sort((a, b) => b.shares.cover + b.shares.anchored - a.shares.cover - a.shares.anchored);
  if (!best || best.shares.cover === 0) return [];
  const together = scored
    .filter(({ at }) => at !== best.at)
    .map(({ at }) => ({ at, cover: measure([passages[best.at], passages[at]] as QuoteUnder[]).cover }))
    .sort((a, b) => b.cover - a.cover)[0];
  return together && together.cover >= best.shares.cover + leastAdded ? [best.at, together.at] : [best.at];
}
