// What is measured of a claim and its quote, as numbers for the model of support (weights.ts). The order of the names is the order of
// the numbers.

import type { Match, QuoteText } from '../match.ts';
import type { Token } from '../tokens.ts';

export const featureNames = [
  'uncovered share',
  'uncovered words',
  'uncovered names',
  'soft share',
  'anchor share',
  'neighbours share',
  'jumps share',
  'in order share',
  'strict support',
  'strict problems',
  'strict negation or hedge',
  'strict order or roles',
  'strict relation',
  'strict word changed',
  'claim words',
  'quote words',
  'figures',
  'derived figures',
  'anchor left out',
  'longest run',
  'uncovered long words',
  'pairs share',
  'contradictions',
] as const;

export interface Measured {
  readonly claim: readonly Token[];
  readonly quote: QuoteText;
  readonly match: Match;
  readonly anchor: number;
  /** Claim tokens that need no counterpart: light words, computed figures and the words that ask for them. */
  readonly isFree: (at: number) => boolean;
  readonly strict: { readonly support: number; readonly reasons: readonly string[] };
  readonly figures: number;
  readonly derived: number;
  readonly contradictions: number;
}

/** A word's weight: names and long words say more. */
const weightOf = (token: Token): number =>
  token.name || token.type === 'number' || token.type === 'date' ? 2 : Math.min(1.4, 0.5 + token.lower.length / 10);

// oxlint-disable-next-line complexity -- One rule of language stands after another, over the same words.
export function featuresOf(measured: Measured): number[] {
  const { claim, quote, match, anchor, isFree, strict } = measured;
  let [total, uncovered, words, names, soft, inAnchor, content, long] = [0, 0, 0, 0, 0, 0, 0, 0];
  const positions: number[] = [];
  for (const [at, token] of claim.entries()) {
    if (!token.content || isFree(at)) continue;
    const weight = weightOf(token);
    const there = match.to[at] as number;
    total += weight;
    content += 1;
    if (there < 0) {
      uncovered += weight;
      words += 1;
      if (token.name || /^\p{Lu}/u.test(token.text)) names += 1;
      if (token.lower.length > 6) long += 1;
      continue;
    }
    positions.push(there);
    if ((match.score[at] as number) < 0.9) soft += 1;
    if (quote.sentence[there] === anchor) inAnchor += 1;
  }
  let [near, jumps, run, longest, pairs] = [0, 0, 1, 1, 0];
  for (const [index, position] of positions.entries()) {
    if (index === 0) continue;
    const before = positions[index - 1] as number;
    const gap = position - before;
    if (Math.abs(gap) <= 4) near += 1;
    if (gap > 0 && gap <= 3) pairs += 1;
    if (quote.sentence[position] !== quote.sentence[before]) jumps += 1;
    run = gap > 0 && gap <= 3 ? run + 1 : 1;
    longest = Math.max(longest, run);
  }
  const steps = Math.max(1, positions.length - 1);
  const kinds = strict.reasons.map((reason) => reason.split(':')[0] as string);
  const has = (form: RegExp): number => (kinds.some((kind) => form.test(kind)) ? 1 : 0);
  const used = new Set(match.to);
  let [left, all] = [0, 0];
  for (const [at, token] of quote.tokens.entries())
    if (token.content && quote.sentence[at] === anchor) {
      all += 1;
      if (!used.has(at)) left += 1;
    }
  return [
    total === 0 ? 1 : uncovered / total,
    words,
    names,
    content === 0 ? 0 : soft / content,
    content === 0 ? 0 : inAnchor / content,
    near / steps,
    jumps / steps,
    positions.length === 0 ? 0 : inOrder(positions) / positions.length,
    strict.support,
    Math.min(8, kinds.length),
    has(/negation|hedge|modality|attribution|condition/u),
    has(/order|subject|voice/u),
    has(/relation|not-in-quote/u),
    has(/-changed|direction/u),
    Math.log(1 + content),
    Math.log(1 + quote.tokens.length),
    measured.figures,
    measured.derived,
    all === 0 ? 0 : left / all,
    longest / Math.max(1, content),
    long,
    pairs / steps,
    Math.min(5, measured.contradictions),
  ];
}

/** The longest run of positions that ascend, others left out. */
export function inOrder(positions: readonly number[]): number {
  const tails: number[] = [];
  for (const position of positions) {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((tails[middle] as number) < position) low = middle + 1;
      else high = middle;
    }
    tails[low] = position;
  }
  return tails.length;
}
