// The words that matter for answering: search terms of content words with their offsets, and how far two of them mean the
// same. Matching is graded: the same term counts fully, words of one family ("architect", "architecture") partly.
import { analyzeWords } from '../../text/analyze.ts';
import { cacheTexts } from '../../text/tokens/text-cache.ts';
import { areSynonyms } from './synonyms.ts';

export interface Term {
  readonly term: string;
  readonly start: number;
  readonly end: number;
}

const numberWords = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((word, value) => [word, String(value)] as const),
);
/** Forms of "do", "make" … that questions add and answers drop. */
const empty = new Set(['did', 'doe', 'done', 'much', 'mani', 'also', 'among', 'upon', 'per']);

/** Content words of `text` in order, read in `language` (default: detected). Offsets are into `text`. */
export const termsOf = (text: string, language = ''): readonly Term[] => remembered(text, language);

/** The same as a set of terms. */
export const termSet = (text: string, language = ''): Set<string> =>
  new Set(termsOf(text, language).map(({ term }) => term));

/** Questions, titles, claims; passages are remembered with what else is read of them (readings.ts). 8 MB at most. */
const remembered = cacheTexts(readTerms, { characters: 300_000, longest: 1_000 });

/** The same, read anew: for what is remembered with something else. */
export function readTerms(text: string, language = ''): readonly Term[] {
  const terms: Term[] = [];
  for (const { term, start, end } of analyzeWords(text, language === '' ? {} : { language })) {
    if (empty.has(term)) continue;
    terms.push({ term: spelled(term, () => text.slice(start, end)), start, end });
  }
  return terms;
}

/** As terms are compared: figures without marks between their digits, "two" as "2", and what was found apart from what was founded. */
function spelled(term: string, written: () => string): string {
  if (/^\d[\d.,]*$/.test(term)) return term.replace(/,(?=\d{3})/g, '');
  if (term === 'found') return written().toLowerCase() === 'found' ? 'find' : term;
  return numberWords.get(term) ?? term;
}

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
