// What is measured of a passage for a question: seventeen named numbers, most of them 0..1. Each has a weight in weights.json or in that of turns. Invariant: a number depends on the question, the passage and the chunk that it was cut from alone.
import { termsOf } from '../text/terms.ts';
import { cacheTexts } from '../text/tokens/text-cache.ts';
import { coverOf, type Frame } from './frame.ts';
import type { Passage } from './passage.ts';

/** Each feature with its meaning. Cover is the share of the question's terms, by their rarity. */
export const featureMeanings = {
  text: 'cover of the question by the text of the passage',
  heading: 'cover by the headings over the passage',
  title: 'cover by the title of the document',
  label: 'cover by the label that the passage opens with, else by the heading right above it',
  entry: 'the passage opens with the name or code that the question names',
  all: 'cover by the text, the headings and the title together',
  sentence: 'the best cover by one sentence, item or row',
  order: 'share of neighbouring terms of the question that stand near each other in its order',
  names: 'share of the names and codes of the question that the passage or what stands over it holds',
  rank: 'the reciprocal rank of the chunk',
  score: 'the score of the chunk as a share of the best one',
  length: 'the logarithm of the words, 1 for the longest passage',
  short: '1 for fewer than twelve words',
  value: 'the question wants a value and a sentence that covers it holds a figure',
  cosine: 'the cosine of question and passage by the sentence encoder; 0 where it was not asked for vectors',
  tokens:
    'the mean, over the tokens of the question, of the best cosine of a token of the passage; 0 without the encoder',
  partCosine:
    'the best cosine of one sentence, item or row under its heading; where none was read, what the encoder says of the whole passage',
} as const;
export type FeatureName = keyof typeof featureMeanings;
export type Features = Readonly<Record<FeatureName, number>>;

/** A chunk as it was found. */
export interface FoundChunk {
  /** Its place in the ranking, from 0. */
  readonly rank: number;
  /** Its score as a share of the best one. */
  readonly scoreShare: number;
}

/** Terms of a text in their order. About 20 MB when both generations are full. */
const termsIn = cacheTexts((text: string): readonly string[] => termsOf(text).map(({ term }) => term), {
  characters: 2_000_000,
  shortest: 0,
});

/** The numbers of a passage, without those of an encoder. */
export function featuresOf({ terms, kinds }: Frame, passage: Passage, { rank, scoreShare }: FoundChunk): Features {
  const { text, headingPath, label, words } = passage;
  const own = termsIn(text);
  const [title = '', ...headings] = headingPath;
  const said = new Set(own);
  const over = new Set(headings.flatMap((heading) => termsIn(heading)));
  const titled = new Set(termsIn(title));
  const named = termsIn(label ?? headingPath.at(-1) ?? '');
  const cover = (held: ReadonlySet<string>): number => coverOf(terms, held);
  const names = terms.filter(({ isName }) => isName);
  const sentences = sentencesOf(passage, cover);
  return {
    text: cover(said),
    heading: cover(over),
    title: cover(titled),
    label: cover(new Set(named)),
    entry: label !== undefined && names.some(({ term }) => term === named[0]) ? 1 : 0,
    all: cover(said.union(over).union(titled)),
    sentence: sentences.best,
    order: orderOf(own, terms),
    names:
      names.length === 0
        ? 0
        : names.filter(({ term }) => said.has(term) || over.has(term) || titled.has(term)).length / names.length,
    rank: 1 / (1 + rank),
    score: scoreShare,
    length: Math.min(1, Math.log1p(words) / Math.log1p(120)),
    short: words < 12 ? 1 : 0,
    value: kinds.has('value') || kinds.has('time') ? sentences.withFigure : 0,
    cosine: 0,
    tokens: 0,
    partCosine: 0,
  };
}

type Cover = (held: ReadonlySet<string>) => number;

/** The best cover of one sentence, and of one that holds a figure. */
function sentencesOf(
  { text, start, parts }: Passage,
  cover: Cover,
): { readonly best: number; readonly withFigure: number } {
  let [best, withFigure] = [0, 0];
  for (const part of parts) {
    const sentence = text.slice(part.start - start, part.end - start);
    const share = cover(new Set(termsIn(sentence)));
    best = Math.max(best, share);
    if (/\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|none|off|on)\b/iu.test(sentence))
      withFigure = Math.max(withFigure, share + 0.2);
  }
  return { best, withFigure: Math.min(1, withFigure) };
}

function orderOf(own: readonly string[], terms: Frame['terms']): number {
  if (terms.length < 2) return 0;
  const places = Map.groupBy(own.keys(), (at) => own[at]);
  let near = 0;
  for (const [at, { term }] of terms.entries()) {
    const next = terms[at + 1];
    const [first, second] = [places.get(term), next && places.get(next.term)];
    if (first && second && first.some((from) => second.some((to) => to > from && to - from <= 3))) near += 1;
  }
  return near / (terms.length - 1);
}
