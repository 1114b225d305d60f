// What people said of answers moves passages a little, never past clearly better evidence, and only for such a question.
import { describe, expect, it } from 'vitest';
import type { Vote } from '../../src/core/feedback.ts';
import { createFeedbackTerms, feedbackShares } from '../../src/retrieval/feedback-term.ts';
import type { RankTerm } from '../../src/retrieval/rank.ts';

const query = 'How tall is the tower of Oban?';
const vote = (principal: string, rating: Vote['rating'], more: Partial<Vote> = {}): Vote => ({
  chunkId: 'a',
  principal,
  rating,
  question: query,
  ...more,
});
type Weigh = Parameters<RankTerm['weigh']>;
const weighed = (votes: readonly Vote[], { chunkId = 'a', weight = 0.1, best = 10, asked = query } = {}): number =>
  createFeedbackTerms(feedbackShares(asked, votes), weight)[0]?.weigh({ chunkId } as Weigh[0], {} as Weigh[1], best) ??
  0;

describe('feedback as a term of the order', () => {
  it('is up for praise and down for blame, more with more people, and nothing for others', () => {
    const one = weighed([vote('ann', 'up')]);
    expect(one).toBeGreaterThan(0);
    expect(weighed([vote('ann', 'up'), vote('bob', 'up')])).toBeGreaterThan(one);
    expect(weighed([vote('ann', 'down')])).toBe(-one);
    expect(weighed([vote('ann', 'up'), vote('bob', 'down')])).toBe(0);
    expect(weighed([vote('ann', 'up')], { chunkId: 'b' })).toBe(0);
  });

  it('counts a person once, by the last word, and of another question nothing', () => {
    const once = weighed([vote('ann', 'up')]);
    expect(weighed(Array.from({ length: 50 }, () => vote('ann', 'up')))).toBe(once);
    expect(weighed([vote('ann', 'down'), vote('ann', 'up')])).toBe(-once);
    expect(weighed([vote('ann', 'up', { question: 'Who sells bread in Leeds?' })])).toBe(0);
    expect(weighed([vote('ann', 'up', { question: 'How tall is the lighthouse of Oban?' })])).toBeLessThan(once);
  });

  it('is never more than its share of the best score, whoever speaks', () => {
    for (const people of [1, 10, 1000, 20_000]) {
      const votes = Array.from({ length: people }, (_, at) =>
        vote(`p${at}`, at % 7 === 0 && people < 20 ? 'down' : 'up'),
      );
      expect(Math.abs(weighed(votes, { weight: 0.05 }))).toBeLessThanOrEqual(0.05 * 10);
    }
    // Praised by all, it stays behind what is better by more than twice that, even where that was blamed by all.
    const all = Array.from({ length: 500 }, (_, at) => [
      vote(`p${at}`, 'up'),
      vote(`p${at}`, 'down', { chunkId: 'b' }),
    ]).flat();
    expect(10 + weighed(all, { chunkId: 'b', weight: 0.05 })).toBeGreaterThan(8.9 + weighed(all, { weight: 0.05 }));
  });

  it('is no term where nobody spoke, or where it has no weight', () => {
    expect(createFeedbackTerms(feedbackShares(query, []), 0.1)).toEqual([]);
    expect(createFeedbackTerms(feedbackShares(query, [vote('ann', 'up')]), 0)).toEqual([]);
  });
});
