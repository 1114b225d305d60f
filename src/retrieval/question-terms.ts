// What the form of a question says of the passages that answer it, as terms of the order. Names stand as they are written: search knows words by their
// stems, to which "the Transformer" and "a transformation" are one, so a passage that holds only other words of a name's family stands below those that hold
// the name (elsewhere "inventor" may well answer "invented"). And what says what something is stands first where that is asked. Invariant: a question
// that has neither has no term, and nothing is read for it. Pure.
import { analyzeWords } from '../text/analyze.ts';
import { definedIn, isDefinition } from '../text/definitions.ts';
import { heldIn } from '../text/words/word-forms.ts';
import type { RankTerm } from './rank.ts';

/** Shares of the best score: taken where none of the names is held, given where the definition stands. */
const weights = { names: 0.5, definition: 0.4 };
const shortestName = 5;

interface Name {
  readonly word: string;
  readonly stem: string;
}

/** Capitalised words inside a query, and what a definition is asked of, however it is written. */
function namesOf(query: string, subject: string | undefined): readonly Name[] {
  const from = subject === undefined ? query.length : query.lastIndexOf(subject);
  const opening = query.search(/\S/u);
  return analyzeWords(query).flatMap(({ term, start, end }) => {
    const written = query.slice(start, end);
    const isName = start >= from || (start !== opening && /^\p{Lu}/u.test(written));
    const word = written.toLowerCase();
    return isName && word.length >= shortestName && word !== term ? [{ word, stem: term }] : [];
  });
}

/** Empty for questions of other forms. */
export function createQuestionTerms(question: string): readonly RankTerm[] {
  const subject = definedIn(question);
  const names = namesOf(question, subject);
  const terms: RankTerm[] = [];
  if (names.length > 0)
    terms.push({
      name: 'names',
      weigh(_hit, { chunk, document }, best) {
        const text = [document.title, ...chunk.headingPath, chunk.text].join('\n').toLowerCase();
        const strange = names.filter(({ word, stem }) => heldIn(text, word, stem) === 'family').length;
        return strange === 0 ? 0 : -weights.names * best * (strange / names.length);
      },
    });
  if (subject !== undefined)
    terms.push({
      name: 'definition',
      weigh: (_hit, { chunk }, best) => (isDefinition(subject, chunk.text) ? weights.definition * best : 0),
    });
  return terms;
}
