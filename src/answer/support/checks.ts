// What a claim must agree on with the quote besides its words: polarity, certainty, bounds, relations and quantifiers. Every check only adds problems; the decision is taken in support.ts.

import { boundCovers, sameAmount } from '../../text/quantities/quantities.ts';
import type { Quantifier } from '../../text/words/hedges.ts';
import { areOpposites } from '../../text/words/opposites.ts';
import type { Alignment } from './align.ts';
import { markerBefore } from './markers.ts';
import type { Token } from './tokens.ts';

/** One aligned token of the claim, with both sentences. */
export interface Pair {
  readonly claim: readonly Token[];
  readonly quote: readonly Token[];
  readonly at: number;
  readonly other: number;
  readonly alignment: Alignment;
}

/** What an aligned pair must agree on besides the word itself. */
// oxlint-disable-next-line complexity -- One rule of language stands after another, over the same words.
export function checkPair(token: Token, there: Token, pair: Pair, problems: string[]): void {
  const add = (problem: string): void => {
    if (!problems.includes(problem)) problems.push(problem);
  };
  if (token.negations !== there.negations && !isFrontedDate(pair, (item) => item.negations))
    add(token.negations > there.negations ? `negation-added: ${token.text}` : `negation-removed: ${there.text}`);
  if (there.doubt > token.doubt && !isFrontedDate(pair, (item) => item.doubt)) add(`hedge-removed: ${there.text}`);
  if (there.modality !== token.modality && !isFrontedDate(pair, (item) => item.modality))
    add(
      there.modality === ''
        ? `modality-added: ${token.modality}`
        : `modality-changed: ${there.modality} → ${token.modality || 'none'}`,
    );
  if (there.condition !== token.condition)
    add(there.condition === '' ? `condition-added: ${token.text}` : `condition-removed: ${there.text}`);
  if (there.attributed && !token.attributed) add(`attribution-removed: ${there.text}`);
  if (there.asked && !token.asked) add('question-as-statement');
  const a = token.quantity;
  const b = there.quantity;
  if (a && b && !token.date && !there.date && !boundCovers(b.bound, a.bound))
    add(`bound-changed: ${b.bound} ${b.text} → ${a.bound} ${a.text}`);
  if (token.date && there.date && isApproximate(pair.quote, pair.other) && !isApproximate(pair.claim, pair.at))
    add(`hedge-removed: about ${there.text}`);
  const signs = [signAt(pair.claim, pair.at), signAt(pair.quote, pair.other)] as const;
  if (signs[0] !== signs[1]) add(`unit-changed: ${there.text}${signs[1]} → ${token.text}${signs[0]}`);
  const mine = relationOf(markerBefore(pair.claim, pair.at));
  const theirs = relationOf(markerBefore(pair.quote, pair.other));
  const timed = token.type === 'date' || token.type === 'number';
  // "From 1914 to 1918", "from 1914 until 1918".
  const isEnd = timed && /^(?:to|until)$/u.test(mine) && /^(?:to|until)$/u.test(theirs);
  if (mine !== theirs && !isEnd) {
    if (mine !== '' && theirs !== '') add(`relation-changed: ${theirs} → ${mine}`);
    else if (timed && timeRelations.has(mine || theirs) && !(a && b && a.bound !== 'exact'))
      add(`relation-changed: ${theirs || 'at'} → ${mine || 'at'}`);
  }
}

/** "In 1999, they did not lose" and "They did not lose in 1999": a date in front stands outside the negation it belongs to. */
function isFrontedDate(
  { claim, quote, at, other, alignment }: Pair,
  markOf: (token: Token) => number | string,
): boolean {
  if ((claim[at] as Token).type !== 'date' || at > 3 === other > 3) return false;
  return claim.some((token, index) => {
    const there = quote[alignment.toQuote[index] as number];
    return (
      index !== at && token.content && there !== undefined && Boolean(markOf(there)) && markOf(there) === markOf(token)
    );
  });
}

/** A sign of measure or money that touches a figure which was not read as a quantity with it. */
function signAt(tokens: readonly Token[], at: number): string {
  const token = tokens[at] as Token;
  if (!/\d/u.test(token.text)) return '';
  const [before, after] = [tokens[at - 1], tokens[at + 1]];
  const left = before?.end === token.start && /^[$€£¥₹]$/u.test(before.text) ? before.text : '';
  return after?.start === token.end && /^[%‰°$€£¥₹]$/u.test(after.text) ? left + after.text : left;
}

function isApproximate(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  const word = before?.type === 'mark' ? `${tokens[at - 2]?.lower ?? ''}` : (before?.lower ?? '');
  return (
    /^(?:about|around|circa|ca|c|approximately|roughly|approx|~|etwa|um|gegen|ungefähr)$/u.test(word) ||
    tokens[at]?.quantity?.bound === 'about'
  );
}

/** Prepositions that say how things stand to each other, those that say the same joined by "/", under the first of them. */
const relations = new Map(
  'to/into/onto from by before/vor after/following/nach since/seit until/till/bis with/mit without/ohne against/gegen above/over below/under despite'
    .split(' ')
    .flatMap((same) => same.split('/').map((word, _, [first = word]) => [word, first] as const)),
);
const timeRelations = new Set(['before', 'after', 'since', 'until', 'above', 'below', 'by']);
const relationOf = (marker: string): string => relations.get(marker) ?? '';

