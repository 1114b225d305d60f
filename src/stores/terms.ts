// The words of chunks and queries for stores that rank by words but do not analyse text as this program does: its own terms, with a space
// between each. The store is told to cut at spaces and no further, so that every store finds the same inflected words.
import type { Chunk, DocumentRecord } from '../core/document.ts';
import type { StoreQuery } from '../core/store-query.ts';
import { analyzeQuery, analyzeText } from '../text/analyze.ts';
import { guessLanguage } from '../text/language/language.ts';

/** Longer ones are no words, and stores cut them. */
const longestTerm = 200;
export const isTerm = (term: string): boolean => term.length <= longestTerm && !/\s/u.test(term);

export interface ChunkTerms {
  readonly terms: string;
  /** In which the words were analysed. */
  readonly language: string;
}

export function termsOf({ language: known, title }: DocumentRecord, { headingPath, text }: Chunk): ChunkTerms {
  const language = known ?? guessLanguage(text);
  const named = analyzeText(title, { language, keepStopWords: true });
  const body = analyzeText(`${headingPath.join(' ')} ${text}`, { language });
  return { terms: [...named, ...body].filter(isTerm).join(' '), language };
}

export interface WeightedTerm {
  readonly term: string;
  readonly weight: number;
}

/** What a query asks for, each term once, as often as the query has it or as the texts beside it weigh; the heaviest `most`. */
export function queryTerms(
  { text, also = [] }: Pick<StoreQuery, 'text' | 'also'>,
  { languages, most }: { readonly languages: readonly string[]; readonly most: number },
): { readonly terms: readonly WeightedTerm[]; readonly left: number } {
  const weights = new Map<string, number>();
  const add = (one: string, weight: number): void => {
    for (const term of analyzeQuery(one, { languages }))
      if (isTerm(term)) weights.set(term, (weights.get(term) ?? 0) + weight);
  };
  add(text, 1);
  for (const one of also) if (one.weight > 0) add(one.text, one.weight);
  const all = [...weights].map(([term, weight]) => ({ term, weight }));
  const terms = all.length <= most ? all : all.sort((left, right) => right.weight - left.weight).slice(0, most);
  return { terms, left: all.length - terms.length };
}
