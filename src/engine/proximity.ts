// What it is worth that neighbouring terms of the query stand side by side, or near each other, in an entry: the ordered and
// unordered features of the sequential dependence model (Metzler & Croft 2005), weighed like BM25 terms. Only the best
// entries by BM25 are looked at; weights were chosen on tuning halves (docs/engine.md).
import { tokenAt } from './phrases.ts';
import type { LexicalQuery, TermPair } from './query.ts';
import { idf, type LexicalHit, type SearchState, searchSegments, weighTerms } from './score.ts';
import { compareCodePoints, encode, findString } from './strings.ts';

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

interface WeighedPair {
  readonly pair: TermPair;
  readonly first: number;
  readonly second: number;
  readonly weight: number;
}

/** Places of the terms of a pair list in an entry, by term. */
function placesOf(state: SearchState, hit: LexicalHit, terms: readonly string[]): readonly (readonly number[])[] {
  const segment = state.parts[hit.part]?.segment;
  const places: number[][] = terms.map(() => []);
  if (!segment) return places;
  const wanted = new Map<number, number[]>();
  for (const [at, term] of terms.entries()) {
    const id = findString(segment.terms, encode(term));
    if (id !== -1) wanted.set(id, places[at] ?? []);
  }
  const end = segment.tokenOffsets[hit.slot + 1] ?? 0;
  for (let at = segment.tokenOffsets[hit.slot] ?? 0; at < end; at++) wanted.get(tokenAt(segment, at))?.push(at);
  return places;
}

/** Pairs worth looking at: both terms are in the index, each pair once. */
function weighPairs(state: SearchState, pairs: readonly TermPair[]): { terms: string[]; weighed: WeighedPair[] } {
  const terms = [...new Set(pairs.flat())];
  const found = weighTerms(state, { terms: terms.map((term) => ({ term, weight: 1 })) });
  const idfs = new Map(found.map(({ term, frequency }) => [term, idf(state.entries, frequency)]));
  const known = found.map(({ term }) => term);
  const weighed = new Map<string, WeighedPair>();
  for (const pair of pairs) {
    const [one, other] = pair;
    const weight = Math.min(idfs.get(one) ?? 0, idfs.get(other) ?? 0);
    if (one !== other && weight > 0)
      weighed.set(JSON.stringify(pair), { pair, first: known.indexOf(one), second: known.indexOf(other), weight });
  }
  return { terms: known, weighed: [...weighed.values()] };
}

/** What each pair adds to a hit; pairs that do not stand near each other are left out. */
export function createProximity(
  state: SearchState,
  pairs: readonly TermPair[],
): (hit: LexicalHit) => PairContribution[] {
  const { terms, weighed } = weighPairs(state, pairs);
  if (weighed.length === 0) return () => [];
  return (hit) => {
    const places = placesOf(state, hit, terms);
    const norm = state.norms[state.parts[hit.part]?.segment.lengths[hit.slot] ?? 0] ?? 0;
    const saturate = (count: number): number => ((state.k1 + 1) * count) / (count + norm);
    const found: PairContribution[] = [];
    for (const { pair, first, second, weight } of weighed) {
      let adjacent = 0;
      let near = 0;
      for (const one of places[first] ?? [])
        for (const other of places[second] ?? []) {
          if (other - one === 1) adjacent++;
          const distance = Math.abs(other - one);
          if (distance <= nearDistance) near += 1 / distance;
        }
      if (near === 0) continue;
      const sum = (adjacent === 0 ? 0 : adjacentWeight * saturate(adjacent)) + nearWeight * saturate(near);
      found.push({ pair, weight: weight * sum, adjacent });
    }
    return found;
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
  const proximity = createProximity(state, pairs);
  const head = found
    .slice(0, proximityDepth)
    .map((hit) => ({ ...hit, score: hit.bm25 + sumOf(proximity(hit)) }))
    .sort((left, right) => right.score - left.score || compareCodePoints(left.key, right.key))
    .filter(({ score, key }) => {
      if (!after || score < after.score) return true;
      return score === after.score && compareCodePoints(key, after.key) > 0;
    });
  return [...head, ...found.slice(proximityDepth)].slice(0, query.limit);
}
