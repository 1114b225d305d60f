// The chance that what a user says takes the place of what they said before: a logistic function of what both sentences share, of their denials and,
// where there is an encoder, of their vectors, fitted by scripts/fit-memory.ts. Pure.
import { dot } from '../../../core/values/dot.ts';
import { weightUnit } from './chances.ts';
import { wordTerms } from './terms.ts';

export interface Saying {
  readonly text: string;
  readonly vector?: Float32Array | undefined;
}

/** Each number with its meaning. */
export const pairMeanings = {
  shared: 'share of the words of the side with fewer that the other side has too',
  sharedMore: 'the same of the side with more',
  denied: 'one side denies and the other does not',
  deniedShared: 'of these, the share of words',
  change: 'the later side speaks of a change',
  changeShared: 'of these, the share of words',
  sameStart: 'both begin with the same word',
  frame: 'share of the words of the longer side with which both begin or end',
  oneGap: 'both are the same but for a word or two in one place',
  gapAtEnd: 'of these, the place is the end',
  cosine: 'cosine of the vectors',
  changeCosine: 'of those that speak of a change, the cosine',
} as const;
export type PairFeature = keyof typeof pairMeanings;

export interface PairWeights {
  /** Without an encoder. */
  readonly words: { readonly bias: number; readonly weights: Readonly<Record<string, number>> };
  /** `product` weighs what both vectors share in each dimension, `after` the later one. */
  readonly meaning: {
    readonly bias: number;
    readonly weights: Readonly<Record<string, number>>;
    readonly product: readonly number[];
    readonly after: readonly number[];
  };
}

const wordsOf = (list: string): ReadonlySet<string> => new Set(list.split(' '));
const denials = wordsOf(
  "not no never without stop stopped quit gave hate dislike can't don't doesn't isn't dropped closed sold left against cancelled dont cant",
);
const changes = wordsOf(
  'now longer anymore more nowadays instead since switched moved changed new became again gave stopped replaced left took back these from',
);
const plain = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .replaceAll('’', "'")
    .match(/[\p{L}\p{N}']+/gu) ?? [];

export const isDenial = (text: string): boolean => plain(text).some((word) => denials.has(word));

function frameOf(one: readonly string[], other: readonly string[]) {
  const [longer, shorter] = one.length > other.length ? [one, other] : [other, one];
  let start = 0;
  while (start < shorter.length && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter.length - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const gap = longer.length - start - end;
  const oneGap = gap <= 2 && start + end >= 2 ? 1 : 0;
  return {
    frame: (start + end) / Math.max(1, longer.length),
    oneGap,
    gapAtEnd: end === 0 ? oneGap : 0,
  };
}

export function pairFeatures(before: Saying, after: Saying): Readonly<Record<PairFeature, number>> {
  const [one, other] = [new Set(wordTerms(before.text)), new Set(wordTerms(after.text))];
  const both = one.intersection(other).size;
  const shared = both / Math.max(1, Math.min(one.size, other.size));
  const denied = isDenial(before.text) === isDenial(after.text) ? 0 : 1;
  const change = plain(after.text).some((word) => changes.has(word)) ? 1 : 0;
  const frame = frameOf(plain(before.text), plain(after.text));
  const cosine = before.vector && after.vector ? dot(before.vector, after.vector) : 0;
  return {
    shared,
    sharedMore: both / Math.max(1, one.size, other.size),
    denied,
    deniedShared: denied * shared,
    change,
    changeShared: change * shared,
    sameStart: plain(before.text)[0]?.split("'")[0] === plain(after.text)[0]?.split("'")[0] ? 1 : 0,
    ...frame,
    cosine,
    changeCosine: change * cosine,
  };
}

/** Says it with the given weights. */
export function supersedingBy({ words, meaning }: PairWeights) {
  return (before: Saying, after: Saying): number => {
    const features = pairFeatures(before, after);
    const [one, other] = [before.vector, after.vector];
    const { bias, weights } = one && other ? meaning : words;
    let sum = bias;
    for (const [name, value] of Object.entries(features)) sum += (weights[name] ?? 0) * value;
    if (one && other)
      sum += dot(
        meaning.product,
        one.map((value, at) => value * (other[at] ?? 0)),
      );
    if (one && other) sum += dot(meaning.after, other);
    return 1 / (1 + Math.exp(-sum * weightUnit));
  };
}
