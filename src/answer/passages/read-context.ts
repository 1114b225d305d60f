// What is read to answer from passages: all passages of the chunks found, ordered by words, and the best of them within the token budget, which the
// answer lists as its sources. Invariant: what is listed was read, and what is shown was listed.
import type { Evidence } from '../../core/search.ts';
import type { Frame } from '../../passages/frame.ts';
import { type RankedPassage, rankByWords } from '../../passages/rank.ts';
import { aroundPassage, codesIn, holdsCode } from '../../text/codes.ts';
import type { Context } from '../claims/draft.ts';
import { assembleContext } from '../context/context.ts';

export interface Read {
  /** Best first by words; at most those of the context. */
  readonly ranked: readonly RankedPassage<Evidence>[];
  readonly context: Context;
}

/** Passages that are weighed against each other: more have no room in any context without a model. */
const mostRead = 60;
/** Most passages of one document: a manual in one file may hold everything. */
const mostOfDocument = 24;

export function readContext(
  frame: Frame,
  { evidence, contextTokens }: { readonly evidence: readonly Evidence[]; readonly contextTokens: number },
  countTokens: (text: string) => number,
): Read {
  const all = withCodes(frame.question, rankByWords(frame, evidence));
  const byPassage = new Map(all.slice(0, mostRead).map((one) => [toEvidence(one), one] as const));
  const context = assembleContext([...byPassage.keys()], {
    budgetTokens: contextTokens,
    maxPerDocument: mostOfDocument,
    countTokens,
  });
  const ranked = context.blocks.flatMap(({ evidence: block }) => byPassage.get(block) ?? []);
  return { ranked: [...ranked].sort((a, b) => b.score - a.score), context };
}

/** 332315 is not 332305: where a passage or what stands around it has the code that is asked for, those of other codes are left out. */
function withCodes(question: string, ranked: readonly RankedPassage<Evidence>[]): readonly RankedPassage<Evidence>[] {
  const codes = codesIn(question);
  if (codes.length === 0) return ranked;
  const own = ranked.filter(({ chunk, passage }) =>
    aroundPassage({ ...chunk, text: passage.text }).some((text) => codes.some((code) => holdsCode(text, code))),
  );
  return own.length > 0 ? own : ranked;
}

/** The passage as evidence of its own. */
export const toEvidence = ({ chunk, passage, score }: RankedPassage<Evidence>): Evidence => ({
  ...chunk,
  text: passage.text,
  start: chunk.start + passage.start,
  end: chunk.start + passage.end,
  score: Math.max(0, score),
});
