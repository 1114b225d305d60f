// Comparisons that the figures of a quote decide: "the Oder is longer than the Weser" from their lengths. The figure of each is the
// first of one kind that stands after it and before the other.

import type { Token } from './tokens.ts';

const greater = new Set(
  'longer higher taller more larger bigger greater heavier deeper wider hotter warmer faster later younger costlier'.split(
    ' ',
  ),
);
const less = new Set(
  'shorter lower less fewer smaller lighter shallower narrower colder cooler slower cheaper earlier'.split(' '),
);

export interface Comparison {
  readonly isTrue: boolean;
  readonly derivation: string;
  /** Claim tokens that it accounts for: the comparative, "than" and what is measured. */
  readonly accounts: readonly number[];
}

/** The comparison that the claim makes, decided by the quote; undefined where it makes none or the quote does not decide. */
export function comparisonOf(
  claim: readonly Token[],
  quote: readonly Token[],
  alignedTo: (at: number) => number,
): Comparison | undefined {
  const than = claim.findIndex((token) => token.lower === 'than');
  if (than < 1) return undefined;
  const word = claim.findLastIndex(
    (token, at) => at < than && (greater.has(token.lower) || less.has(token.lower) || token.lower === 'older'),
  );
  if (word < 0) return undefined;
  const [mine, theirs] = [keyOf(claim, 0, word, alignedTo), keyOf(claim, than + 1, claim.length, alignedTo)];
  if (mine === undefined || theirs === undefined) return undefined;
  const [a, b] = [figureAfter(quote, mine, theirs), figureAfter(quote, theirs, mine)];
  if (!a || !b || a.kind !== b.kind || a.value === b.value) return undefined;
  const comparative = (claim[word] as Token).lower;
  const isDate = a.kind === 'year';
  // An older thing has the earlier year; an older person the higher age.
  const wantsMore = comparative === 'older' ? !isDate : comparative === 'younger' ? isDate : greater.has(comparative);
  const accounts = [word];
  for (let at = word + 1; at < than; at += 1) if (claim[at]?.content) accounts.push(at);
  return { isTrue: wantsMore === a.value > b.value, derivation: `${a.text} against ${b.text}`, accounts };
}

/** The word that tells one side from the other: the last aligned name, else the last aligned word that stands once in the quote. */
function keyOf(
  claim: readonly Token[],
  from: number,
  to: number,
  alignedTo: (at: number) => number,
): number | undefined {
  for (let at = from; at < to; at += 1)
    if (
      claim[at]?.content &&
      (claim[at]?.type === 'word' || claim[at]?.quantity?.kind === 'ordinal') &&
      alignedTo(at) >= 0
    )
      return alignedTo(at);
  return undefined;
}

interface Value {
  readonly kind: string;
  readonly value: number;
  readonly text: string;
}

function figureAfter(quote: readonly Token[], at: number, other: number): Value | undefined {
  for (let next = at + 1; next < quote.length && next < at + 12; next += 1) {
    if (next === other) return undefined;
    const token = quote[next] as Token;
    if (token.date?.precision === 'year' && token.date.year !== undefined)
      return { kind: 'year', value: token.date.year, text: token.text };
    if (token.quantity && token.quantity.kind === 'cardinal' && token.quantity.bound === 'exact')
      return {
        kind: token.quantity.unit?.dimension ?? 'count',
        value: token.quantity.value * (token.quantity.unit?.factor ?? 1),
        text: token.text,
      };
  }
  return undefined;
}
