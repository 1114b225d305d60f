// The order of passages for a question: a sum of named features with fitted weights (weights.json), one set with the sentence encoder and one without.
// The few that words put first are shown to the encoder. Invariant: the order depends on the question, the chunks and the cosines alone.
import type { Evidence } from '../core/search.ts';
import { cutPassages } from './cut.ts';
import { type FeatureName, type Features, featuresOf } from './features.ts';
import type { Frame } from './frame.ts';
import type { Passage } from './passage.ts';
import fitted from './weights.json' with { type: 'json' };

export interface RankedPassage<Chunk> {
  readonly chunk: Chunk;
  readonly passage: Passage;
  readonly features: Features;
  readonly score: number;
}

export type RankableChunk = Pick<Evidence, 'text' | 'title' | 'headingPath' | 'score'>;

/** So many passages, first by words, are shown to the encoder: more change nothing that was measured, and cost their time. */
export const encodedPassages = 12;

/** A passage as the encoder reads it: what stands over it, then its text. */
export const encodedText = ({ headingPath, text }: Passage): string => `${headingPath.join(' > ')}\n${text}`;

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
        return { chunk, passage, features, score: weigh(features, fitted.words) };
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
    return { ...one, features, score: weigh(features, fitted.encoder) };
  });
  return [...head.sort(byScore), ...ranked.slice(cosines.length)];
}
