// The words that matter for answering: search terms of content words with their offsets. Matching of words that only mean the same is the caller's.
import { analyzeWords } from './analyze.ts';
import { cacheTexts } from './tokens/text-cache.ts';

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
