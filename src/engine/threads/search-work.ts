// A search as both sides run it: in place where it is cheap, in a worker where it is not. Invariant: the same state and query
// give the same hits, scores and explanations on either side.

import { expandTerm } from '../expand-term.ts';
import { countByField } from '../explain.ts';
import { createProximity, searchProximate } from '../proximity.ts';
import type { LexicalQuery } from '../query.ts';
import { explainHit, type LexicalHit } from '../score.ts';
import type { SearchState } from '../search-state.ts';
import { stringAt } from '../strings.ts';
import { countLiving, countPostings } from '../term-places.ts';
import type { HitExplanation, Results, SearchResult } from './protocol.ts';

/** What the first hits have their scores from. */
export function explainHits(
  state: SearchState,
  query: LexicalQuery,
  hits: readonly LexicalHit[],
): readonly HitExplanation[] {
  if (hits.length === 0) return [];
  const near = createProximity(state, query.pairs ?? []);
  return hits.map((hit) => {
    const terms = explainHit(state, query, hit);
    return { terms, fields: terms.map(({ term }) => countByField(state, hit, term)), near: near.contributions(hit) };
  });
}

export interface Found {
  readonly hits: readonly LexicalHit[];
  readonly explanations: readonly HitExplanation[];
}

export function findHere(state: SearchState, query: LexicalQuery, explained: number): Found {
  const hits = searchProximate(state, query);
  return { hits, explanations: explainHits(state, query, hits.slice(0, explained)) };
}

/** For a message: places and scores only. */
export function packFound({ hits, explanations }: Found): SearchResult {
  return {
    parts: Uint16Array.from(hits, ({ part }) => part),
    slots: Uint16Array.from(hits, ({ slot }) => slot),
    scores: Float64Array.from(hits, ({ score }) => score),
    bm25: Float64Array.from(hits, ({ bm25 }) => bm25),
    explanations,
  };
}

/** Reads the keys from the state that was searched. */
export function unpackFound(state: SearchState, result: SearchResult): Found {
  const hits = Array.from(result.parts, (part, place): LexicalHit => {
    const slot = result.slots[place] as number;
    const segment = state.parts[part]?.segment;
    if (!segment) throw new RangeError(`a hit in segment ${part} of ${state.parts.length}`);
    return {
      key: stringAt(segment.keys, slot),
      group: stringAt(segment.groups, segment.groupOf[slot] as number),
      score: result.scores[place] as number,
      bm25: result.bm25[place] as number,
      part,
      slot,
    };
  });
  return { hits, explanations: result.explanations };
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
  const scan = query.terms.reduce((sum, { term }) => sum + countPostings(state, term), 0);
  const counted = state.parts.some(({ dead }) => dead !== undefined) ? explained : 0;
  const lookUps = query.terms.length * state.parts.length * (1 + explained);
  const phrases = [...(query.required ?? []), ...(query.excluded ?? [])].flat();
  const candidates = phrases.map((words) =>
    Math.min(...words.map((word) => countPostings(state, word.toWellFormed()))),
  );
  return scan * (1 + counted) + lookUps * lookUpCost + candidates.reduce((sum, count) => sum + count, 0) * phraseCost;
}
