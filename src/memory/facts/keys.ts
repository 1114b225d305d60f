// What memories are compared by: which say the same and are merged, and which take the place of others. Pure and deterministic.
import { readFileSync } from 'node:fs';
import type { MemoryKeys } from '../../db/repositories/memories.ts';
import { isDenial, type PairWeights, type Saying, supersedingBy } from './fitted/superseding.ts';
import { memoryTerms, wordTerms } from './fitted/terms.ts';

export function keysOf(text: string): MemoryKeys {
  const polarity = isDenial(text) ? 'not ' : '';
  return { sameKey: polarity + (wordTerms(text).join(' ') || text.trim()), terms: memoryTerms(text).slice(0, 200) };
}

/** 0..1: that the later of two takes the place of the earlier. */
export const chanceThatSupersedes = supersedingBy(
  JSON.parse(readFileSync(new URL('./fitted/superseding.json', import.meta.url), 'utf8')) as PairWeights,
);
/** What is ended stays as history; what is not seen as over stands beside the later one, which is told first. */
const least = 0.6;

export const supersedes = (before: Saying, after: Saying): boolean => chanceThatSupersedes(before, after) >= least;
