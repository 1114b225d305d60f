// What it is worth that neighbouring terms of the query stand side by side, or near each other, in an entry: the ordered and
// unordered features of the sequential dependence model (Metzler & Croft 2005), weighed like BM25 terms. Only the best
// entries by BM25 are looked at; weights were chosen on tuning halves (docs/engine.md).
import type { LiveSegment } from './live-segment.ts';
import type { LexicalQuery, TermPair } from './query.ts';
import { idf, type LexicalHit, type SearchState, searchSegments, weighTerms } from './score.ts';
import { compareCodePoints } from './strings.ts';

/** How many of the best entries are looked at. Those below keep their order and stand below all of these. */
export const proximityDepth = 100;
const adjacentWeight = 0.2;
const nearWeight = 0.1;
/** Furthest distance in terms that counts as near. */
const nearDistance = 8;

export interface PairContribution {
  readonly pair: TermPair;
  readonly weight: number;
  /** Times that the second follows the first at once. */
  readonly adjacent: number;
}

/** Least common multiple of all near distances: sums of 840 / distance are whole, so their order cannot matter. */
const nearUnit = 840;

interface WeighedPair {
  readonly pair: TermPair;
  readonly weight: number;
}

/** The pairs of which the index holds both terms, each once, and the terms they are of. */
function weighPairs(state: SearchState, pairs: readonly TermPair[]) {
  const terms = [...new Set(pairs.flat())].slice(0, 255);
  const found = weighTerms(state, { terms: terms.map((term) => ({ term, weight: 1 })) });
  const places = new Map(found.map(({ term }, place) => [term, place]));
  const weighed: WeighedPair[] = [];
  /** Place of the pair of two terms, plus one. */
  const pairAt = new Uint16Array(found.length * found.length);
  for (const pair of pairs) {
    const [one, other] = pair.map((term) => places.get(term));
    if (one === undefined || other === undefined || one === other) continue;
    const at = one * found.length + other;
    if (pairAt[at] !== 0) continue;
    const idfOf = (place: number): number => idf(state.entries, found[place]?.frequency ?? 0);
    weighed.push({ pair, weight: Math.min(idfOf(one), idfOf(other)) });
    pairAt[at] = weighed.length;
  }
  return { found, weighed, pairAt };
}

/** Term of each token of an entry that the query asks for, plus one; shared, and empty between uses. */
let marks = new Uint8Array(0);
let tokenTerms = new Uint8Array(1024);
let tokenPlaces = new Uint32Array(1024);

/** What each pair adds to hits; pairs that do not stand near each other are left out. */
export function createProximity(
  state: SearchState,
  pairs: readonly TermPair[],
): (hits: readonly LexicalHit[]) => readonly (readonly PairContribution[])[] {
  const { found, weighed, pairAt } = weighPairs(state, pairs);
  const near = new Float64Array(weighed.length);
  const adjacent = new Uint32Array(weighed.length);

  const look = ({ part, slot }: LexicalHit): readonly PairContribution[] => {
    const { segment } = state.parts[part] as LiveSegment;
    const { tokensLow, tokensHigh } = segment;
    const start = segment.tokenOffsets[slot] as number;
    const end = segment.tokenOffsets[slot + 1] as number;
    if (tokenTerms.length < end - start) {
      tokenTerms = new Uint8Array((end - start) * 2);
      tokenPlaces = new Uint32Array((end - start) * 2);
    }
    let count = 0;
    for (let at = start; at < end; at++) {
      const mark = marks[(tokensLow[at] as number) | ((tokensHigh[at] as number) << 16)];
      if (mark === undefined || mark === 0) continue;
      tokenTerms[count] = mark - 1;
      tokenPlaces[count++] = at;
    }
    const size = found.length;
    let any = false;
    for (let left = 0; left + 1 < count; left++)
      for (let right = left + 1; right < count; right++) {
        const distance = (tokenPlaces[right] as number) - (tokenPlaces[left] as number);
        if (distance > nearDistance) break;
        const one = tokenTerms[left] as number;
        const other = tokenTerms[right] as number;
        const forward = pairAt[one * size + other] as number;
        const backward = pairAt[other * size + one] as number;
        if (forward > 0) {
          near[forward - 1] = (near[forward - 1] as number) + nearUnit / distance;
          if (distance === 1) adjacent[forward - 1] = (adjacent[forward - 1] as number) + 1;
          any = true;
        }
        if (backward > 0) {
          near[backward - 1] = (near[backward - 1] as number) + nearUnit / distance;
          any = true;
        }
      }
    if (!any) return [];
    const norm = state.norms[segment.lengths[slot] as number] as number;
    const saturate = (times: number): number => ((state.k1 + 1) * times) / (times + norm);
    const contributions: PairContribution[] = [];
    for (const [place, { pair, weight }] of weighed.entries()) {
      const nearness = (near[place] as number) / nearUnit;
      if (nearness === 0) continue;
      const beside = adjacent[place] as number;
      const sum = (beside === 0 ? 0 : adjacentWeight * saturate(beside)) + nearWeight * saturate(nearness);
      contributions.push({ pair, weight: weight * sum, adjacent: beside });
    }
    near.fill(0);
    adjacent.fill(0);
    return contributions;
  };

  return (hits) => {
    if (weighed.length === 0) return hits.map(() => []);
    const contributions: (readonly PairContribution[])[] = hits.map(() => []);
    for (const part of new Set(hits.map((hit) => hit.part))) {
      const terms = (state.parts[part] as LiveSegment).segment.sizes.terms;
      if (marks.length <= terms) marks = new Uint8Array(terms * 2 + 1);
      for (const [place, { ids }] of found.entries()) if (ids[part] !== -1) marks[ids[part] as number] = place + 1;
      for (const [place, hit] of hits.entries()) if (hit.part === part) contributions[place] = look(hit);
      for (const { ids } of found) if (ids[part] !== -1) marks[ids[part] as number] = 0;
    }
    return contributions;
  };
}

export const sumOf = (contributions: readonly PairContribution[]): number =>
  contributions.reduce((sum, { weight }) => sum + weight, 0);

/** Searches by BM25, then ranks the best `proximityDepth` anew by BM25 and proximity; pages see one ranking. */
export function searchProximate(state: SearchState, query: LexicalQuery): readonly LexicalHit[] {
  const { after, pairs = [], ...plain } = query;
  if (pairs.length === 0 || (after && after.rank >= proximityDepth)) return searchSegments(state, query);
  const wanted = (after?.rank ?? 0) + query.limit;
  const found = searchSegments(state, { ...plain, limit: Math.max(proximityDepth, wanted) });
  const best = found.slice(0, proximityDepth);
  const added = createProximity(state, pairs)(best);
  const head = best
    .map((hit, place) => ({ ...hit, score: hit.bm25 + sumOf(added[place] ?? []) }))
    .sort((left, right) => right.score - left.score || compareCodePoints(left.key, right.key))
    .filter(({ score, key }) => {
      if (!after || score < after.score) return true;
      return score === after.score && compareCodePoints(key, after.key) > 0;
    });
  return [...head, ...found.slice(proximityDepth)].slice(0, query.limit);
}
