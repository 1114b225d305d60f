// Whether a quote says what a claim says in words of its own, by rule: nothing contradicts, every word of the claim is carried by one of
// the quote or follows from a computation, and what the comparison word by word asks of words that meet (polarity, certainty, bounds,
// roles, what narrows) holds of words that meet by the lexicon too. English prose alone.
import { type Alignment, alignTokens } from '../align.ts';
import { checkCounts, checkDropped, checkPair, checkQuantifiers } from '../checks.ts';
import { type Comparison, compareTexts } from '../contradictions/comparison.ts';
import { contradictionsOf } from '../contradictions/contradictions.ts';
import { isFigure, isSameFigure } from '../contradictions/facts.ts';
import { isDeedOfNoun, keepsRoles } from '../contradictions/polarity.ts';
import { findOrderProblem } from '../order.ts';
import { findResolved } from '../pronouns.ts';
import type { Prose } from '../prose.ts';
import { leftOutAgent } from '../restrictions/left-out-agent.ts';
import { restrictionsRemoved } from '../restrictions/restrictions.ts';
import type { Token } from '../tokens.ts';
import { featuresOf } from './features.ts';
import { elsewhere, figuresElsewhere, subjectsElsewhere } from './several-sentences.ts';
import { isSaidTurned } from './turned.ts';

export interface OwnReading {
  /** The quote says it: every check agrees. */
  readonly isCarried: boolean;
  readonly isContradicted: boolean;
  /** Why not, of the form `kind: detail`. */
  readonly reasons: readonly string[];
  /** The computations that figures of the claim rest on; empty where the quote states them. */
  readonly derivations: readonly string[];
  /** What the model of support is given. */
  readonly features: readonly number[];
}

export interface OwnWords {
  readonly claim: string;
  /** Its prose. */
  readonly quote: string;
  /** The same sentence by sentence, with the lines that are no prose. */
  readonly prose: Prose;
  readonly context: string;
  /** What the comparison word by word said. */
  readonly strict: { readonly support: number; readonly reasons: readonly string[] };
}

/** Words with which a text is talked about; they say nothing of their own. */
const lightWords = new Set(
  'passage text article document source statement mention mentions mentioned state states stated describe describes described discuss discusses discussed note notes noted include includes included including call calls called name named know known refer refers referred specifically additionally respectively also located situated based take takes took place happen happened happens occur occurred occurs exist exists time times year years altogether together combined'.split(
    ' ',
  ),
);
/** Words that ask for a computation, and say no more than it does. */
const cues =
  /^(?:total|totals|overall|together|combined|altogether|sum|difference|took|lasted|longer|higher|more|less|fewer|changed|played|times|members?|items?|age|aged|approximately|early|late|mid|nearly|percent|rose|fell|grew|dropped|increased|decreased|declined|gained|lost|increase|decrease|rise|fall|lived|lives|live)$/u;
/** Verbs that only carry the noun of a deed: "gave its approval", "the resignation came". */
const carryingVerbs =
  /^(?:g(?:ive|ives|ave|iven|iving)|m(?:ake|akes|ade|aking)|t(?:ake|akes|ook|aken)|c(?:ome|omes|ame)|put|reach(?:ed)?|carried|held|underwent|undergone|happened|followed)$/u;

export function readInOwnWords({ claim, quote, prose, context, strict }: OwnWords): OwnReading {
  const comparison = compareTexts({ claim, quotes: [{ quote, prose, title: context }] });
  const { claim: said, match } = comparison;
  const against = contradictionsOf(comparison, { reasons: strict.reasons, quotes: [quote] });
  const derivations = [
    ...against.facts.computed.values(),
    ...(against.compared && said.length > 0 ? [against.compared.derivation] : []),
  ];
  const accounted = new Set(against.compared?.accounts ?? []);
  const { alignment, outside } = alignmentOf(comparison, against.opposites);
  const resolved = findResolved(said, comparison.anchored, alignment, () => [
    ...context.split(/\n+|(?<=[.!?])\s/u),
    ...comparison.before,
  ]);
  const isFree = (at: number): boolean => {
    const token = said[at] as Token;
    if (accounted.has(at) || resolved.has(at)) return true;
    if ((match.to[at] as number) >= 0 || token.name || isFigure(token)) return false;
    if (against.opposites.has(at) || (carryingVerbs.test(token.lower) && hasDeedNear(comparison, at))) return true;
    return lightWords.has(token.lower) || (derivations.length > 0 && cues.test(token.lower));
  };
  const features = featuresOf({
    ...comparison,
    isFree,
    strict,
    figures: said.filter(isFigure).length,
    derived: derivations.length,
    contradictions: against.reasons.length,
  });
  if (against.facts.foreign.length + against.facts.unstated.length === 0 && isSaidTurned(comparison))
    return { isCarried: true, isContradicted: false, reasons: [], derivations, features };
  if (against.reasons.length > 0)
    return { isCarried: false, isContradicted: true, reasons: against.reasons, derivations, features };
  const problems = [
    ...uncarried(comparison, isFree),
    ...against.facts.unstated.map((figure) => `not-carried: ${figure}`),
    ...smallWordsPutIn(comparison),
    ...elsewhere(comparison, outside),
    ...figuresElsewhere(comparison, against.facts.computed),
    ...subjectsElsewhere(comparison),
    ...changed(comparison, alignment, {
      isComputed: derivations.length > 0,
      isDeniedTwice: against.opposites.size > 0,
    }),
  ];
  return {
    isCarried: problems.length === 0,
    isContradicted: false,
    reasons: problems,
    derivations: problems.length === 0 ? derivations : [],
    features,
  };
}

