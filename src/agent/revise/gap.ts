// What of a question the texts found for it do not speak of, and a query for just that. Pure: words of the question, their synonyms, and the names
// that say what it is about; nothing of what was read is in the query, so that no document can say what is searched next.

import { areSynonyms, synonymsOf } from '../../answer/question/synonyms.ts';
import { readTerms, termSet, termsOf } from '../../answer/question/terms.ts';
import { findNames } from '../../text/words/names.ts';

export interface Gap {
  /** As the question writes them. */
  readonly missing: readonly string[];
  readonly query: string;
}

const mostNames = 3;
const mostSynonyms = 3;

/** Share of the words of the question that the texts hold, 0..1; 1 for a question without such words. */
export function coveredShare(question: string, texts: readonly string[]): number {
  const wanted = [...termSet(question)];
  if (wanted.length === 0) return 1;
  const held = heldIn(texts);
  return wanted.filter((term) => isHeld(term, held)).length / wanted.length;
}

/** Undefined where the texts speak of all of it. `isWider`: with synonyms, for a second try. */
export function gapOf(question: string, texts: readonly string[], isWider = false): Gap | undefined {
  const held = heldIn(texts);
  const missing = termsOf(question).filter(({ term }) => !isHeld(term, held));
  if (missing.length === 0) return undefined;
  const words = [...new Set(missing.map(({ start, end }) => question.slice(start, end)))];
  const names = findNames(question)
    .filter(({ initial }) => !initial)
    .map(({ text }) => text)
    .filter((name) => !words.some((word) => name.includes(word)))
    .slice(0, mostNames);
  const synonyms = isWider ? missing.flatMap(({ term }) => synonymsOf(term).slice(0, mostSynonyms)) : [];
  // Without a name the words that are missing say too little: the question as a whole goes with them.
  const about =
    names.length > 0 ? names : isWider ? [] : termsOf(question).map(({ start, end }) => question.slice(start, end));
  return { missing: words, query: [...new Set([...about, ...words, ...synonyms])].join(' ') };
}

const heldIn = (texts: readonly string[]): ReadonlySet<string> =>
  new Set(texts.flatMap((text) => readTerms(text).map(({ term }) => term)));

function isHeld(term: string, held: ReadonlySet<string>): boolean {
  if (held.has(term)) return true;
  for (const one of held) if (areSynonyms(term, one)) return true;
  return false;
}
