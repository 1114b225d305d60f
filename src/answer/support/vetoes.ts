// Which claims their quotes contradict, so that no judge may let them pass. Each check contradicts or does not speak; a word that the quotes
// lack, a clause in another place, an attribution that a reworded claim drops are silence. Invariant: where claim and quotes are not
// read in words of their own (other languages, rows of tables) every reason that is not known to be silence is a veto.
import { segmentSentences } from '../../text/sentences.ts';
import { rowsOf } from '../tables/rows.ts';
import { similarity } from './align.ts';
import { type Comparison, compareTexts } from './contradictions/comparison.ts';
import { type Likeness, likenessOf, repeatedWords } from './contradictions/copies.ts';
import { factsOf, isFigure } from './contradictions/facts.ts';
import { keepsRoles, turnedRound } from './contradictions/polarity.ts';
import { comparisonOf } from './own-words/comparisons.ts';
import { languageOf, readTokens, type Token } from './tokens.ts';

/** The claim has a word that its quotes lack; both may mean the same. */
const rewording = /^(?:word-changed|not-in-quote)(?::|$)/u;
/** A figure, a date or a name that one sentence lacks: all quotes together are asked in contradictions/facts.ts. */
const missing = /^(?:number|date|name)-missing:/u;
/** "Every day" for "a day", "each" for "per": the same said of all. */
const forEach = /^quantifier-added: (?:each|every)$/u;
const eachOne = /\b(?:each|every|all|per|daily|weekly|monthly|yearly|an? (?:hour|day|night|week|month|year))\b/iu;
/** What is wrong with the claim or the quote itself, in whatever words. */
const formal =
  /^(?:empty-|no-statement|no-content|claim-too-long|quote-too-long|look-alike|hidden-character|cells-mixed|question-as-statement)/u;

const isRewording = (reason: string): boolean => rewording.test(reason);

/** Contradictions first: a list that is cut keeps them. */
export const contradictionsFirst = (reasons: readonly string[]): string[] => [
  ...reasons.filter((reason) => !isRewording(reason)),
  ...reasons.filter(isRewording),
];

/** A claim of whose words so small a share stands in its quotes is no rewording of them. */
const leastShared = 0.2;

export interface Refused {
  readonly claim: string;
  /** Each quote with the title over it, which may name what the quote does not. */
  readonly quotes: readonly { readonly quote: string; readonly title: string }[];
  /** Of the verifier that refused the claim. */
  readonly reasons: readonly string[];
}

/** The reasons for which no judge is asked; empty where the verifier could only not tell. Pure. */
export function vetoesOf(refused: Refused): string[] {
  const { quotes, claim } = refused;
  const whole = quotes.map(({ quote }) => quote).join('\n');
  const isEnglish = languageOf(whole.length > 40 ? whole : `${whole} ${claim}`) === 'en';
  return isEnglish && !isMostlyRows(quotes) ? vetoesInProse(refused) : vetoesWordByWord(refused);
}

const isMostlyRows = (quotes: Refused['quotes']): boolean =>
  quotes.some(({ quote }) => rowsOf(quote).reduce((sum, { text }) => sum + text.length, 0) * 2 > quote.length);

function vetoesInProse({ claim, quotes, reasons }: Refused): string[] {
  const comparison = compareTexts({ claim, quotes });
  const likeness = likenessOf(comparison);
  const { foreign, computed } = factsOf(comparison);
  const compared = comparisonOf(comparison.claim, comparison.quote.tokens, (at) => comparison.match.to[at] as number);
  const found = [
    ...foreign,
    ...(compared?.isTrue === false ? [`comparison-wrong: ${compared.derivation}`] : []),
    ...turnedRound(comparison),
    ...reasons.filter((reason) => formal.test(reason)),
    ...farFrom(comparison),
  ];
  if (likeness.isCopy || reasons.every((reason) => reason.startsWith('restriction-removed')))
    found.push(
      ...changesOfCopy({ claim, quotes, reasons }, { comparison, likeness, computed }),
      ...repeatedWords(comparison),
    );
  const isCompared = (reason: string): boolean =>
    compared?.isTrue === true && /^(?:number|relation|direction|quantifier|order)-/u.test(reason);
  return [...new Set(found)].filter((reason) => !isCompared(reason));
}

/** What the comparison word by word names in a claim that is nearly its quote. */
function changesOfCopy(
  { quotes, reasons }: Refused,
  {
    comparison,
    likeness: { isExtract },
    computed,
  }: { readonly comparison: Comparison; readonly likeness: Likeness; readonly computed: ReadonlySet<string> },
): string[] {
  const isTurned = keepsRoles(comparison);
  const isMoved = reasons.some(isRewording) && isInOrder(comparison.claim, comparison.quote.tokens);
  return reasons.filter((reason) => {
    if (isRewording(reason) || missing.test(reason)) return false;
    if (reason.startsWith('attribution-removed')) return isExtract;
    if (/^(?:number|unit|date)-changed/u.test(reason) && [...computed].some((figure) => reason.endsWith(`→ ${figure}`)))
      return false;
    if (isMoved && /^(?:order|subject)-changed/u.test(reason)) return false;
    // Active and passive.
    if (isTurned && /^(?:order|subject|voice|relation)-changed/u.test(reason)) return false;
    return !(forEach.test(reason) && quotes.some(({ quote }) => eachOne.test(quote)));
  });
}

