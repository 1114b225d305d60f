// "Kim bought the house in 1999" said as "The house was bought in 1999": active became passive and who did it was left out. It was done all the same,
// unless only some did it, or somebody of a kind that is told apart: whoever did it has to be a few plain words.
import type { Alignment } from '../align.ts';
import { afterBe, prepositions } from '../markers.ts';
import type { Token } from '../tokens.ts';
import { isPastVerb, isVerbForm } from './words.ts';

export interface LeftOutAgent {
  /** Of the quote: who did it. */
  readonly from: number;
  readonly to: number;
  /** Of the claim: the deed and what it was done to. */
  readonly verb: number;
  readonly objects: readonly number[];
}

const mostWords = 4;
const wasDone = /^(?:was|were)$/u;
const unsaid = /^(?:who|which|that|whom|whose|not|never|no|neither|nor|or|and|but|of|to|only|just|even|almost)$/u;

export function leftOutAgent(
  claim: readonly Token[],
  quote: readonly Token[],
  { toQuote, used }: Alignment,
): LeftOutAgent | undefined {
  const verb = claim.findIndex((token, at) => token.content && afterBe(claim, at));
  const there = toQuote[verb] ?? -1;
  const deed = quote[there];
  if (
    !deed ||
    !isPastVerb(deed) ||
    afterBe(quote, there) ||
    !claim.slice(0, verb).some((one) => wasDone.test(one.lower))
  )
    return undefined;
  const objects = [...claim.keys()].filter((at) => at < verb && (claim[at] as Token).content);
  const places = objects.map((at) => toQuote[at] ?? -1);
  const first = Math.min(...places);
  if (objects.length === 0 || first <= there) return undefined;
  if (quote.slice(there + 1, first).some((one) => one.content || one.type === 'mark' || prepositions.has(one.lower)))
    return undefined;
  const from = quote.findLastIndex((one, at) => at < there && one.type === 'mark') + 1;
  const agent = quote.slice(from, there);
  const isUsed = agent.some((one, at) => one.content && used[from + at] === 1);
  const words = agent.filter(({ content }) => content);
  const isPlain = agent.every(
    (one) =>
      one.type === 'word' &&
      !one.quantifier &&
      !one.date &&
      one.negations === 0 &&
      !unsaid.test(one.lower) &&
      !isVerbForm(one) &&
      !prepositions.has(one.lower) &&
      !/ly$/u.test(one.lower),
  );
  if (isUsed || words.length === 0 || words.length > mostWords || !isPlain) return undefined;
  return { from, to: there - 1, verb, objects };
}
