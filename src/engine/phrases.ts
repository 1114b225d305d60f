// Finds the entries in which terms follow one another in one field: the shortest list of postings gives the candidates, and
// each one's own sequence of terms settles it. Stop words are in no sequence, so "war of peace" reads as "war peace".
import { type Bitmap, createBitmap, setBit } from './bitmap.ts';
import { findPosting, type Segment } from './segment.ts';
import { encode, findString } from './strings.ts';

/** Any of these sequences (the same words as several languages stem them). A sequence of one term asks for that term. */
export type Phrase = readonly (readonly string[])[];

/** The slots of a segment that hold the phrase. */
export function matchPhrase(segment: Segment, phrase: Phrase): Bitmap {
  const matches = createBitmap(segment.sizes.entries);
  for (const words of phrase) matchSequence(segment, words, matches);
  return matches;
}

function matchSequence(segment: Segment, words: readonly string[], matches: Bitmap): void {
  const terms = words.map((word) => findString(segment.terms, encode(word.toWellFormed())));
  if (terms.length === 0 || terms.includes(-1)) return;
  const countOf = (term: number): number =>
    (segment.postingOffsets[term + 1] as number) - (segment.postingOffsets[term] as number);
  const rarest = terms.reduce((least, term) => (countOf(term) < countOf(least) ? term : least));
  const end = segment.postingOffsets[rarest + 1] as number;
  for (let at = segment.postingOffsets[rarest] as number; at < end; at++) {
    const slot = segment.slots[at] as number;
    if (terms.length === 1 || (hasAll(segment, terms, slot) && holds(segment, slot, terms))) setBit(matches, slot);
  }
}

function hasAll(segment: Segment, terms: readonly number[], slot: number): boolean {
  return terms.every((term) => findPosting(segment, term, slot) !== -1);
}

function holds(segment: Segment, slot: number, terms: readonly number[]): boolean {
  const end = (segment.tokenOffsets[slot + 1] as number) - terms.length;
  for (let start = segment.tokenOffsets[slot] as number; start <= end; start++) {
    let matched = 0;
    while (matched < terms.length && tokenAt(segment, start + matched) === terms[matched]) matched++;
    if (matched === terms.length) return true;
  }
  return false;
}

/** The id of a token, `fieldBreak` between fields. */
export function tokenAt(segment: Segment, at: number): number {
  return (segment.tokensLow[at] as number) | ((segment.tokensHigh[at] as number) << 16);
}
