// Relevance feedback without a judge (RM3): the words of the best passages, each passage weighing as much as it scored, are added
// to the query (Lavrenko & Croft 2001; Abdul-Jaleel et al. 2004). Invariant: the weights sum to the share that feedback has of
// the whole, and the query's own words are left as they are.
import { analyzeText, analyzeWords } from '../../text/analyze.ts';
import { guessLanguage } from '../../text/language/language.ts';
import type { BestPassage } from './reading.ts';

export interface FeedbackParameters {
  /** Passages that are read. */
  readonly hits: number;
  /** Words that are added. */
  readonly terms: number;
  /** Of the widened query's weight, 0 to below 1: λ of the interpolation. */
  readonly share: number;
}

/** A stem has many spellings; one that stands in the text is searched, because the store stems it again. */
interface FeedbackTerm {
  weight: number;
  readonly spellings: Map<string, number>;
}

/**
 * Words that each passage is taken to hold besides its own, so that one of three words does not decide what is added (in place
 * of the Dirichlet smoothing of the paper, which needs the whole collection). 50 was chosen among 0, 50 and 200.
 */
const smoothing = 50;

/** Numbers and single letters say nothing of a topic; a single Han character does. */
const telling = /\p{L}[\p{L}\p{M}\p{N}]|\p{Script=Han}/u;

/**
 * Words with weights that sum to `share / (1 - share)` times the words of the query, heaviest first: so a share of them in the
 * whole. Scores that are not positive count nothing.
 */
export function feedbackTexts(
  query: string,
  passages: readonly BestPassage[],
  { hits, terms, share }: FeedbackParameters,
): readonly { readonly text: string; readonly weight: number }[] {
  const best = passages.slice(0, hits).filter(({ score }) => score > 0);
  const scores = best.reduce((sum, { score }) => sum + score, 0);
  const language = best[0]?.language ?? guessLanguage(query);
  const own = analyzeText(query, { language }).length;
  const found = new Map<string, FeedbackTerm>();
  for (const { text, title, score, language: known } of best) {
    const whole = title === '' || text.includes(title) ? text : `${title}\n${text}`;
    const words = analyzeWords(whole, { language: known ?? guessLanguage(whole) });
    for (const { term, start, end } of words) {
      const spelling = whole.slice(start, end).toLowerCase();
      if (!telling.test(term) || /\s/u.test(spelling)) continue;
      const entry = found.get(term) ?? { weight: 0, spellings: new Map<string, number>() };
      entry.weight += score / scores / (words.length + smoothing);
      entry.spellings.set(spelling, (entry.spellings.get(spelling) ?? 0) + 1);
      found.set(term, entry);
    }
  }
  const chosen = [...found]
    .sort(([left, one], [right, other]) => other.weight - one.weight || (left < right ? -1 : 1))
    .slice(0, terms);
  const sum = chosen.reduce((total, [, { weight }]) => total + weight, 0);
  const added = (share / (1 - share)) * own;
  return chosen.map(([term, { weight, spellings }]) => ({
    text: commonest(spellings) ?? term,
    weight: (weight / sum) * added,
  }));
}

const commonest = (spellings: ReadonlyMap<string, number>): string | undefined =>
  [...spellings].sort(([left, one], [right, other]) => other - one || (left < right ? -1 : 1))[0]?.[0];
