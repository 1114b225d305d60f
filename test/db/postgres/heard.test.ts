// What waits for a database: as long as it is there, and no longer.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isLost } from '../../../src/db/postgres/client/errors.ts';
import { createHeard } from '../../../src/db/postgres/client/heard.ts';

const longMs = 60_000;
let looks = 0;
let isThere = true;
const heardBy = () =>
  createHeard(async () => {
    looks += 1;
    return isThere;
  });
const answeredAfter = (ms: number) => new Promise<string>((resolve) => setTimeout(resolve, ms, 'rows'));

beforeEach(() => {
  vi.useFakeTimers();
  [looks, isThere] = [0, true];
});
afterEach(() => {
  vi.useRealTimers();
});

it('waits for what is slow, and looks at nothing while all is quick', async () => {
  const heard = heardBy();
  const quick = heard(answeredAfter(1000));
  await vi.advanceTimersByTimeAsync(1000);
  expect([await quick, looks]).toEqual(['rows', 0]);
  const slow = heard(answeredAfter(longMs));
  await vi.advanceTimersByTimeAsync(longMs);
  expect(await slow).toBe('rows');
  expect(looks).toBeGreaterThan(5);
  const before = looks;
  await vi.advanceTimersByTimeAsync(longMs);
  expect([looks, vi.getTimerCount()]).toEqual([before, 0]);
});

it('takes what nobody answers for lost, and says what the database says', async () => {
  const heard = heardBy();
  const silent = heard(answeredAfter(longMs)).catch((error: unknown) => error);
  isThere = false;
  await vi.advanceTimersByTimeAsync(5000);
  expect(isLost(await silent)).toBe(true);
  const refused = new Error('no such table');
  await expect(heard(Promise.reject(refused))).rejects.toBe(refused);
});

it('looks once for all who wait', async () => {
  let answer: (isThere: boolean) => void = () => undefined;
  const looking = vi.fn(() => new Promise<boolean>((resolve) => (answer = resolve)));
  const heard = createHeard(looking);
  const all = Promise.allSettled(Array.from({ length: 10 }, () => heard(answeredAfter(longMs))));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(looking).toHaveBeenCalledTimes(1);
  answer(false);
  await vi.advanceTimersByTimeAsync(0);
  expect((await all).every(({ status }) => status === 'rejected')).toBe(true);
});
