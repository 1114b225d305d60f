// Silence for all the time that an operator set, or for ten seconds, says that a model is down; a hurried one says nothing of it.
import { describe, expect, it } from 'vitest';
import { shareOfSilence } from '../../../src/models/calls/patience.ts';

describe('shareOfSilence', () => {
  it.each([
    ['a time that was set', 2_000, 2_000, false],
    ['a little less, by another clock', 2_000, 1_998, false],
    ['a part of it, because others wait', 4_000, 2_000, true],
    ['a time in which nobody answers', 200, 200, true],
    ['a share of a short request', undefined, 9_000, true],
    ['a share of a long one', undefined, 10_000, false],
  ])('tells whether silence says that a model is down: %s', (_name, firstTokenMs, tookMs, isHurried) => {
    const patience = { ...(firstTokenMs !== undefined && { firstTokenMs }), idleMs: 1_000 };
    const { tooSlow } = shareOfSilence(patience, { models: 1, remainingMs: 60_000, elapsedMs: () => 0 });
    expect(tooSlow('openai:a', tookMs).details).toMatchObject({ isHurried });
  });

  it('waits half as long for a model that was silent, down to ten seconds, and as long as ever where somebody set the time', () => {
    const of = (firstTokenMs?: number) =>
      shareOfSilence(
        { ...(firstTokenMs !== undefined && { firstTokenMs }) },
        { models: 1, remainingMs: 60_000, elapsedMs: () => 0 },
      );
    expect([0, 1, 2, 9].map((silences) => of().ms(60_000, 0, silences))).toEqual([40_000, 20_000, 10_000, 10_000]);
    expect([0, 9].map((silences) => of(30_000).ms(60_000, 0, silences))).toEqual([30_000, 30_000]);
    // A request that is short anyway is not made longer.
    const short = shareOfSilence({}, { models: 1, remainingMs: 6_000, elapsedMs: () => 0 });
    expect(short.ms(6_000, 0, 3)).toBe(4_000);
  });
});
