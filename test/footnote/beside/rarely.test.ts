// Work that is done once for a while, however many ask.
import { expect, it } from 'vitest';
import { rarely } from '../../../src/footnote/beside/rarely.ts';

it('is done once for a while, for all who come meanwhile, and again after a failure', async () => {
  let nowMs = 0;
  let done = 0;
  let fails = false;
  const ask = rarely(
    async () => {
      done += 1;
      if (fails) throw new Error('down');
      return done;
    },
    { forMs: 3000, elapsedMs: () => nowMs },
  );
  expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
  nowMs = 2999;
  expect(await ask()).toBe(1);
  nowMs = 3000;
  expect(await ask()).toBe(2);
  nowMs = 6000;
  fails = true;
  await expect(ask()).rejects.toThrow('down');
  fails = false;
  expect(await ask()).toBe(4);
});
