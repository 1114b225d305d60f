import { describe, expect, it } from 'vitest';
import { feedbackInParts, feedbackVector } from '../../../src/models/embedding/feedback-vector.ts';

const x = Float32Array.of(1, 0, 0);
const y = Float32Array.of(0, 1, 0);
const none = new Float32Array(3);
const half = Number(Math.SQRT1_2.toFixed(4));
const rounded = (vector: Float32Array): number[] => [...vector].map((value) => Number(value.toFixed(4)));

describe('feedbackVector', () => {
  it('lies halfway between the query and its best hits, with length 1', () => {
    expect(rounded(feedbackVector(x, [{ vector: y, score: 3 }]))).toEqual([half, half, 0]);
  });
  it('listens to the better hits: weights are squares of scores against the best', () => {
    const z = Float32Array.of(0, 0, 1);
    const [, best = 0, worse = 0] = feedbackVector(
      x,
      [
        { vector: y, score: 10 },
        { vector: z, score: 5 },
      ],
      { hits: 5, share: 1 },
    );
    expect(worse / best).toBeCloseTo(0.25, 6);
  });
  it('looks at no more hits than it is told', () => {
    const ranked = [
      { vector: x, score: 2 },
      { vector: y, score: 2 },
    ];
    expect(rounded(feedbackVector(none, ranked, { hits: 1, share: 0.5 }))).toEqual([1, 0, 0]);
  });
  it('is the query where there are no hits, the hits where the model does not know the query, else nothing', () => {
    expect(rounded(feedbackVector(x, []))).toEqual([1, 0, 0]);
    expect(rounded(feedbackVector(x, [{ vector: y, score: 0 }]))).toEqual([1, 0, 0]);
    expect(rounded(feedbackVector(none, [{ vector: y, score: 1 }]))).toEqual([0, 1, 0]);
    expect(rounded(feedbackVector(none, []))).toEqual([0, 0, 0]);
  });
});

describe('feedbackInParts', () => {
  const two = { learned: 3, dimensions: 5 };
  const hit = { vector: Float32Array.of(0, 1, 0, 0.6, 0.8), score: 3 };

  it('moves the learned part alone, and lets that of the encoder count four times as much', () => {
    const { vector, isEncoded } = feedbackInParts(Float32Array.of(1, 0, 0, 1, 0), [hit], two);
    expect(isEncoded).toBe(true);
    expect(rounded(vector)).toEqual([0.1768, 0.1768, 0, 1, 0]);
  });

  it('is the learned model where the encoder said nothing, or there is none', () => {
    const learned = feedbackVector(x, [{ vector: y, score: 3 }]);
    for (const query of [x, Float32Array.of(1, 0, 0, 0, 0)])
      expect(feedbackInParts(query, [hit], two)).toEqual({
        vector: Float32Array.of(...learned, 0, 0),
        isEncoded: false,
      });
    expect(feedbackInParts(x, [{ vector: y, score: 3 }], { learned: 3, dimensions: 3 }).vector).toEqual(learned);
  });
});
