// The order of passages for a question: a sum of named features with weights (weights.json, set by hand), one set with the sentence encoder and one without.
// The few that words put first are shown to the encoder. Invariant: the order depends on the question, the chunks and the cosines alone.
import type { Evidence } from '../core/search.ts';
import { guessLanguage } from '../text/language/language.ts';
import { cutPassages } from './cut.ts';
import { type FeatureName, type Features, featuresOf } from './features.ts';
import type { Frame } from './frame.ts';
import type { Passage } from './passage.ts';
import weightsOf from './weights.json' with { type: 'json' };

export interface RankedPassage<Chunk> {
  readonly chunk: Chunk;
  readonly passage: Passage;
  readonly features: Features;
  readonly score: number;
}

export type RankableChunk = Pick<Evidence, 'text' | 'title' | 'headingPath' | 'score'>;

/** So many passages, first by words, are shown to the encoder: more change nothing that was measured, and cost their time. */
const encodedPassages = 12;

/** A passage as the encoder reads it: what stands over it, then its text. */
const encodedText = ({ headingPath, text }: Passage): string => `${headingPath.join(' > ')}\n${text}`;

const weigh = (features: Features, weights: Readonly<Record<FeatureName, number>>): number =>
  Object.entries(weights).reduce((sum, [name, weight]) => sum + weight * features[name as FeatureName], 0);

const byScore = <Chunk>(a: RankedPassage<Chunk>, b: RankedPassage<Chunk>): number => b.score - a.score;

/** All passages of the chunks, best first by words. `chunks` are ranked, best first. */
export function rankByWords<Chunk extends RankableChunk>(
  frame: Frame,
  chunks: readonly Chunk[],
): readonly RankedPassage<Chunk>[] {
  const best = Math.max(...chunks.map(({ score }) => score), Number.MIN_VALUE);
  return chunks
    .flatMap((chunk, rank) =>
      cutPassages(chunk).map((passage, place) => {
        const features = featuresOf(frame, passage, { rank, place, scoreShare: Math.max(0, chunk.score / best) });
        return { chunk, passage, features, score: weigh(features, weightsOf.words) };
      }),
    )
    .sort(byScore);
}

/** The first of a ranking by words, ordered with their cosines; the others stay behind them. */
export function rankWithCosines<Chunk>(
  ranked: readonly RankedPassage<Chunk>[],
  cosines: readonly number[],
): readonly RankedPassage<Chunk>[] {
  const head = ranked.slice(0, cosines.length).map((one, at) => {
    const features = { ...one.features, cosine: cosines[at] ?? 0 };
    return { ...one, features, score: weigh(features, weightsOf.encoder) };
  });
  return [...head.sort(byScore), ...ranked.slice(cosines.length)];
}

/** The encoder that ships with the product knows English: elsewhere it puts passages in a worse order than their words do. */
const unknown = 'und';
const encodedLanguages: ReadonlySet<string> = new Set(['en', unknown]);

export const isRankedByMeaning = (question: string): boolean =>
  encodedLanguages.has(guessLanguage(question, [unknown]));

/** What an encoder said of passages; without scores the order by words stands. */
interface Scored {
  readonly scores?: readonly number[];
}

/** A ranking by words, ordered by meaning as well where the encoder reads the language of the question and gives scores. Throws what `score` throws. */
export async function rankByMeaning<Chunk, Said extends Scored>(
  question: string,
  ranked: readonly RankedPassage<Chunk>[],
  score: (asked: { readonly query: string; readonly texts: readonly string[] }) => Promise<Said>,
): Promise<{ readonly ranked: readonly RankedPassage<Chunk>[]; readonly said?: Said }> {
  if (!isRankedByMeaning(question)) return { ranked };
  const texts = ranked.slice(0, encodedPassages).map(({ passage }) => encodedText(passage));
  const said = await score({ query: question, texts });
  return { ranked: said.scores ? rankWithCosines(ranked, said.scores) : ranked, said };
}
