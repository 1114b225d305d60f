// Scores every entry that holds a term of the query, term by term into one array per segment, and keeps the best. Exhaustive
// on purpose: with postings of three bytes and no decoding, pruning (MaxScore) cost more than it saved (docs/engine.md).
// Sums are double precision in the order of the query's terms, so an explanation adds up to the last bit.
import { FootnoteError } from '../core/errors.ts';
import { type Bitmap, hasBit } from './bitmap.ts';
import type { LiveSegment } from './live-segment.ts';
import { matchPhrase } from './phrases.ts';
import type { LexicalQuery } from './query.ts';
import { noEntries, type RankedEntries } from './ranked.ts';
import { compareKeys, createAfter, partEntries } from './references.ts';
import type { SearchState } from './search-state.ts';
import { findPosting, maximumEntries } from './segment.ts';
import { postingsIn, runsOf, type SelectedRun } from './selected-run.ts';
import { countLiving, placesOf } from './term-places.ts';
import { createTopEntries, drainEntries, makeRoom, type TopEntries } from './top-entries.ts';

/** One term of a query against the whole index. */
export interface WeighedTerm {
  readonly term: string;
  /** Living entries that hold it. */
  readonly frequency: number;
  /** weight * idf * (k1 + 1): times tf / (tf + norm) it is the contribution. */
  readonly impact: number;
  /** Its id in each segment, or -1. */
  readonly ids: readonly number[];
}

/** Lucene's idf: never negative. */
export function idf(entries: number, frequency: number): number {
  return Math.log(1 + (entries - frequency + 0.5) / (frequency + 0.5));
}

/** The terms that some living entry holds, each once, in the order of the query. */
export function weighTerms(state: SearchState, query: Pick<LexicalQuery, 'terms'>): readonly WeighedTerm[] {
  const weights = new Map<string, number>();
  for (const { term, weight } of query.terms) {
    const formed = term.toWellFormed();
    weights.set(formed, (weights.get(formed) ?? 0) + weight);
  }
  const weighed: WeighedTerm[] = [];
  for (const [term, weight] of weights) {
    const ids = placesOf(state, term);
    const frequency = state.frequencies ? (state.frequencies[term] ?? 0) : countLiving(state, term);
    if (frequency > 0)
      weighed.push({ term, frequency, impact: weight * idf(state.entries, frequency) * (state.k1 + 1), ids });
  }
  return weighed;
}

/** What an entry of average length would score that holds each term once: terms that no entry holds count as the rarest there are. */
export function ceilingOf(state: SearchState, { terms }: Pick<LexicalQuery, 'terms'>): number {
  let sum = 0;
  for (const { term: given, weight } of terms) {
    const term = given.toWellFormed();
    sum += weight * idf(state.entries, state.frequencies ? (state.frequencies[term] ?? 0) : countLiving(state, term));
  }
  return sum;
}

/** Scores by slot, all zero between uses, and the slots that hold one, in no order. */
const sums = new Float64Array(maximumEntries);
const touched = new Uint16Array(maximumEntries);

/** The best entries by BM25; `terms` are those of the query, weighed. */
export function searchSegments(state: SearchState, query: LexicalQuery, terms: readonly WeighedTerm[]): RankedEntries {
  if (query.limit <= 0 || terms.length === 0) return noEntries;
  const top = createTopEntries(query.limit, (left, right) => compareKeys(state, left, right) < 0);
  const isAfter = query.after && createAfter(state, query.after);
  const runs = query.selection && runsOf(query.selection);
  for (let index = 0; index < state.parts.length; index++) {
    if (query.cancelled?.()) throw new FootnoteError('cancelled', 'The request was cancelled.');
    const run = runs?.[index];
    if (run?.end === 0) continue;
    const selected = run?.isWhole === false ? query.selection?.[index] : undefined;
    // What is weighed by itself is mostly little of the index: what does not belong to it is not even scored.
    const [scored, admitted] = query.own ? [selected, undefined] : [undefined, selected];
    const count = accumulate(state, terms, { index, allowed: scored, run });
    const admits = createAdmission(state, query, { index, isAfter, allowed: admitted });
    if (count > 0) select(count, index * partEntries, admits, top);
  }
  const { references, scores } = drainEntries(top);
  return { references, scores, bm25: scores };
}

