// The order of passages for a question: a sum of named features with weights (weights.json, set by hand), one set with the sentence encoder and one without.
// The few that words and the search put first are shown to the encoder. Invariant: the order depends on the question, the chunks and what the encoder says alone.
import type { Evidence } from '../core/search.ts';
import { isEnglishOrUnclear } from '../text/language/language.ts';
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
  /** Cosines of its first parts, in their order, where the encoder read it so closely. */
  readonly partCosines?: readonly number[];
}

export type RankableChunk = Pick<Evidence, 'text' | 'title' | 'headingPath' | 'score'>;

/** So many passages are shown to the encoder. */
const encodedPassages = 20;

/**
 * What the score of the search counts beside that by words where these are chosen: it has heard the encoder before. Of 159 questions over three folders 100
 * have the right passage first and 125 among three; 99 and 122 where words alone choose.
 */
const searchShare = 1.7;

/** So many of these are read part by part as well, so that the part that answers can be marked. */
const closelyRead = 5;
const mostParts = 12;

/** A passage as the encoder reads it: what stands over it, then its text. */
const encodedText = ({ headingPath, text }: Passage): string => `${headingPath.join(' > ')}\n${text}`;

/** The parts of a passage, each under the heading right above it. */
export const partTexts = ({ headingPath, text, start, parts }: Passage): readonly string[] =>
  parts
    .slice(0, mostParts)
    .map((part) => `${headingPath.at(-1) ?? ''}: ${text.slice(part.start - start, part.end - start)}`);

/** Features without a weight count nothing. */
export type PassageWeights = Readonly<Partial<Record<FeatureName, number>>>;

const weigh = (features: Features, weights: PassageWeights): number =>
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
      cutPassages(chunk).map((passage) => {
        const features = featuresOf(frame, passage, { rank, scoreShare: Math.max(0, chunk.score / best) });
        return { chunk, passage, features, score: weigh(features, weightsOf.words) };
      }),
    )
    .sort(byScore);
}

/** The first of a ranking with further features, ordered anew; the others stay behind them. */
function rankAnew<Chunk>(
  ranked: readonly RankedPassage<Chunk>[],
  read: readonly (Partial<Features> & Pick<RankedPassage<Chunk>, 'partCosines'>)[],
  weights: PassageWeights,
): readonly RankedPassage<Chunk>[] {
  const head = ranked.slice(0, read.length).map((one, at) => {
    const { partCosines, ...found } = read[at] ?? {};
    const features = { ...one.features, ...found };
    return { ...one, features, score: weigh(features, weights), ...(partCosines && { partCosines }) };
  });
  return [...head.sort(byScore), ...ranked.slice(read.length)];
}

/** The few that are shown to the encoder, then the others as they stand. */
function chosenFirst<Chunk>(ranked: readonly RankedPassage<Chunk>[], most: number): readonly RankedPassage<Chunk>[] {
  const worth = ({ score, features }: RankedPassage<Chunk>): number => score + searchShare * features.score;
  const chosen = new Set(ranked.toSorted((a, b) => worth(b) - worth(a)).slice(0, most));
  return [...chosen, ...ranked.filter((one) => !chosen.has(one))];
}

/** What an encoder is asked: how near texts are to a query, by their vectors or token by token. */
interface AskedTexts {
  readonly query: string;
  readonly texts: readonly string[];
  readonly byTokens?: boolean;
}

/** What an encoder said of passages; without scores the order by words stands. */
interface Scored {
  readonly scores?: readonly number[];
}

interface MeaningOrder {
  /** The first of the head are read part by part, too: hits of a search mark none. Default: true. */
  readonly byParts?: boolean;
  /** Default: those of passages of documents. */
  readonly weights?: PassageWeights;
  /** How many passages the encoder is shown: the first, as they are given where `isChosen`, else by words and the search. */
  readonly encoded?: number;
  readonly isChosen?: boolean;
}

/**
 * A ranking by words, ordered by meaning as well where the encoder reads the language of the question and gives scores: by how the tokens match where
 * `weights` count that, else by vectors; then by the parts of the first. Throws what `score` throws.
 */
export async function rankByMeaning<Chunk, Said extends Scored>(
  question: string,
  ranked: readonly RankedPassage<Chunk>[],
  score: (asked: AskedTexts) => Promise<Said>,
  { byParts = true, weights = weightsOf.encoder, encoded = encodedPassages, isChosen = false }: MeaningOrder = {},
): Promise<{ readonly ranked: readonly RankedPassage<Chunk>[]; readonly said?: Said }> {
  // The encoder that ships with the product knows English: elsewhere it puts passages in a worse order than their words do.
  if (!isEnglishOrUnclear(question)) return { ranked };
  const listed = isChosen ? ranked : chosenFirst(ranked, encoded);
  const texts = listed.slice(0, encoded).map(({ passage }) => encodedText(passage));
  const byTokens = Boolean(weights.tokens);
  const said = await score({ query: question, texts, byTokens });
  if (!said.scores) return { ranked, said };
  const byPassages = rankAnew(
    listed,
    said.scores.map((found) => ({ [byTokens ? 'tokens' : 'cosine']: found, partCosine: found })),
    weights,
  );
  if (!byParts) return { ranked: byPassages, said };
  const parts = byPassages.slice(0, closelyRead).map(({ passage }) => partTexts(passage));
  const saidOfParts = await score({ query: question, texts: parts.flat() });
  const left = [...(saidOfParts.scores ?? [])];
  if (left.length === 0) return { ranked: byPassages, said: saidOfParts };
  const read = parts.map((own) => {
    const partCosines = left.splice(0, own.length);
    return { partCosine: Math.max(0, ...partCosines), partCosines };
  });
  return { ranked: rankAnew(byPassages, read, weights), said: saidOfParts };
}
