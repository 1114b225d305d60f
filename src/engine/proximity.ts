// What it is worth that neighbouring terms of the query stand side by side, or near each other, in an entry: the ordered and
// unordered features of the sequential dependence model (Metzler & Croft 2005), weighed like BM25 terms. Only the best
// entries by BM25 are looked at; weights were chosen on tuning halves (docs/engine.md).
import type { LiveSegment } from './live-segment.ts';
import type { TermPair } from './query.ts';
import { readTokensAhead } from './read-ahead.ts';
import { partOf, slotOf } from './references.ts';
import { idf, type WeighedTerm, weighTerms } from './score.ts';
import type { SearchState } from './search-state.ts';
import type { Segment } from './segment.ts';

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
function weighPairs(state: SearchState, pairs: readonly TermPair[], known: readonly WeighedTerm[]) {
  const terms = [...new Set(pairs.flat())].slice(0, 255);
  const weighed = new Map(known.map((one) => [one.term, one]));
  const others = terms.filter((term) => !weighed.has(term));
  if (others.length > 0)
    for (const one of weighTerms(state, { terms: others.map((term) => ({ term, weight: 1 })) }))
      weighed.set(one.term, one);
  const found = terms.flatMap((term) => weighed.get(term) ?? []);
  const places = new Map(found.map(({ term }, place) => [term, place]));
  const weighedPairs: WeighedPair[] = [];
  /** Place of the pair of two terms, plus one. */
  const pairAt = new Uint16Array(found.length * found.length);
  for (const pair of pairs) {
    const one = places.get(pair[0]);
    const other = places.get(pair[1]);
    if (one === undefined || other === undefined || one === other) continue;
    const at = one * found.length + other;
    if (pairAt[at] !== 0) continue;
    const idfOf = (place: number): number => idf(state.entries, found[place]?.frequency ?? 0);
    weighedPairs.push({ pair, weight: Math.min(idfOf(one), idfOf(other)) });
    pairAt[at] = weighedPairs.length;
  }
  return { found, weighedPairs, pairAt };
}

/**
 * Place of the query's term that a token may be, plus one, by the low bits of its id: small enough for the nearest cache, and
 * most tokens need no second look. Shared, and empty between uses.
 */
const marks = new Uint8Array(4096);
const mask = marks.length - 1;
let tokenTerms = new Uint8Array(1024);
let tokenPlaces = new Uint32Array(1024);

export interface Proximity {
  /** What nearness adds to the score of each entry, by reference. */
  added(references: Float64Array): Float64Array;
  /** What each pair adds to a hit, in the order in which they are summed; pairs that do not stand near each other are left out. */
  contributions(hit: { readonly part: number; readonly slot: number }): readonly PairContribution[];
}

/** `known`: terms that were weighed already for the same state. */
export function createProximity(
  state: SearchState,
  pairs: readonly TermPair[],
  known: readonly WeighedTerm[] = [],
): Proximity {
  const { found, weighedPairs, pairAt } = weighPairs(state, pairs, known);
  /** Ids of the terms in the marked segment, -1 where it has none. */
  const ids = new Int32Array(found.length);
  /** Whether two of them have one mark. */
  let shared = false;
  const near = new Float64Array(weighedPairs.length);
  const adjacent = new Uint32Array(weighedPairs.length);

  /** Fills `near` and `adjacent` for an entry of a marked segment. False: nothing stands near anything, both are zero. */
  const look = (segment: Segment, slot: number): boolean => {
    const { tokensLow, tokensHigh } = segment;
    const start = segment.tokenOffsets[slot] as number;
    const end = segment.tokenOffsets[slot + 1] as number;
    if (tokenTerms.length < end - start) {
      tokenTerms = new Uint8Array((end - start) * 2);
      tokenPlaces = new Uint32Array((end - start) * 2);
    }
    let count = 0;
    for (let at = start; at < end; at++) {
      const low = tokensLow[at] as number;
      let place = (marks[low & mask] as number) - 1;
      if (place === -1) continue;
      const token = low | ((tokensHigh[at] as number) << 16);
      if (ids[place] !== token) {
        place = shared ? ids.indexOf(token) : -1;
        if (place === -1) continue;
      }
      tokenTerms[count] = place;
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
    return any;
  };

  /** Weights of the pairs of the entry that was looked at, zero where they do not stand near each other. */
  const weights = new Float64Array(weighedPairs.length);
  const weigh = (segment: Segment, slot: number): number => {
    const norm = state.norms[segment.lengths[slot] as number] as number;
    let sum = 0;
    for (let place = 0; place < weights.length; place++) {
      const nearness = (near[place] as number) / nearUnit;
      const beside = adjacent[place] as number;
      const ordered = beside === 0 ? 0 : adjacentWeight * (((state.k1 + 1) * beside) / (beside + norm));
      const unordered = nearness === 0 ? 0 : nearWeight * (((state.k1 + 1) * nearness) / (nearness + norm));
      const weight = (weighedPairs[place] as WeighedPair).weight * (ordered + unordered);
      weights[place] = weight;
      sum += weight;
    }
    return sum;
  };

  const mark = (part: number): Segment => {
    shared = false;
    for (let place = 0; place < ids.length; place++) {
      const id = found[place]?.ids[part] ?? -1;
      ids[place] = id;
      if (id === -1) continue;
      shared ||= marks[id & mask] !== 0;
      marks[id & mask] = place + 1;
    }
    return (state.parts[part] as LiveSegment).segment;
  };

  const unmark = (): void => {
    for (const id of ids) if (id !== -1) marks[id & mask] = 0;
  };

  return {
    added(references) {
      const sums = new Float64Array(references.length);
      if (weighedPairs.length === 0) return sums;
      readTokensAhead(state, references);
      for (const part of new Set(references.map(partOf))) {
        const segment = mark(part);
        for (let place = 0; place < references.length; place++) {
          const reference = references[place] as number;
          if (partOf(reference) !== part || !look(segment, slotOf(reference))) continue;
          sums[place] = weigh(segment, slotOf(reference));
          near.fill(0);
          adjacent.fill(0);
        }
        unmark();
      }
      return sums;
    },
    contributions({ part, slot }) {
      const segment = mark(part);
      const any = weighedPairs.length > 0 && look(segment, slot);
      unmark();
      if (!any) return [];
      weigh(segment, slot);
      const found = weighedPairs.map(({ pair }, place) => {
        return { pair, weight: weights[place] as number, adjacent: adjacent[place] as number };
      });
      near.fill(0);
      adjacent.fill(0);
      return found.filter(({ weight }) => weight > 0);
    },
  };
}
