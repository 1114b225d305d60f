// What is measured of a claim beside its quotes: named numbers, most of them 0..1, each with a weight in weights.json. Invariant: a number
// depends on the claim, its quotes with what stands over them and the question alone; the cosines are the encoder's.
import { similarity } from './align.ts';
import type { Comparison } from './comparison.ts';
import { isFigure } from './facts.ts';
import type { Token } from './tokens.ts';

/** Each feature with its meaning. Shares are of the claim's words that carry meaning; figures and names count twice. */
export const featureMeanings = {
  cover: 'share of the claim that stands in the quotes',
  anchored: 'share that stands in the one sentence that carries most',
  titled: 'share that stands in a title or heading over the quotes alone',
  asked: 'share that stands in the question alone',
  strange: 'words that stand nowhere, 1 for four or more',
  askedNames: 'names and figures that the question alone has, 1 for two or more',
  told: 'share of what the question does not ask that stands in the quotes',
  answered: 'share of the question that stands in the quotes or over them',
  run: 'the longest run of words that the quotes have as well, as a share of the claim',
  alike: 'words that claim and sentence share, as a share of the longer one',
  negation: 'share of the words that one side denies and the other does not',
  opens: 'the claim opens with yes or no',
  length: 'the logarithm of the words, 1 for sixty',
  cosine: 'the cosine of the claim and the sentence that carries most, by the sentence encoder; 0 where none is there',
  cosineWhole: 'the cosine of the claim and all of the quotes with what stands over them',
} as const;
export type FeatureName = keyof typeof featureMeanings;
export type Features = Readonly<Record<FeatureName, number>>;
export const featureNames = Object.keys(featureMeanings) as readonly FeatureName[];

/** Of the claim with the sentence that carries most, and with all of the quotes under their headings. */
export type Cosines = readonly [anchored: number, whole: number];

const weightOf = (token: Token): number => (isFigure(token) || token.name ? 2 : token.type === 'character' ? 0.5 : 1);
const ratio = (part: number, whole: number, empty = 0): number => (whole === 0 ? empty : part / whole);
const yesOrNo = /^(?:yes|no|ja|nein|oui|non|s[ií]|はい|いいえ|是|不是)\b/iu;

export function featuresOf(comparison: Comparison, cosines: Cosines = [0, 0]): Features {
  const { claim, quote, anchor, titles, question } = comparison;
  const places = placesOf(comparison);
  const to = (at: number): number => places[at] ?? -1;
  const stands = (token: Token, tokens: readonly Token[]): boolean =>
    tokens.some((other) => similarity(token, other) > 0);
  const content = [...claim.entries()].filter(([, { content }]) => content);
  const share = (holds: (at: number, token: Token) => boolean): number =>
    ratio(
      content.reduce((sum, [at, token]) => sum + (holds(at, token) ? weightOf(token) : 0), 0),
      content.reduce((sum, [, token]) => sum + weightOf(token), 0),
    );
  const quoted = new Set(content.flatMap(([at]) => (to(at) >= 0 ? [at] : [])));
  const titled = new Set(content.flatMap(([at, token]) => (!quoted.has(at) && stands(token, titles) ? [at] : [])));
  const isAsked = new Set(content.flatMap(([at, token]) => (stands(token, question) ? [at] : [])));
  const isOnlyAsked = (at: number): boolean => isAsked.has(at) && !quoted.has(at) && !titled.has(at);
  const isNowhere = (at: number): boolean => !isAsked.has(at) && !quoted.has(at) && !titled.has(at);
  const facts = content.filter(([, token]) => isFigure(token) || token.name);
  const aligned = content.flatMap(([at, token]) =>
    to(at) >= 0 ? [[token, quote.tokens[to(at)] as Token] as const] : [],
  );
  const newWords = content.filter(([at]) => !isAsked.has(at));
  const askedContent = question.filter((token) => token.content);
  return {
    cover: share((at) => quoted.has(at)),
    anchored: share((at) => to(at) >= 0 && quote.sentence[to(at)] === anchor),
    titled: share((at) => titled.has(at)),
    asked: share(isOnlyAsked),
    strange: Math.min(1, content.filter(([at]) => isNowhere(at)).length / 4),
    askedNames: Math.min(1, facts.filter(([at]) => isOnlyAsked(at)).length / 2),
    told: ratio(newWords.filter(([at]) => quoted.has(at)).length, newWords.length, 1),
    answered: ratio(
      askedContent.filter((token) => stands(token, quote.tokens) || stands(token, titles)).length,
      askedContent.length,
      1,
    ),
    run: ratio(longestRun(claim, quote.tokens), claim.length),
    alike: likenessOf(comparison).alike,
    negation: ratio(aligned.filter(([mine, theirs]) => mine.negations !== theirs.negations).length, aligned.length),
    opens: yesOrNo.test(claim[0]?.text ?? '') ? 1 : 0,
    length: Math.min(1, Math.log(1 + claim.length) / Math.log(61)),
    cosine: cosines[0],
    cosineWhole: cosines[1],
  };
}

/** Words of the claim that stand neither in the quotes, nor over them, nor in the question. */
export function strangeWords(comparison: Comparison): readonly Token[] {
  const { claim, titles, question } = comparison;
  const places = placesOf(comparison);
  const known = [...titles, ...question];
  const isStrange = (token: Token, at: number): boolean =>
    token.content && places[at] === -1 && !known.some((other) => similarity(token, other) > 0);
  return claim.filter(isStrange);
}

/** Where each word of the claim stands in the quotes, or -1; a figure in the sentence that carries most, else anywhere. */
function placesOf({ claim, quote, match, anchor }: Comparison): readonly number[] {
  return claim.map((token, at) => {
    const there = match.to[at] as number;
    if (there >= 0 || !isFigure(token)) return there;
    const all = [...quote.tokens.entries()].flatMap(([place, other]) => (similarity(token, other) > 0 ? [place] : []));
    return all.find((place) => quote.sentence[place] === anchor) ?? all[0] ?? -1;
  });
}

/** Words in a row that both sides have in a row, small ones too. */
function longestRun(claim: readonly Token[], quote: readonly Token[]): number {
  const mine = claim.map(({ lower, text }) => lower || text);
  const theirs = quote.map(({ lower, text }) => lower || text);
  let best = 0;
  let before = new Int32Array(theirs.length + 1);
  for (const word of mine) {
    const now = new Int32Array(theirs.length + 1);
    for (const [at, other] of theirs.entries())
      if (word === other) {
        now[at + 1] = (before[at] as number) + 1;
        best = Math.max(best, now[at + 1] as number);
      }
    before = now;
  }
  return best;
}

export interface Likeness {
  /** Words that claim and sentence share, small ones too and in whatever order, as a share of the longer one. */
  readonly alike: number;
  /** The same as a share of the claim, and of the sentence. */
  readonly contained: number;
  readonly containing: number;
}

export function likenessOf({ claim, anchored }: Comparison): Likeness {
  const isWord = ({ type }: Token): boolean => type !== 'mark';
  const [mine, theirs] = [claim.filter(isWord), anchored.filter(isWord)];
  const left = new Map<string, number>();
  for (const { lower, text } of theirs) left.set(lower || text, (left.get(lower || text) ?? 0) + 1);
  let shared = 0;
  for (const { lower, text } of mine) {
    const count = left.get(lower || text) ?? 0;
    if (count > 0) shared += 1;
    left.set(lower || text, count - 1);
  }
  return {
    alike: ratio(shared, Math.max(mine.length, theirs.length)),
    contained: ratio(shared, mine.length),
    containing: ratio(shared, theirs.length),
  };
}
