// How much of a question a claim answers: the share of the question's words, each weighted by its rarity, that stand in the claim or in the title
// over it. Pure.
import { coverOf, type Frame } from '../../passages/frame.ts';
import { termSet } from '../../text/terms.ts';

export interface Relevance {
  /** 0..1, of one text under its title. */
  of(text: string, title: string): number;
  /** 0..1, of several together: the coverage of an answer. */
  together(claims: readonly { readonly text: string; readonly title: string }[]): number;
}

export function createRelevance({ terms }: Frame): Relevance {
  const together: Relevance['together'] = (claims) => {
    const held = claims.flatMap(({ text, title }) => [...termSet(`${title.replaceAll('_', ' ')} ${text}`)]);
    return Math.min(1, coverOf(terms, new Set(held)));
  };
  return { of: (text, title) => together([{ text, title }]), together };
}
