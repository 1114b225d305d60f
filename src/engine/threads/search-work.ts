// A search as both sides run it: in place where it is cheap, in a worker where it is not. Invariant: the same state and query
// give the same hits, scores and explanations on either side.

import { expandTerm } from '../expand-term.ts';
import { countByField } from '../explain.ts';
import { weighedBy } from '../own-statistics.ts';
import { createProximity } from '../proximity.ts';
import type { LexicalQuery } from '../query.ts';
import { type LexicalHit, readHits } from '../ranked.ts';
import { partOf, slotOf } from '../references.ts';
import { explainHit } from '../score.ts';
import { searchProximate } from '../search.ts';
import type { SearchState } from '../search-state.ts';
import { countLiving, countPostings } from '../term-places.ts';
import type { HitExplanation, Results, SearchResult } from './protocol.ts';

/** What the first hits have their scores from. */
function explainHits(state: SearchState, query: LexicalQuery, references: Float64Array): readonly HitExplanation[] {
  if (references.length === 0) return [];
  const near = createProximity(state, query.pairs ?? []);
  return Array.from(references, (reference) => {
    const hit = { part: partOf(reference), slot: slotOf(reference) };
    const terms = explainHit(state, query, hit);
    return { terms, fields: terms.map(({ term }) => countByField(state, hit, term)), near: near.contributions(hit) };
  });
}

export interface Found {
  readonly hits: readonly LexicalHit[];
  readonly explanations: readonly HitExplanation[];
}

/** Keys are left to whoever asked: places are smaller in a message. */
export function searchState(state: SearchState, query: LexicalQuery, explained: number): SearchResult {
  const ranked = searchProximate(state, query);
  return {
    ranked,
    explanations: explainHits(weighedBy(state, query.own), query, ranked.references.subarray(0, explained)),
  };
}

export function readFound(state: SearchState, { ranked, explanations }: SearchResult): Found {
  return { hits: readHits(state, ranked), explanations };
}

export function expandTerms(state: SearchState, terms: readonly string[]): Results['expand'] {
  const segments = state.parts.map(({ segment }) => segment);
  return terms.map((term) => expandTerm(segments, term, (one) => countLiving(state, one)));
}

/** A candidate of a phrase costs about as much as this many postings (binary searches and a walk along its tokens). */
const phraseCost = 8;
/** Looking a term up in the dictionary of one segment: a microsecond. */
const lookUpCost = 200;

/** What a search costs, in postings; each explained hit weighs the terms again. */
export function estimatePostings(state: SearchState, query: LexicalQuery, explained: number): number {
  const scan = query.terms.reduce((sum, { term }) => sum + countPostings(state, term, query.selection), 0);
  const counted = state.parts.some(({ dead }) => dead !== undefined) ? explained : 0;
  const lookUps = query.terms.length * state.parts.length * (1 + explained);
  const phrases = [...(query.required ?? []), ...(query.excluded ?? [])].flat();
  const candidates = phrases.map((words) =>
    Math.min(...words.map((word) => countPostings(state, word.toWellFormed()))),
  );
  return scan * (1 + counted) + lookUps * lookUpCost + candidates.reduce((sum, count) => sum + count, 0) * phraseCost;
}
