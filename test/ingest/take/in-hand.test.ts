// Bounds of work in hand: number, bytes, and how failures are told.
import { describe, expect, it } from 'vitest';
import { createInHand } from '../../../src/ingest/take/in-hand.ts';

const settled = async (work: Promise<void>): Promise<boolean> => {
  let isOver = false;
  void work.then(
    () => {
      isOver = true;
    },
    () => undefined,
  );
  await new Promise((resolve) => setImmediate(resolve));
  return isOver;
};

describe('createInHand', () => {
  it('takes work as long as there is room, and more as soon as one has ended', async () => {
    const inHand = createInHand({ most: 2 });
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    expect(await settled(inHand.take(first.promise))).toBe(true);
    const full = inHand.take(second.promise);
    expect(await settled(full)).toBe(false);
    first.resolve();
    await full;
    const rest = inHand.rest();
    expect(await settled(rest)).toBe(false);
    second.resolve();
    await rest;
  });

  it('counts bytes only where there is more than one work', async () => {
    const inHand = createInHand({ most: 10, mostBytes: 100 });
    const [large, small] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    expect(await settled(inHand.take(large.promise, 1000))).toBe(true);
    const waiting = inHand.take(small.promise, 1);
    expect(await settled(waiting)).toBe(false);
    large.resolve();
    await waiting;
  });

  it('tells whoever waits what the first failure was', async () => {
    const inHand = createInHand({ most: 1 });
    const open = Promise.withResolvers<void>();
    const waiting = inHand.take(open.promise);
    open.reject(new Error('the first'));
    await expect(waiting).rejects.toThrow('the first');
    await expect(inHand.rest()).rejects.toThrow('the first');
    await expect(inHand.take(Promise.resolve())).rejects.toThrow('the first');
  });
});
