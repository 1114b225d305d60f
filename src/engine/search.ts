// A search from terms to ranked entries: BM25 over all parts of a state, or over some of them on each of several threads, then the
// best anew by BM25 and proximity. Invariant: however the parts were divided, the ranking is that of one scan over all.

import { weighedBy } from './own-statistics.ts';
import { createProximity, proximityDepth } from './proximity.ts';
import type { LexicalQuery } from './query.ts';
import type { RankedEntries } from './ranked.ts';
import { compareKeys, createAfter } from './references.ts';
import { searchSegments, weighTerms } from './score.ts';
import type { SearchState } from './search-state.ts';

/** Places of parts in the state: from the first up to and without the second. */
export type PartRange = readonly [from: number, to: number];

/** The best entries of some parts by BM25, best first, and what nearness adds to the first `proximityDepth` of them. */
export interface ScannedParts {
  readonly references: Float64Array;
  readonly bm25: Float64Array;
  readonly added: Float64Array;
}

/** Pages beyond what is ranked anew come from BM25 alone. */
const isRankedAnew = ({ after, pairs = [] }: LexicalQuery): boolean =>
  pairs.length > 0 && !(after && after.rank >= proximityDepth);

export function scanParts(given: SearchState, query: LexicalQuery, range?: PartRange): ScannedParts {
  const state = weighedBy(given, query.own);
  const terms = weighTerms(state, query);
  if (!isRankedAnew(query)) {
    const { references, scores } = searchSegments(state, query, { terms, range });
    return { references, bm25: scores, added: new Float64Array(0) };
  }
  const { after, pairs = [], ...plain } = query;
  const limit = Math.max(proximityDepth, (after?.rank ?? 0) + query.limit);
  const { references, scores } = searchSegments(state, { ...plain, limit }, { terms, range });
  const added = createProximity(state, pairs, terms).added(references.subarray(0, proximityDepth));
  return { references, bm25: scores, added };
}

/** One list of two that are in order. What nearness adds is known for the first `proximityDepth` of each, so of both. */
function mergeScanned(state: SearchState, left: ScannedParts, right: ScannedParts): ScannedParts {
  const length = left.references.length + right.references.length;
  const merged = {
    references: new Float64Array(length),
    bm25: new Float64Array(length),
    added: new Float64Array(Math.min(proximityDepth, left.added.length + right.added.length)),
  };
  let one = 0;
  let other = 0;
  for (let at = 0; at < length; at++) {
    const leftScore = left.bm25[one] ?? Number.NEGATIVE_INFINITY;
    const rightScore = right.bm25[other] ?? Number.NEGATIVE_INFINITY;
    const fromLeft =
      leftScore > rightScore ||
      (leftScore === rightScore &&
        compareKeys(state, left.references[one] as number, right.references[other] as number) < 0);
    const source = fromLeft ? left : right;
    const place = fromLeft ? one++ : other++;
    merged.references[at] = source.references[place] as number;
    merged.bm25[at] = source.bm25[place] as number;
    if (at < merged.added.length) merged.added[at] = source.added[place] as number;
  }
  return merged;
}

/** The hits of a query, from scans that cover all parts between them. */
export function rankScanned(
  state: SearchState,
  query: LexicalQuery,
  [first, ...others]: readonly [ScannedParts, ...ScannedParts[]],
): RankedEntries {
  const { references, bm25, added } = others.reduce((all, next) => mergeScanned(state, all, next), first);
  if (!isRankedAnew(query))
    return {
      references: references.slice(0, query.limit),
      scores: bm25.slice(0, query.limit),
      bm25: bm25.slice(0, query.limit),
    };
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

/** Searches by BM25, then ranks the best `proximityDepth` anew by BM25 and proximity; pages see one ranking. */
export function searchProximate(state: SearchState, query: LexicalQuery): RankedEntries {
  return rankScanned(state, query, [scanParts(state, query)]);
}
