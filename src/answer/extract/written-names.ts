// Names stand as they are written. Words are matched by their stems, to which "the Transformer", "transformation" and "digitally transform" are one: a
// piece that holds only another word of a name's family speaks of something else, and counts little of the name. English. Pure.
import { heldIn } from '../../text/words/word-forms.ts';
import type { Question } from '../question/question.ts';

export interface WrittenName {
  /** Its place among the question's terms. */
  readonly at: number;
  /** In small letters. */
  readonly word: string;
  readonly stem: string;
}

/** Shorter names have hardly a family. */
const shortestName = 5;
/** "Islamic" says a little of Islam. Of other words than names a family stays together: so fewer right answers were lost on XQuAD-en. */
const familyLikeness = 0.4;

/** The words of the question's names that search knows by a stem. */
export const writtenNames = ({ text, terms, named }: Question, language: string): readonly WrittenName[] =>
  language.startsWith('en')
    ? terms.flatMap(({ term, start, end }, at) => {
        const word = text.slice(start, end).toLowerCase();
        return named[at] === true && word.length >= shortestName && word !== term ? [{ at, word, stem: term }] : [];
      })
    : [];

/** The matches of a piece, less those of names that it holds only by another word of their family. */
export function asWritten(matches: readonly number[], piece: string, names: readonly WrittenName[]): readonly number[] {
  const doubtful = names.filter(({ at }) => (matches[at] ?? 0) > familyLikeness);
  if (doubtful.length === 0) return matches;
  const text = piece.toLowerCase();
  const strange = doubtful.filter(({ word, stem }) => heldIn(text, word, stem) === 'family');
  if (strange.length === 0) return matches;
  const less = [...matches];
  for (const { at } of strange) less[at] = familyLikeness;
  return less;
}
