// Why a hit of the lexical index stands where it stands, from what the engine computed: the weights of the terms sum to the
// BM25 score, with those of the pairs to the hit's score, to the last bit.
import type { Explanation } from '../../core/search.ts';
import { defaultParameters } from '../../engine/lexical.ts';
import type { LexicalHit } from '../../engine/ranked.ts';
import { idf } from '../../engine/score.ts';
import type { SearchState } from '../../engine/search-state.ts';
import type { HitExplanation } from '../../engine/threads/protocol.ts';
import type { ParsedQuery } from './query.ts';

export interface ExplainedHit {
  readonly hit: LexicalHit;
  readonly found: HitExplanation;
}

export function printExplanation(
  { entries }: SearchState,
  parsed: ParsedQuery,
  { hit, found: { terms, fields, near } }: ExplainedHit,
): Explanation {
  const { k1, b } = defaultParameters;
  return {
    terms: terms.map(({ term, weight, tf, df }, place) => {
      const [title = 0, heading = 0, body = 0] = fields[place] ?? [];
      return { term, weight, tf, df, idf: idf(entries, df), fields: { title, heading, body } };
    }),
    // Below the depth to which nearness is looked at it does not count.
    proximity: (hit.score > hit.bm25 ? near : []).map(({ pair, weight, adjacent }) => {
      return { terms: [pair[0], pair[1]], weight, adjacent };
    }),
    notes: [
      `BM25 over ${entries} chunks: k1 ${k1}, b ${b}; a term of the query counts as often as it stands there, the title's twice`,
      ...parsed.required.map((phrase) => `holds the phrase “${phrase[0]?.join(' ') ?? ''}”`),
      ...parsed.notes,
    ],
  };
}
