// Whether a question can only be asked when the one before it is known: it speaks of something that it does not name. Pure.
import { termsOf } from '../../text/terms.ts';
import { findNames } from '../../text/words/names.ts';
import { isAskedOf } from './asked-of.ts';
import { backIn, wordsOf } from './words.ts';

const namesIn = (text: string): readonly string[] =>
  findNames(text).flatMap(({ initial, text: name }) => (initial ? [] : [name]));

/** Whether a question speaks of something that it does not name. */
export function refersBack(query: string): boolean {
  if (/^(?:what|how) about\b/iu.test(query)) return true;
  const { text, language } = wordsOf(query);
  const at = backIn(text, language);
  if (at < 0) return query.split(/\s+/u).length <= 2;
  // A pronoun behind a name of the same question stands for that name.
  return isAskedOf(query, at) || namesIn(query.slice(0, at)).length === 0;
}

/** Words that a question has of its own; one with more of them says what it is about. */
const fewTerms = 3;
const fewestTerms = 2;
const mostNames = 3;

/** What a short question without a name goes on about: the names in the questions before it, '' where there are none. */
export function aboutOf(query: string, before: readonly string[]): string | undefined {
  const { length } = termsOf(query);
  if (length > fewTerms || namesIn(query).length > 0) return undefined;
  const names = before
    .toReversed()
    .map(namesIn)
    .find((found) => found.length > 0);
  // Where nothing was named at all, a few words go on about the same document.
  if (!names) return length > fewestTerms ? undefined : '';
  return [...new Set(names)].slice(0, mostNames).join(', ');
}
