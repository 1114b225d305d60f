// What becomes of a claim that rules do not find in its quotes: it is forbidden, or it has a grade. Invariant: what is forbidden has none.
import type { DraftClaim, UndecidedClaim, VerifiedSpan } from './claims/draft.ts';
import { nearSentences, type QuoteUnder } from './support/comparison.ts';
import { gradeOf } from './support/grade.ts';
import { vetoesOf } from './vetoes.ts';

/** What grading needs beside claim and quotes. */
export interface Grading {
  /** What the claims answer. */
  readonly question: string;
  /** How well each text matches the token of the claim that it matches least; absent, or none given: no encoder is there. */
  readonly leastMatches?: (claim: string, texts: readonly string[]) => Promise<readonly number[] | undefined>;
}

/** What rules say of it, with the spans as the record has them. */
export interface RefusedByRules {
  readonly support: number;
  readonly reasons: readonly string[];
  readonly spans: readonly VerifiedSpan[];
}

/** A claim that rules do not find in its quotes: forbidden, or handed back with its grade. */
export async function graded(
  claim: DraftClaim,
  { support, reasons, spans }: RefusedByRules,
  { question, leastMatches }: Grading,
): Promise<{ support: number; reasons: readonly string[]; undecided?: UndecidedClaim }> {
  const { vetoes, comparison, askedCodes, fromQuestion } = vetoesOf({
    claim: claim.text,
    quotes: spans.map(quoteUnder),
    question,
    reasons,
  });
  if (vetoes.length > 0) return { support, reasons: [...new Set([...vetoes, ...reasons])] };
  const matches = await leastMatches?.(claim.text, nearSentences(comparison));
  const leastMatch = matches && matches.length > 0 ? Math.max(...matches) : undefined;
  const grade = gradeOf(comparison, { reasons, askedCodes, leastMatch });
  return {
    support,
    reasons: [...new Set([...grade.reasons, ...reasons])],
    undecided: {
      ...claim,
      support: grade.chance,
      spans,
      degree: grade.degree,
      ...(fromQuestion.length > 0 && { fromQuestion }),
    },
  };
}

const quoteUnder = ({ quote, title, place = '' }: VerifiedSpan): QuoteUnder => ({ quote, title, headingPath: [place] });

/** For which no judge may let the claim pass. */
export const vetoesOfClaim = (
  claim: string,
  { spans, reasons }: Omit<RefusedByRules, 'support'>,
  question: string,
): readonly string[] => vetoesOf({ claim, quotes: spans.map(quoteUnder), question, reasons }).vetoes;
