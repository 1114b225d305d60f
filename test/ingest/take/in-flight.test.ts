// Bounds of work in hand: its number, and how failures are told.
import { describe, expect, it } from 'vitest';
import { createInFlight } from '../../../src/ingest/take/in-flight.ts';

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

describe('createInFlight', () => {
  it('takes work as long as there is room, and more as soon as one has ended', async () => {
    const inFlight = createInFlight(2);
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    expect(await settled(inFlight.take(first.promise))).toBe(true);
    const full = inFlight.take(second.promise);
    expect(await settled(full)).toBe(false);
    first.resolve();
    await full;
    const rest = inFlight.rest();
    expect(await settled(rest)).toBe(false);
    second.resolve();
    await rest;
  });

  it('tells whoever waits what the first failure was', async () => {
    const inFlight = createInFlight(1);
    const open = Promise.withResolvers<void>();
    const waiting = inFlight.take(open.promise);
    open.reject(new Error('the first'));
    await expect(waiting).rejects.toThrow('the first');
    await expect(inFlight.rest()).rejects.toThrow('the first');
    await expect(inFlight.take(Promise.resolve())).rejects.toThrow('the first');
  });
});
