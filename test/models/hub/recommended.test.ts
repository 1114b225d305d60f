import { describe, expect, it } from 'vitest';
import { estimateAnswerMs } from '../../../src/models/hub/recommended.ts';

describe('how long an answer may take', () => {
  it('is in proportion to a writer that was measured here, else to one on two processors', () => {
    expect(estimateAnswerMs(1.12e9, [], 2)).toBe(5_000);
    expect(estimateAnswerMs(2.24e9, [{ bytes: 1e9 }], 4)).toBe(5_000);
    expect(estimateAnswerMs(1.12e9, [], 64)).toBe(1_250);
    const here = [{ bytes: 3e9 }, { bytes: 5e8, answerMs: 9_000 }, { bytes: 1e9, answerMs: 20_000 }];
    expect(estimateAnswerMs(2e9, here, 64)).toBe(40_000);
    expect(estimateAnswerMs(1.12e9, [{ bytes: 1e8, answerMs: 5_000 }], 2)).toBe(5_000);
  });
});
