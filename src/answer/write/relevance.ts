// How much of a question a claim answers, measured as for claims that no model wrote: the share of the question's words, each weighted
// by its rarity, that stand in the claim or in the title over it. Pure.

import type { Context } from '../claims/draft.ts';
import { weightsOf } from '../extract/candidates.ts';
import { createMatcher } from '../question/matching.ts';
import type { Question } from '../question/question.ts';
import { termsOf } from '../question/terms.ts';

export interface RelevanceRequest {
  readonly question: Question;
  readonly context: Context;
  readonly language: string;
}

export interface Relevance {
  /** 0..1, of one text under its title. */
  of(text: string, title: string): number;
  /** 0..1, of several together: the coverage of an answer. */
  together(claims: readonly { readonly text: string; readonly title: string }[]): number;
}

export function createRelevance({ question, context, language }: RelevanceRequest): Relevance {
  const weights = weightsOf(question, context, language);
  const wanted = question.terms.map(({ term }) => term);
  const matchesOf = (text: string, title: string): readonly number[] => {
    const terms = termsOf(`${title.replaceAll('_', ' ')} ${text}`, language).map(({ term }) => term);
    return createMatcher(wanted, new Set(terms), language)(terms).matches;
  };
  const share = (matches: readonly number[]): number =>
    Math.min(
      1,
      matches.reduce((sum, match, index) => sum + match * (weights[index] ?? 0), 0),
    );
  return {
    of: (text, title) => share(matchesOf(text, title)),
    together(claims) {
      const all = claims.map(({ text, title }) => matchesOf(text, title));
      return share(wanted.map((_, index) => Math.max(0, ...all.map((matches) => matches[index] ?? 0))));
    },
  };
}
