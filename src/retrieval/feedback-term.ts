// What people said of answers, as a term of the order: a passage that praised answers to such questions cited stands a little higher, one of answers
// that were called wrong a little lower. Invariants: the term is never more than its share of the best score, however many speak; each person counts
// once for a passage; what was said of another question counts as far as that question is this one. Pure.
import type { Vote } from '../core/feedback.ts';
import { analyzeWords } from '../text/analyze.ts';
import type { RankTerm } from './rank.ts';

/** Voices that count as nothing: one person alone moves a passage by a third of the most. */
const silent = 2;
/** Of the words of two questions, below which they are two questions. */
const leastAlike = 0.3;

const termsIn = (text: string): ReadonlySet<string> => new Set(analyzeWords(text).map(({ term }) => term));

/** How far people spoke for a passage (to 1) or against it (to -1). */
export interface FeedbackShare {
  readonly chunkId: string;
  readonly share: number;
}

/** Newest votes first. Empty where nobody spoke of such a question. */
export function feedbackShares(query: string, votes: readonly Vote[]): readonly FeedbackShare[] {
  const asked = termsIn(query);
  const voices = new Map<string, Map<string, number>>();
  for (const { chunkId, principal, rating, question } of votes) {
    const then = termsIn(question);
    const alike = asked.size === 0 ? 0 : asked.intersection(then).size / asked.union(then).size;
    if (alike < leastAlike) continue;
    const ofChunk = voices.get(chunkId) ?? new Map<string, number>();
    // The first word of a person is the last that was said.
    if (!ofChunk.has(principal)) ofChunk.set(principal, rating === 'up' ? alike : -alike);
    voices.set(chunkId, ofChunk);
  }
  return [...voices].map(([chunkId, ofChunk]) => {
    const said = [...ofChunk.values()];
    return { chunkId, share: said.reduce((sum, one) => sum + one, 0) / (said.length + silent) };
  });
}

/** `weight`: share of the best score that the term gives or takes at most. */
export function createFeedbackTerms(shares: readonly FeedbackShare[], weight: number): readonly RankTerm[] {
  if (shares.length === 0 || weight === 0) return [];
  const byChunk = new Map(shares.map(({ chunkId, share }) => [chunkId, share] as const));
  const most = Math.abs(weight);
  return [
    {
      name: 'feedback',
      bounds: [-most, most],
      weigh: ({ chunkId }, _row, best) => weight * best * (byChunk.get(chunkId) ?? 0),
    },
  ];
}
