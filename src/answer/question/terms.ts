// How far two words of a question and a passage mean the same. Matching is graded: the same term counts fully, words of one family ("architect",
// "architecture") partly.
import { areSynonyms } from './synonyms.ts';

export { readTerms, type Term, termSet, termsOf } from '../../text/terms.ts';

/** 1 for the same term, less for synonyms and words of one family, 0 for strangers. */
export function likeness(a: string, b: string): number {
  if (a === b) return 1;
  if (areSynonyms(a, b)) return 0.6;
  const shorter = Math.min(a.length, b.length);
  if (shorter < 4 || a.charCodeAt(0) !== b.charCodeAt(0)) return 0;
  let common = 1;
  while (common < shorter && a.charCodeAt(common) === b.charCodeAt(common)) common += 1;
  const rest = a.length + b.length - 2 * common;
  if (common >= 5 && rest <= 5) return 0.7;
  if (common === 4 && rest <= 3) return 0.5;
  return 0;
}

/** One letter added, lost, changed or standing elsewhere, after the same first letter. */
export function isMisspelling(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a.charCodeAt(0) !== b.charCodeAt(0) || a === b) return false;
  let from = 1;
  while (from < a.length && from < b.length && a.charCodeAt(from) === b.charCodeAt(from)) from += 1;
  const restA = a.slice(from);
  const restB = b.slice(from);
  if (restA.slice(1) === restB || restA === restB.slice(1) || restA.slice(1) === restB.slice(1)) return true;
  if (a.length !== b.length || a.length < 5) return false;
  const letters = (word: string): string => [...word].sort().join('');
  return letters(a) === letters(b);
}