function farFrom({ claim, match, quote, titles }: Comparison): string[] {
  const known = [...titles, ...quote.tokens.filter(isFigure)];
  const content = claim.filter((token) => token.content);
  const shared = [...claim.entries()].filter(
    ([at, token]) =>
      token.content && ((match.to[at] as number) >= 0 || known.some((other) => similarity(token, other) > 0)),
  ).length;
  const share = shared / Math.max(1, content.length);
  return share < leastShared || (shared < 2 && content.length > 3)
    ? [`far-from-quote: ${Math.round(100 * share)} % of its words stand there`]
    : [];
}

/** Of other languages and rows of tables: the comparison word by word, but for what it is known to be silent on. */
function vetoesWordByWord({ claim, quotes, reasons }: Refused): string[] {
  const language = languageOf(quotes.map(({ quote }) => quote).join(' '));
  const read = (text: string): readonly Token[] => readTokens(text, language).tokens;
  const said = read(claim);
  const sentences = quotes.flatMap(({ quote }) => sentencesOf(quote).map(read));
  const titled = quotes.flatMap(({ title }) => read(title));
  const stands = (token: Token, tokens: readonly Token[]): boolean =>
    tokens.some((other) => similarity(token, other) > 0);
  const quoted = sentences.flat();
  const isKnown = (token: Token): boolean => stands(token, isFigure(token) ? quoted : [...quoted, ...titled]);
  const content = said.filter((token) => token.content);
  const sharedWith = (tokens: readonly Token[]): number => content.filter((token) => stands(token, tokens)).length;
  const [nearest = [], ...others] = sentences.toSorted((a, b) => sharedWith(b) - sharedWith(a));
  /** The verifier compared with the nearest sentence: there it is missing, in another one or in a title it stands. */
  const isElsewhere = (reason: string): boolean => {
    const wanted = reason.slice(reason.indexOf(':') + 1).trim();
    const tokens = said.filter(({ text }) => text === wanted);
    const rest = (token: Token): readonly Token[] => [...others.flat(), ...(isFigure(token) ? [] : titled)];
    return tokens.length > 0 && tokens.every((token) => !stands(token, nearest) && stands(token, rest(token)));
  };
  const isReworded = reasons.some(isRewording);
  const vetoes = reasons.filter((reason) => {
    if (isRewording(reason)) return false;
    if (missing.test(reason)) return !isElsewhere(reason);
    if (reason.startsWith('order-changed')) return !isReworded || !isInOrder(said, quoted);
    if (forEach.test(reason)) return !quotes.some(({ quote }) => eachOne.test(quote));
    return true;
  });
  // Whatever was compared with what: a fact that stands nowhere in the quotes is not theirs.
  const foreign = said
    .filter((token) => (isFigure(token) || token.name) && !isKnown(token))
    .map((token) => `${isFigure(token) ? 'number' : 'name'}-missing: ${token.text}`);
  const shared = content.filter(isKnown).length / Math.max(1, content.length);
  const far = shared < leastShared ? [`far-from-quote: ${Math.round(100 * shared)} % of its words stand there`] : [];
  return [...new Set([...vetoes, ...foreign, ...figuresOfOthers(said, quoted), ...far])];
}

const sentencesOf = (quote: string): string[] => {
  const pieces = segmentSentences(quote, { maxWords: 400 }).map(({ start, end }) => quote.slice(start, end));
  return pieces.length > 0 ? pieces : [quote];
};

const nextContent = (tokens: readonly Token[], at: number): Token | undefined =>
  tokens.slice(at + 1).find((token) => token.content);

/** A figure before a word that has other figures before it in the quotes, and never this one. */
function figuresOfOthers(said: readonly Token[], quoted: readonly Token[]): string[] {
  return said.flatMap((token, at) => {
    const next = isFigure(token) ? nextContent(said, at) : undefined;
    if (!next || isFigure(next)) return [];
    const theirs = quoted.filter((other, index) => {
      const there = isFigure(other) ? nextContent(quoted, index) : undefined;
      return there !== undefined && !isFigure(there) && similarity(next, there) > 0;
    });
    const [first] = theirs;
    return first && theirs.every((other) => similarity(token, other) === 0)
      ? [`number-changed: ${first.text} → ${token.text}`]
      : [];
  });
}

/**
 * Nobody changed places with anybody: names follow one another as in the quotes, and figures do or are followed by the same word, so that
 * what was told of one is not told of another.
 */
function isInOrder(said: readonly Token[], quoted: readonly Token[]): boolean {
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
