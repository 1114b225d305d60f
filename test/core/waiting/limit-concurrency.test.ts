import { describe, expect, it } from 'vitest';
import { limitConcurrency } from '../../../src/core/waiting/limit-concurrency.ts';

describe('lanes', () => {
  it('run no more works at once than there are, in their order, and are given back by those that fail', async () => {
    const lanes = limitConcurrency(2);
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const works = [0, 1, 2, 3].map((at) =>
      lanes(async () => {
        begun.push(at);
        await new Promise<void>((resolve) => ends.push(resolve));
        if (at === 0) throw new Error('It failed.');
        return at;
      }),
    );
    const all = Promise.allSettled(works);
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toEqual([0, 1]);
    ends[0]?.();
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toEqual([0, 1, 2]);
    for (let at = 1; at < 4; at++) {
      ends[at]?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await all).map((one) => (one.status === 'fulfilled' ? one.value : 'failed'))).toEqual(['failed', 1, 2, 3]);
  });

  it('are not taken by whoever gave up while waiting', async () => {
    const lanes = limitConcurrency(1);
    const first = Promise.withResolvers<void>();
    const running = lanes(() => first.promise);
    const controller = new AbortController();
    let ran = false;
    const left = lanes(async () => {
      ran = true;
    }, controller.signal);
    controller.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    first.resolve();
    await running;
    await expect(lanes(async () => 'next')).resolves.toBe('next');
    expect(ran).toBe(false);
    await expect(lanes(async () => 'never', controller.signal)).rejects.toThrow('gone');
  });
});
