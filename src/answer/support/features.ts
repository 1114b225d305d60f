// What is measured of a claim beside its quotes: named numbers, 0..1, each with a weight in weights.json. Invariant: a number
// depends on the claim, its quotes with what stands over them and the question alone; the match is the encoder's.
import { similarity } from './align.ts';
import type { Comparison } from './comparison.ts';
import { isFigure } from './facts.ts';
import type { Token } from './tokens.ts';

/** Each feature with its meaning, of the words that carry meaning. */
export const featureMeanings = {
  told: 'share of what the question does not ask that stands in the quotes',
  askedNames: 'names and figures that the question alone has, 1 for two or more',
  run: 'the longest run of words that the quotes have as well, as a share of the claim',
  leastMatch:
    'how well the token of the claim that is matched least is matched by the sentence, under its headings, that matches it best, by the encoder; 0 where none is there',
} as const;
export type FeatureName = keyof typeof featureMeanings;
export type Features = Readonly<Record<FeatureName, number>>;
export const featureNames = Object.keys(featureMeanings) as readonly FeatureName[];

const weightOf = (token: Token): number => (isFigure(token) || token.name ? 2 : token.type === 'character' ? 0.5 : 1);
const ratio = (part: number, whole: number, empty = 0): number => (whole === 0 ? empty : part / whole);

export function featuresOf(comparison: Comparison, leastMatch = 0): Features {
  const { claim, quote, titles, question } = comparison;
  const places = placesOf(comparison);
  const stands = (token: Token, tokens: readonly Token[]): boolean =>
    tokens.some((other) => similarity(token, other) > 0);
  const content = [...claim.entries()].filter(([, { content }]) => content);
  const isQuoted = (at: number): boolean => (places[at] ?? -1) >= 0;
  const unasked = content.filter(([, token]) => !stands(token, question));
  const onlyAsked = content.filter(
    ([at, token]) =>
      (isFigure(token) || token.name) && stands(token, question) && !isQuoted(at) && !stands(token, titles),
  );
  return {
    told: ratio(unasked.filter(([at]) => isQuoted(at)).length, unasked.length, 1),
    askedNames: Math.min(1, onlyAsked.length / 2),
    run: ratio(longestRun(claim, quote.tokens), claim.length),
    leastMatch,
  };
}

/** Shares of the claim's words that carry meaning; figures and names count twice. */
export interface Shares {
  /** That stands in the quotes. */
  readonly cover: number;
  /** That stands in the one sentence that carries most. */
  readonly anchored: number;
}

export function sharesOf(comparison: Comparison): Shares {
  const places = placesOf(comparison);
  const { quote, anchor } = comparison;
  const content = [...comparison.claim.entries()].filter(([, token]) => token.content);
  const all = content.reduce((sum, [, token]) => sum + weightOf(token), 0);
  const share = (holds: (place: number) => boolean): number =>
    ratio(
      content.reduce((sum, [at, token]) => sum + (holds(places[at] ?? -1) ? weightOf(token) : 0), 0),
      all,
    );
  return {
    cover: share((place) => place >= 0),
    anchored: share((place) => place >= 0 && quote.sentence[place] === anchor),
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
