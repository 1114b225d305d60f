// Which pairs of sentences a model is asked about: a claim of the answer and a sentence of another document that speaks of the same thing, where
// the model of pairs finds neither a contradiction nor that the sentence says the same. Invariants: few pairs, the nearest first, and of one document at most two
// for a claim; what it found a conflict of is not asked about again. Pure.
import type { Evidence } from '../../core/search.ts';
import { termSet, termsOf } from '../../text/terms.ts';
import type { SpanReference, VerifiedClaim } from '../claims/draft.ts';
import { supportOf } from '../support.ts';
import { conflictOf, headOf, isAmong, isSameContent, type Said, saidByClaims, statementsIn } from './said.ts';

export interface PairToJudge {
  readonly claim: VerifiedClaim;
  readonly own: Said;
  readonly other: Said;
  /** What both speak of, in words of the claim. */
  readonly about: string;
  /** 0..1: share of the claim's words that stand in the other sentence or, for less, over it. */
  readonly nearness: number;
}

/** What rules found, by where its positions stand. */
export interface RuledConflict {
  readonly positions: readonly { readonly spans: readonly SpanReference[] }[];
}

export const mostPairs = 8;
const mostClaims = 5;
const mostOfDocument = 2;
/** Chosen on every second question of RGB and SciFact's train claims (bench/answers/conflicts-judged.ts), where weighing words by how rare they are told nothing more. */
const leastNearness = 0.45;
/** Words of the claim that the sentence itself has. */
const leastShared = 2;
/** What the words above a sentence count for. */
const weightAbove = 0.2;
const mostAbout = 6;

/** Pairs in order, the nearest first; `ruled` is what was found before. */
export function pairsToJudge(
  claims: readonly VerifiedClaim[],
  evidence: readonly Evidence[],
  ruled: readonly RuledConflict[] = [],
): PairToJudge[] {
  const settled = ruled.flatMap(({ positions }) => positions.flatMap(({ spans }) => spans));
  const stated = saidByClaims(claims, evidence)
    .filter(({ own }) => !isAmong(settled, own.span))
    .slice(0, mostClaims);
  if (stated.length === 0) return [];
  const isElsewhere = (item: Evidence): boolean => stated.some(({ own }) => !isSameContent(own.evidence, item));
  const said = statementsIn(
    evidence.filter(isElsewhere),
    stated.map(({ own }) => own),
  )
    .filter((one) => !isAmong(settled, one.span))
    .map((one) => ({ one, own: termSet(one.text), above: termSet(headOf(one.evidence)) }));
  const near = stated.flatMap(({ claim, own }) => {
    const terms = termsOf(own.text).filter(({ term }) => !/^\d/u.test(term));
    const wanted = [...new Set(terms.map(({ term }) => term))];
    return said.flatMap(({ one, own: has, above }): PairToJudge[] => {
      if (isSameContent(own.evidence, one.evidence)) return [];
      const shared = wanted.filter((term) => has.has(term));
      const named = wanted.filter((term) => !has.has(term) && above.has(term));
      if (shared.length === 0 || shared.length + named.length < leastShared) return [];
      const nearness = (shared.length + weightAbove * named.length) / wanted.length;
      if (nearness < leastNearness) return [];
      const agreed = new Set([...shared, ...named]);
      const words = terms.filter(({ term }) => agreed.has(term)).map(({ start, end }) => own.text.slice(start, end));
      const about = [...new Set(words)].slice(0, mostAbout).join(' ');
      return [{ claim, own, other: one, about, nearness }];
    });
  });
  return fewOf(near.toSorted((a, b) => b.nearness - a.nearness));
}

function fewOf(pairs: readonly PairToJudge[]): PairToJudge[] {
  const few: PairToJudge[] = [];
  const ofDocument = new Map<string, number>();
  for (const pair of pairs) {
    if (few.length >= mostPairs) break;
    const { own, other } = pair;
    const place = `${own.span.documentId} ${own.span.start} ${own.span.end} ${other.evidence.documentId}`;
    const count = ofDocument.get(place) ?? 0;
    if (count >= mostOfDocument || isDecided(pair)) continue;
    // The same two are judged once, whichever of them the answer says first, and the same words elsewhere are as well.
    if (few.some((one) => isSamePair(one, pair))) continue;
    ofDocument.set(place, count + 1);
    few.push(pair);
  }
  return few;
}

const isSamePair = (one: PairToJudge, pair: PairToJudge): boolean =>
  (one.own.written === pair.own.written && one.other.written === pair.other.written) ||
  (one.own.written === pair.other.written && one.other.written === pair.own.written);

/** It is known already that they contradict, or that one says what the other does. */
const isDecided = ({ own, other }: PairToJudge): boolean =>
  own.written === other.written ||
  conflictOf(own, other) !== undefined ||
  supportOf(own.written, other.text).verdict === 'supported' ||
  supportOf(other.written, own.text).verdict === 'supported';
