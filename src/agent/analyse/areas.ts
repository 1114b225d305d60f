// Whether a sentence speaks of a focus area: by one of its words or a synonym, or by an amount of money where prices are asked for. Pure.
import { likeness, termsOf } from '../../answer/question/terms.ts';
import { speaksOf } from '../plan/criterion.ts';

const money = /\b(?:prices?|pricing|costs?|fees?)\b/iu;
/** Of two words, from which on they mean the same. */
const leastLikeness = 0.6;

export function speaksOfArea(area: string, said: string): boolean {
  const wanted = termsOf(area);
  const held = termsOf(said);
  if (wanted.some(({ term }) => held.some((other) => likeness(term, other.term) >= leastLikeness))) return true;
  return money.test(area) && speaksOf(area, said);
}
