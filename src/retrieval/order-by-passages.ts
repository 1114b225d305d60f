// Orders the head of a search by the best passage of each hit: a chunk of several subjects is worth what its best part is. Invariants: what comes out is what
// went in; hits behind the head keep their places; where the encoder fails the order of the search stands, and the result says so.
import type { Degradation, Evidence } from '../core/search.ts';
import { type PassageScorer, scorePassages } from '../models/encoder/passage-scorer.ts';
import { type CollectionStatistics, readFrame } from '../passages/frame.ts';
import { type RankedPassage, rankByMeaning, rankByWords } from '../passages/rank.ts';
import { isEnglishOrUnclear } from '../text/language/language.ts';

/** Hits that are ordered anew, all of them by the encoder: what is found by meaning alone would stay behind where words chose some. */
export const headLength = 20;
/** What the score of the search counts beside that of the passage, chosen over four folders. Of 60 questions over a fifth the first hit holds the answer of 37. */
const searchWeight = 2;

export interface PassageOrder {
  readonly evidence: readonly Evidence[];
  readonly degraded?: Degradation;
}

export interface PassageOrdering {
  readonly query: string;
  readonly scorer: PassageScorer;
  /** How rare the words of a query are; absent where nobody knows. */
  readonly statistics?:
    | ((query: string, signal?: AbortSignal) => Promise<CollectionStatistics | undefined>)
    | undefined;
}

/** `evidence` is best first. Throws only when `signal` aborted, with its reason. */
export async function orderByPassages(
  evidence: readonly Evidence[],
  { query, scorer, statistics }: PassageOrdering,
  signal?: AbortSignal,
): Promise<PassageOrder> {
  const head = evidence.slice(0, headLength);
  if (head.length < 2 || !isEnglishOrUnclear(query)) return { evidence };
  const byWords = bestOfEach(rankByWords(readFrame(query, await statistics?.(query, signal)), head));
  const { ranked, said } = await rankByMeaning(query, byWords, (asked) => scorePassages(scorer, asked, signal), {
    byParts: false,
  });
  if (!said?.scores) return { evidence, ...(said?.degraded && { degraded: said.degraded }) };
  const ordered = ranked
    .map(({ chunk, score, features }) => ({ chunk, score: score + searchWeight * features.score }))
    .sort((a, b) => b.score - a.score);
  const left = head
    .filter((item) => !ordered.some(({ chunk }) => chunk === item))
    .map((chunk) => ({ chunk, score: 0 }));
  // Scores of the search belong to places, as where a reranker orders them.
  const placed = [...ordered, ...left].map(({ chunk, score }, at) => ({
    ...chunk,
    score: head[at]?.score ?? chunk.score,
    scores: { ...chunk.scores, passage: Math.round(1e6 * score) / 1e6 },
  }));
  return { evidence: [...placed, ...evidence.slice(headLength)] };
}

/** The best passage of each chunk, best first. */
function bestOfEach<Chunk>(ranked: readonly RankedPassage<Chunk>[]): readonly RankedPassage<Chunk>[] {
  return [...Map.groupBy(ranked, ({ chunk }) => chunk).values()].flatMap(([best]) => best ?? []);
}
