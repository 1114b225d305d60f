import { describe, expect, it } from 'vitest';
import { FootnoteError } from '../../../src/core/errors.ts';
import { cosinesOf, createPassageScorer } from '../../../src/models/encoder/cosines.ts';
import { leastMatches, scorePassages, withoutEncoder } from '../../../src/models/encoder/passage-scorer.ts';
import { createStandInEncoder } from './stand-in-encoder.ts';

const never = (): Promise<never> => new Promise(() => undefined);
const hanging = { encode: never, encodeQuery: never, match: never, leastMatch: never };

describe('cosines', () => {
  it('are those of the vectors, with six digits and no negative zero', async () => {
    const cosines = await cosinesOf(createStandInEncoder(), 'a', ['a', 'aab', 'abc', 'b', '']);
    expect(cosines).toEqual([1, 0.894427, 0.57735, 0, 0]);
    const turned = { encodeQuery: async () => Float32Array.of(-1), encode: async () => [Float32Array.of(1e-9)] };
    expect(Object.is((await cosinesOf(turned, 'a', ['a']))[0], 0)).toBe(true);
  });

  it('of no texts ask nobody', async () => {
    expect(await cosinesOf(hanging, 'a', [])).toEqual([]);
    const scorer = createPassageScorer({ id: 'one', encoder: hanging, timeoutMs: 1 });
    expect([await scorer.score('a', []), await scorer.match('a', [])]).toEqual([[], []]);
  });
});

describe('a scorer', () => {
  it('gives up when its time is over, and says which setting allows more', async () => {
    const scorer = createPassageScorer({ id: 'one', encoder: hanging, timeoutMs: 50 });
    await expect(scorer.score('a', ['b'])).rejects.toMatchObject({
      code: 'deadline-exceeded',
      message: expect.stringContaining('ENCODER_TIMEOUT_MS'),
    });
  });

  it('ends with the request, for the reason that it ended for', async () => {
    const scorer = createPassageScorer({ id: 'one', encoder: hanging, timeoutMs: 60_000 });
    const leaving = new AbortController();
    const score = scorer.score('a', ['b'], leaving.signal);
    leaving.abort(new FootnoteError('deadline-exceeded', 'The request took too long.'));
    await expect(score).rejects.toMatchObject({ message: 'The request took too long.' });
  });
});

describe('passages', () => {
  const asked = { query: 'a', texts: ['a', 'b'] };
  const lost = new FootnoteError('upstream-unavailable', 'The process died.');
  const fail = async (): Promise<never> => {
    throw lost;
  };
  const broken = { id: 'one', score: fail, match: fail, leastMatch: fail };

  it('have scores where there is a scorer', async () => {
    const scorer = createPassageScorer({ id: 'one', encoder: createStandInEncoder(), timeoutMs: 60_000 });
    expect(await scorePassages(scorer, asked)).toEqual({ scores: [1, 0] });
    expect(await scorePassages(scorer, { ...asked, byTokens: true })).toEqual({ scores: [1, 0] });
    expect(await leastMatches(scorer, asked)).toEqual({ scores: [1, 0] });
    expect(await scorePassages(undefined, asked)).toEqual({});
  });

  it('go without where the scorer fails, which is told', async () => {
    const { degraded } = await scorePassages(broken, asked);
    expect(degraded).toEqual(withoutEncoder(lost));
    expect(degraded).toMatchObject({ component: 'encoder', code: 'upstream-unavailable', detail: 'The process died.' });
  });

  it('are given up with the request', async () => {
    const signal = AbortSignal.abort(new FootnoteError('cancelled', 'left'));
    await expect(scorePassages(broken, asked, signal)).rejects.toMatchObject({ message: 'left' });
  });
});
