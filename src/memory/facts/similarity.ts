// How near memories are to what is asked, as the chance that each bears on it: a logistic function of the cosine and of how far it lies before all others,
// fitted by scripts/fit-memory.ts, or the share of the query's words that a memory has, where that says more. Pure.
import fitted from './fitted/similarity.json' with { type: 'json' };

/** All words of a query in a memory are so sure a sign. */
const wordShare = 0.8;
/** Sentences about different things are so near. */
const ofNothing = 0.1;

/** By memory: its cosine, and how far it lies before the next one. */
export function nearnessOf(cosines: readonly number[]): readonly (readonly [cosine: number, lead: number])[] {
  const [best = 0, second = ofNothing] = cosines.toSorted((a, b) => b - a);
  return cosines.map((cosine) => [cosine, cosine < best ? 0 : Math.max(0, cosine - Math.max(ofNothing, second))]);
}

/** 0..1. `words`: share of the query's words, by their rarity. */
export function similarityOf(words: number, [cosine, lead]: readonly [cosine: number, lead: number]): number {
  const chance = 1 / (1 + Math.exp(-(fitted.bias + fitted.cosine * cosine + fitted.lead * lead)));
  return Math.round(Math.max(wordShare * words, chance) * 1e6) / 1e6;
}

/** Share of the words below which they alone do not lift a memory over a bar. */
export const wordsNeeded = (least: number): number => Math.min(1, Math.max(0, least / wordShare));
