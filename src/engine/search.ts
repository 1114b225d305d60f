// A search from terms to ranked entries: BM25 over all parts of a state, then the best anew by BM25 and proximity.

import { weighedBy } from './own-statistics.ts';
import { createProximity, proximityDepth } from './proximity.ts';
import type { LexicalQuery } from './query.ts';
import type { RankedEntries } from './ranked.ts';
import { compareKeys, createAfter } from './references.ts';
import { searchSegments, weighTerms } from './score.ts';
import type { SearchState } from './search-state.ts';

/** Pages beyond what is ranked anew come from BM25 alone. */
const isRankedAnew = ({ after, pairs = [] }: LexicalQuery): boolean =>
  pairs.length > 0 && !(after && after.rank >= proximityDepth);

/** Searches by BM25, then ranks the best `proximityDepth` anew by BM25 and proximity; pages see one ranking. */
export function searchProximate(given: SearchState, query: LexicalQuery): RankedEntries {
  const state = weighedBy(given, query.own);
  const terms = weighTerms(state, query);
  if (!isRankedAnew(query)) return searchSegments(state, query, terms);
  const { after, pairs = [], ...plain } = query;
  const limit = Math.max(proximityDepth, (after?.rank ?? 0) + query.limit);
  const { references, bm25 } = searchSegments(state, { ...plain, limit }, terms);
  const added = createProximity(state, pairs, terms).added(references.subarray(0, proximityDepth));
  const depth = added.length;
  const scores = added.map((more, place) => (bm25[place] as number) + more);
  const isAfter = query.after && createAfter(state, query.after);
  const order: number[] = [];
  for (let place = 0; place < depth; place++)
    if (!isAfter || isAfter(references[place] as number, scores[place] as number)) order.push(place);
  order.sort((left, right) => {
    const difference = (scores[right] as number) - (scores[left] as number);
    return difference || compareKeys(state, references[left] as number, references[right] as number);
  });
  const head = Math.min(order.length, query.limit);
  const length = Math.min(head + references.length - depth, query.limit);
  const ranked = {
    references: new Float64Array(length),
    scores: new Float64Array(length),
    bm25: new Float64Array(length),
  };
  for (let at = 0; at < length; at++) {
    const place = at < head ? (order[at] as number) : depth + at - head;
    ranked.references[at] = references[place] as number;
    ranked.scores[at] = (at < head ? scores : bm25)[place] as number;
    ranked.bm25[at] = bm25[place] as number;
  }
  return ranked;
}