type AfterPlace = ReturnType<typeof createAfter> | undefined;
type Admission = (slot: number, score: number) => boolean;

/** What besides its score decides whether an entry of a segment may be a hit; undefined: nothing. */
function createAdmission(
  { parts }: SearchState,
  query: LexicalQuery,
  { index, isAfter, allowed }: Pick<Accumulated, 'index' | 'allowed'> & { readonly isAfter: AfterPlace },
): Admission | undefined {
  const { segment, dead } = parts[index] as LiveSegment;
  const required = (query.required ?? []).map((phrase) => matchPhrase(segment, phrase));
  const excluded = (query.excluded ?? []).map((phrase) => matchPhrase(segment, phrase));
  if (!dead && !allowed && !isAfter && required.length === 0 && excluded.length === 0) return undefined;
  return (slot, score) => {
    if (dead && hasBit(dead, slot)) return false;
    if (allowed && !hasBit(allowed, slot)) return false;
    if (required.some((bitmap: Bitmap) => !hasBit(bitmap, slot))) return false;
    if (excluded.some((bitmap: Bitmap) => hasBit(bitmap, slot))) return false;
    return !isAfter || isAfter(index * partEntries + slot, score);
  };
}

interface Accumulated {
  readonly index: number;
  /** Slots that count; undefined where all do, or those that do not are told apart elsewhere. */
  readonly allowed: Bitmap | undefined;
  /** Where to look; undefined: everywhere. */
  readonly run: SelectedRun | undefined;
}

/**
 * Adds up the contributions of all terms in one segment; returns how many slots have a score. Most queries touch a tenth of
 * the slots: a list of them is cheaper than a pass over all.
 */
function accumulate(state: SearchState, terms: readonly WeighedTerm[], { index, allowed, run }: Accumulated): number {
  const { segment } = state.parts[index] as LiveSegment;
  const { slots, frequencies, lengths } = segment;
  const { norms } = state;
  let count = 0;
  for (let place = 0; place < terms.length; place++) {
    const { ids, impact } = terms[place] as WeighedTerm;
    const id = ids[index] as number;
    if (id === -1) continue;
    const [from, to] = postingsIn(segment, id, run);
    for (let at = from; at < to; at++) {
      const slot = slots[at] as number;
      if (allowed !== undefined && !hasBit(allowed, slot)) continue;
      const tf = frequencies[at] as number;
      const before = sums[slot] as number;
      if (before === 0) touched[count++] = slot;
      sums[slot] = before + (impact * tf) / (tf + (norms[lengths[slot] as number] as number));
    }
  }
  return count;
}

/** Offers the touched slots of a segment and clears their scores. */
function select(count: number, first: number, admits: Admission | undefined, top: TopEntries): void {
  let { threshold, length } = top;
  const { scores, references } = top;
  const capacity = scores.length;
  for (let place = 0; place < count; place++) {
    const slot = touched[place] as number;
    const score = sums[slot] as number;
    sums[slot] = 0;
    if (score < threshold) continue;
    if (admits !== undefined && !admits(slot, score)) continue;
    if (length === capacity) {
      top.length = length;
      makeRoom(top);
      length = top.length;
      threshold = top.threshold;
      if (score < threshold) continue;
    }
    scores[length] = score;
    references[length++] = first + slot;
  }
  top.length = length;
  makeRoom(top);
}

export interface TermContribution {
  readonly term: string;
  readonly weight: number;
  /** Weighted occurrences in the entry, at most 255. */
  readonly tf: number;
  /** Living entries that hold the term. */
  readonly df: number;
}

/** What each term of the query gave a hit; the weights sum, in this order, to its score. */
export function explainHit(
  state: SearchState,
  query: Pick<LexicalQuery, 'terms'>,
  hit: { readonly part: number; readonly slot: number },
): readonly TermContribution[] {
  const { segment } = state.parts[hit.part] as LiveSegment;
  const norm = state.norms[segment.lengths[hit.slot] as number] as number;
  return weighTerms(state, query).flatMap(({ term, frequency, impact, ids }) => {
    const id = ids[hit.part] as number;
    const at = id === -1 ? -1 : findPosting(segment, id, hit.slot);
    if (at === -1) return [];
    const tf = segment.frequencies[at] as number;
    return [{ term, weight: (impact * tf) / (tf + norm), tf, df: frequency }];
  });
}