/** What is said of the noun of a deed where there is nothing to say: "the invasion happened in 1571". */
const happens = /^(?:took|place|happened|occurred|came|was|were)$/u;

/** The noun of a deed near by, which the quote has as a verb. */
function hasDeedNear({ claim, quote, match }: Comparison, at: number): boolean {
  return claim.some((token, near) => {
    const there = match.to[near] as number;
    if (near === at || Math.abs(near - at) > farthestDeed || there < 0) return false;
    return deedNoun.test(token.lower) && quote.tokens[there]?.lower !== token.lower;
  });
}

/** "The rejection of the proposal by the committee came". */
const farthestDeed = 8;
const deedNoun = /(?:tion|sion|ment|ance|ence|ure|al|ing)s?$/u;

/** The words of the claim that the anchoring sentence carries, and those that stand elsewhere. */
function alignmentOf(
  comparison: Comparison,
  opposites: ReadonlyMap<number, number>,
): {
  readonly alignment: Alignment;
  readonly outside: readonly number[];
} {
  const { claim, quote, match, anchor, anchored } = comparison;
  const start = quote.sentence.indexOf(anchor);
  const used = new Uint8Array(anchored.length);
  const outside: number[] = [];
  // A word that stands there twice is the one in its place.
  const inPlace = alignTokens(claim, anchored).toQuote;
  const toQuote = Int32Array.from(claim.entries(), ([at, token]) => {
    if (!token.content) return -1;
    let there = (match.to[at] as number) - start;
    const near = inPlace[at] as number;
    if (near >= 0 && there >= 0 && there < anchored.length && near !== there && used[near] === 0) there = near;
    if (isFigure(token) && !((match.to[at] as number) >= 0))
      there = anchored.findIndex((other, index) => used[index] === 0 && isFigure(other) && isSameFigure(token, other));
    else if ((match.to[at] as number) < 0) return -1;
    if (there < 0 || there >= anchored.length) {
      if ((match.to[at] as number) >= 0) outside.push(at);
      return -1;
    }
    used[there] = 1;
    return there;
  });
  for (const there of opposites.values()) used[there] = 1;
  if (isDeedOfNoun(comparison))
    for (const [there, token] of anchored.entries()) if (happens.test(token.lower)) used[there] = 1;
  return { alignment: { toQuote, used }, outside };
}

function uncarried({ claim, match }: Comparison, isFree: (at: number) => boolean): string[] {
  return claim.flatMap((token, at) =>
    token.content && !isFigure(token) && (match.to[at] as number) < 0 && !isFree(at)
      ? [`not-carried: ${token.text}`]
      : [],
  );
}

/** Somebody whom the quotes do not speak of, or a small word written as a name. */
function smallWordsPutIn({ claim, quote }: Comparison): string[] {
  const known = new Set(quote.tokens.map(({ lower }) => lower));
  return claim.flatMap(({ content, type, lower, text }, at) => {
    if (content || type !== 'word' || known.has(lower)) return [];
    const isPutIn = persons.test(lower) || (at > 0 && /^\p{Lu}\p{L}/u.test(text) && claim[at - 1]?.type === 'word');
    return isPutIn ? [`not-carried: ${text}`] : [];
  });
}

const persons = /^(?:he|she|you|i|we|they|him|them|us|me|your|our|my)$/u;

/** "Who" of "Doctor Who": a small word that is part of the name before it. */
function smallNameAfter(tokens: readonly Token[], at: number): string {
  const next = tokens[at + 1];
  const isSmallName = next?.type === 'word' && !next.content && /^\p{Lu}\p{Ll}/u.test(next.text);
  return isSmallName && /^\p{Lu}/u.test(tokens[at]?.text ?? '') ? next.lower : '';
}

/** Polarity, certainty, bounds, order and what narrows, of the words that meet. */
function changed(
  comparison: Comparison,
  alignment: Alignment,
  { isComputed, isDeniedTwice }: { readonly isComputed: boolean; readonly isDeniedTwice: boolean },
): string[] {
  const { claim, anchored: quote } = comparison;
  const problems: string[] = [];
  for (const [at, token] of claim.entries()) {
    const other = alignment.toQuote[at] as number;
    if (other < 0) continue;
    checkPair(token, quote[other] as Token, { claim, quote, at, other, alignment }, problems);
    const [mine, theirs] = [smallNameAfter(claim, at), smallNameAfter(quote, other)];
    if (mine !== theirs) problems.push(`name-changed: ${token.text} ${theirs} → ${token.text} ${mine}`);
  }
  checkQuantifiers(claim, quote, alignment, problems);
  checkDropped(claim, quote, alignment, problems);
  checkCounts(claim, quote, alignment, problems);
  const isTurned = keepsRoles(comparison);
  if (!isTurned && !isComputed) {
    const order = findOrderProblem(claim, quote, alignment, leftOutAgent);
    if (order) problems.push(`order-changed: ${order.quote} → ${order.claim}`);
  }
  for (const { kind, text } of restrictionsRemoved(claim, quote, alignment))
    if (!isComputed || kind === 'exception' || kind === 'condition')
      problems.push(`restriction-removed: ${kind} ${text}`);
  return problems.filter(
    (problem) =>
      !(isTurned && /^(?:relation|order)-changed/u.test(problem)) &&
      !(isDeniedTwice && problem.startsWith('negation-')) &&
      !(isComputed && /^(?:bound|relation|unit)-changed/u.test(problem)),
  );
}