/** The aligned neighbours of a claim token enclose the part of the quote where its counterpart would stand. */
function gapOf(at: number, claim: readonly Token[], quote: readonly Token[], alignment: Alignment): Token[] {
  let low = -1;
  let high = quote.length;
  for (let other = at - 1; other >= 0; other -= 1) {
    if ((alignment.toQuote[other] as number) >= 0) {
      low = alignment.toQuote[other] as number;
      break;
    }
  }
  for (let other = at + 1; other < claim.length; other += 1) {
    if ((alignment.toQuote[other] as number) >= 0) {
      high = alignment.toQuote[other] as number;
      break;
    }
  }
  if (high <= low) high = quote.length;
  return quote.slice(low + 1, high).filter((token, index) => token.content && !alignment.used[low + 1 + index]);
}

/** Names what is wrong with a claim token that the quote does not carry. */
export function missing(
  token: Token,
  at: number,
  claim: readonly Token[],
  quote: readonly Token[],
  alignment: Alignment,
): string {
  const gap = gapOf(at, claim, quote, alignment);
  const free = quote.filter((other, index) => other.content && !alignment.used[index]);
  if (token.type === 'date') {
    const other = gap.find((item) => item.date) ?? free.find((item) => item.date);
    return other ? `date-changed: ${other.text} → ${token.text}` : `date-missing: ${token.text}`;
  }
  if (token.quantity) {
    const mine = token.quantity;
    const sameNumber = free.find((item) => item.quantity && sameAmount(withoutUnit(item.quantity), withoutUnit(mine)));
    if (sameNumber) return `unit-changed: ${sameNumber.text} → ${token.text}`;
    const other = gap.find((item) => item.quantity) ?? free.find((item) => item.quantity);
    return other ? `number-changed: ${other.text} → ${token.text}` : `number-missing: ${token.text}`;
  }
  const opposite = free.find((item) => areOpposites(item.lower, token.lower));
  if (opposite) return `direction-changed: ${opposite.text} → ${token.text}`;
  if (token.name) {
    const other = gap.find((item) => item.name);
    return other ? `name-changed: ${other.text} → ${token.text}` : `name-missing: ${token.text}`;
  }
  const counterpart = gap.find((item) => item.type === 'word');
  return counterpart ? `word-changed: ${counterpart.text} → ${token.text}` : `not-in-quote: ${token.text}`;
}

function withoutUnit(quantity: NonNullable<Token['quantity']>): NonNullable<Token['quantity']> {
  const { unit: _, ...rest } = quantity;
  return { ...rest, kind: rest.kind === 'ordinal' ? 'ordinal' : 'cardinal' };
}

const weaker = (mine: Quantifier, theirs: Quantifier): boolean =>
  mine.scale === theirs.scale && mine.rank <= theirs.rank;

/** "some" may not become "all"; "all" may become "some"; what limits the quote may not be left out. */
export function checkQuantifiers(
  claim: readonly Token[],
  quote: readonly Token[],
  alignment: Alignment,
  problems: string[],
): void {
  const targetOf = (tokens: readonly Token[], at: number): number => {
    for (let other = at + 1; other < tokens.length && other <= at + 6; other += 1)
      if ((tokens[other] as Token).content) return other;
    for (let other = at - 1; other >= 0 && other >= at - 4; other -= 1)
      if ((tokens[other] as Token).content) return other;
    return -1;
  };
  const theirs: { at: number; target: number; quantifier: Quantifier; word: string; taken: boolean }[] = [];
  for (const [at, token] of quote.entries())
    if (token.quantifier)
      theirs.push({ at, target: targetOf(quote, at), quantifier: token.quantifier, word: token.lower, taken: false });
  for (const [at, token] of claim.entries()) {
    if (!token.quantifier) continue;
    const target = targetOf(claim, at);
    const there = target >= 0 ? (alignment.toQuote[target] as number) : -1;
    const match =
      theirs.find(
        (item) => !item.taken && item.target === there && item.quantifier.scale === token.quantifier?.scale,
      ) ?? theirs.find((item) => !item.taken && item.word === token.lower);
    if (match) {
      match.taken = true;
      if (!weaker(token.quantifier, match.quantifier))
        problems.push(`quantifier-changed: ${match.word} → ${token.lower}`);
    } else if (
      token.quantifier.rank > 1 ||
      token.quantifier.scale === 'only' ||
      token.quantifier.scale === 'few' ||
      token.quantifier.scale === 'seldom'
    )
      problems.push(`quantifier-added: ${token.lower}`);
  }
  for (const item of theirs) {
    if (item.taken || item.quantifier.rank === 4 || item.target < 0 || !alignment.used[item.target]) continue;
    problems.push(
      item.quantifier.scale === 'only' ? `restriction-removed: ${item.word}` : `hedge-removed: ${item.word}`,
    );
  }
}

/** "Not only x" cut to "only x". */
export function checkNotOnly(claim: readonly Token[], quote: readonly Token[], problems: string[]): void {
  const only = (tokens: readonly Token[], isDenied: boolean): number =>
    tokens.filter(
      ({ lower }, at) =>
        /^(?:only|just|merely|nur)$/u.test(lower) && /^(?:not|nicht)$/u.test(tokens[at - 1]?.lower ?? '') === isDenied,
    ).length;
  if (only(claim, true) < only(quote, true) && only(claim, false) > only(quote, false))
    problems.push('negation-removed: not only');
}
