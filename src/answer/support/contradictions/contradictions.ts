// What speaks against an English claim in the prose that it cites, all checks together. A copy of a sentence with little changed is held to
// every difference; a claim in words of its own only to what the quotes deny.
import { similarity } from '../align.ts';
import { comparisonOf } from '../comparisons.ts';
import type { Token } from '../tokens.ts';
import type { Comparison } from './comparison.ts';
import { exchangedFigures, type Likeness, likenessOf, repeatedWords, replacedFigures } from './copies.ts';
import { type Facts, factsOf, isFigure } from './facts.ts';
import { saysTheOpposite, turnedRound } from './polarity.ts';

/** The claim has a word that its quotes lack; both may mean the same. */
const rewording = /^(?:word-changed|not-in-quote)(?::|$)/u;
export const isRewording = (reason: string): boolean => rewording.test(reason);
/** A figure, a date or a name that one sentence lacks: all quotes together are asked in facts.ts. */
export const missing = /^(?:number|date|name)-missing:/u;
/** "Every day" for "a day", "each" for "per": the same said of all. */
const forEach = /^quantifier-added: (?:each|every)$/u;
const eachOne = /\b(?:each|every|all|per|daily|weekly|monthly|yearly|an? (?:hour|day|night|week|month|year))\b/iu;
export const isSaidOfEach = (reason: string, quotes: readonly string[]): boolean =>
  forEach.test(reason) && quotes.some((quote) => eachOne.test(quote));
/** What is wrong with the claim or the quote itself, in whatever words. */
const formal =
  /^(?:empty-|no-statement|no-content|claim-too-long|quote-too-long|look-alike|hidden-character|cells-mixed|question-as-statement)/u;

/** A claim of whose words so small a share stands in its quotes is no rewording of them. */
export const leastShared = 0.2;

export interface ComparedByWords {
  /** Of the comparison word by word, which refused the claim. */
  readonly reasons: readonly string[];
  readonly quotes: readonly string[];
}

/** Reasons of the form `kind: detail`; empty where nothing speaks against the claim. */
export function contradictionsOf(comparison: Comparison, byWords: ComparedByWords): string[] {
  const likeness = likenessOf(comparison);
  const facts = factsOf(comparison);
  const opposites = saysTheOpposite(comparison);
  const compared = comparisonOf(comparison.claim, comparison.quote.tokens, (at) => comparison.match.to[at] as number);
  const found = [
    ...facts.foreign,
    ...(compared?.isTrue === false ? [`comparison-wrong: ${compared.derivation}`] : []),
    ...turnedRound(comparison, opposites),
    ...byWords.reasons.filter((reason) => formal.test(reason)),
    ...farFrom(comparison, facts),
  ];
  if (likeness.isCopy || byWords.reasons.every((reason) => reason.startsWith('restriction-removed')))
    found.push(...changesOfCopy(byWords, { comparison, likeness, facts, opposites }), ...repeatedWords(comparison));
  const isCompared = (reason: string): boolean =>
    compared?.isTrue === true && /^(?:number|relation|direction|quantifier|order)-/u.test(reason);
  return [
    ...new Set([
      ...found.filter((reason) => !isCompared(reason)),
      ...(likeness.isCopyButForFigures ? replacedFigures(comparison, facts.computed) : []),
      ...exchangedFigures(comparison),
    ]),
  ];
}

interface Copy {
  readonly comparison: Comparison;
  readonly likeness: Likeness;
  readonly facts: Facts;
  /** Words of the claim that are denied where the sentence affirms the opposite, or the other way round. */
  readonly opposites: ReadonlySet<number>;
}

/** What the comparison word by word names in a claim that is nearly its quote. */
function changesOfCopy(
  { quotes, reasons }: ComparedByWords,
  { comparison, likeness: { isExtract }, facts: { computed }, opposites }: Copy,
): string[] {
  const isMoved = reasons.some(isRewording) && isInOrder(comparison.claim, comparison.quote.tokens);
  const isComputed = (reason: string): boolean =>
    /^(?:number|unit|date)-changed/u.test(reason) &&
    [...computed.keys()].some((figure) => reason.endsWith(`→ ${figure}`));
  return reasons.filter((reason) => {
    if (isRewording(reason) || missing.test(reason) || isComputed(reason) || isSaidOfEach(reason, quotes)) return false;
    if (reason.startsWith('attribution-removed')) return isExtract;
    if (opposites.size > 0 && /^(?:negation|direction)-/u.test(reason)) return false;
    return !(isMoved && /^(?:order|subject)-changed/u.test(reason));
  });
}

function farFrom({ claim, match, quote, titles }: Comparison, { computed }: Facts): string[] {
  const known = [...titles, ...quote.tokens.filter(isFigure)];
  const content = claim.filter((token) => token.content);
  const shared = [...claim.entries()].filter(
    ([at, token]) =>
      token.content &&
      ((match.to[at] as number) >= 0 ||
        computed.has(token.text) ||
        known.some((other) => similarity(token, other) > 0)),
  ).length;
  const share = shared / Math.max(1, content.length);
  return share < leastShared || (shared < 2 && content.length > 3)
    ? [`far-from-quote: ${Math.round(100 * share)} % of its words stand there`]
    : [];
}

const nextContent = (tokens: readonly Token[], at: number): Token | undefined =>
  tokens.slice(at + 1).find((token) => token.content);

/**
 * Nobody changed places with anybody: names follow one another as in the quotes, and figures do or are followed by the same word, so that
 * what was told of one is not told of another.
 */
export function isInOrder(said: readonly Token[], quoted: readonly Token[]): boolean {
  const follow = (wanted: (token: Token) => boolean): boolean => {
    let from = 0;
    for (const token of said.filter(wanted)) {
      const at = quoted.findIndex((other, index) => index >= from && similarity(token, other) > 0);
      if (at < 0 && quoted.some((other) => similarity(token, other) > 0)) return false;
      from = Math.max(from, at);
    }
    return true;
  };
  const keepsNext = said.every((token, at) => {
    if (!isFigure(token)) return true;
    const next = nextContent(said, at);
    const there = quoted.flatMap((other, index) =>
      similarity(token, other) > 0 ? (nextContent(quoted, index) ?? []) : [],
    );
    return next !== undefined && there.some((other) => similarity(next, other) > 0);
  });
  return follow((token) => token.name && !isFigure(token)) && (follow(isFigure) || keepsNext);
}
