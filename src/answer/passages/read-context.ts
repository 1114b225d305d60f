// What is read to answer from passages: all passages of the chunks found, ordered by words, and of their order by meaning the best within the token budget,
// which the answer lists as its sources. Invariant: what is listed was read, and what is shown was listed.
import type { Evidence } from '../../core/search.ts';
import type { Frame } from '../../passages/frame.ts';
import { type RankedPassage, rankByWords } from '../../passages/rank.ts';
import { aroundPassage, codesIn, holdsCode } from '../../text/codes.ts';
import { countTokens } from '../../text/tokens/tokens.ts';
import type { Context } from '../claims/draft.ts';
import { assembleContext } from '../context/context.ts';
import { partOf } from '../context/evidence.ts';

type Ranked = readonly RankedPassage<Evidence>[];

export interface Read {
  /** Best first; at most those of the context. */
  readonly ranked: Ranked;
  readonly context: Context;
}

/** Passages that are weighed against each other. */
const mostRead = 60;
/** Most passages of one document: a manual in one file may hold everything. */
const mostOfDocument = 24;

/** The passages of the chunks, best first by words. */
export const readPassages = (frame: Frame, evidence: readonly Evidence[]): Ranked =>
  withCodes(coded(frame), rankByWords(frame, evidence)).slice(0, mostRead);

/** The best of an order that have room in the budget, in that order; none that repeats a better one. */
export function withinBudget(order: Ranked, budgetTokens: number): Read {
  const byPassage = new Map(order.map((one) => [toEvidence(one), one] as const));
  const context = assembleContext([...byPassage.keys()], { budgetTokens, maxPerDocument: mostOfDocument, countTokens });
  const held = new Set(context.blocks.map(({ evidence }) => byPassage.get(evidence)));
  return { ranked: order.filter((one) => held.has(one)), context };
}

/** Whose codes are asked for: those of the message, where it has any, and not those of the question before it. */
export const coded = ({ asked, question }: Frame): string => (codesIn(asked).length > 0 ? asked : question);

/** 332315 is not 332305: where a passage or what stands around it has the code that is asked for, those of other codes are left out. */
function withCodes(question: string, ranked: Ranked): Ranked {
  const codes = codesIn(question);
  if (codes.length === 0) return ranked;
  const own = ranked.filter(({ chunk, passage }) =>
    aroundPassage({ ...chunk, text: passage.text }).some((text) => codes.some((code) => holdsCode(text, code))),
  );
  return own.length > 0 ? own : ranked;
}

/** The passage as evidence of its own. */
export const toEvidence = ({ chunk, passage, score }: RankedPassage<Evidence>): Evidence => ({
  ...partOf(chunk, passage),
  score: Math.max(0, score),
});
