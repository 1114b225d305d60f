// Which claims their quotes contradict, so that no judge may let them pass. Each check contradicts or does not speak; a word that the quotes
// lack, a clause in another place, an attribution that a reworded claim drops are silence. Invariant: where claim and quotes are not
// read in words of their own (other languages, rows of tables) every reason that is not known to be silence is a veto.
import { segmentSentences } from '../text/sentences.ts';
import { similarity } from './support/align.ts';
import { compareTexts } from './support/contradictions/comparison.ts';
import {
  contradictionsOf,
  isInOrder,
  isRewording,
  isSaidOfEach,
  leastShared,
  missing,
} from './support/contradictions/contradictions.ts';
import { isFigure } from './support/contradictions/facts.ts';
import { languageOf, readTokens, type Token } from './support/tokens.ts';
import { rowsOf } from './tables/rows.ts';

/** Contradictions first: a list that is cut keeps them. */
export const contradictionsFirst = (reasons: readonly string[]): string[] => [
  ...reasons.filter((reason) => !isRewording(reason)),
  ...reasons.filter(isRewording),
];

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
  if (!isEnglish || isMostlyRows(quotes)) return vetoesWordByWord(refused);
  return contradictionsOf(compareTexts({ claim, quotes }), {
    reasons: refused.reasons,
    quotes: quotes.map(({ quote }) => quote),
  });
}

const isMostlyRows = (quotes: Refused['quotes']): boolean =>
  quotes.some(({ quote }) => rowsOf(quote).reduce((sum, { text }) => sum + text.length, 0) * 2 > quote.length);

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
    return !isSaidOfEach(
      reason,
      quotes.map(({ quote }) => quote),
    );
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
