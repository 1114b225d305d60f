// What keys take: many at once, over windows, restarts and kills, never more than their limits.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMeter, type Meter } from '../../src/auth/meter.ts';
import { FootnoteError } from '../../src/core/errors.ts';
import { localScope, type Principal } from '../../src/core/scope.ts';
import type { KeyLimits } from '../../src/core/spending.ts';
import { recordForEachTest } from '../../testkit/record-fixture.ts';

const place = recordForEachTest();
const noon = Date.parse('2026-01-01T12:00:00.000Z');
let nowMs = noon;
const clock = { now: () => new Date(nowMs).toISOString() };
const meter = (usual: KeyLimits = {}): Meter => createMeter({ keys: place.record.keys, clock, usual });
/** One whose record throws this while there is any. */
function failing(error: { now: Error | undefined }): Meter {
  const { keys } = place.record;
  const take: typeof keys.take = (...given) => (error.now ? Promise.reject(error.now) : keys.take(...given));
  return createMeter({ keys: { taken: keys.taken, take }, clock, usual: {} });
}
const keyWith = (limits?: KeyLimits, id = 'key:one'): Principal => ({
  id,
  role: 'reader',
  groups: [],
  ...(limits && { limits }),
});
const servedOf = async (counted: Meter, principal: Principal, times: number): Promise<number> => {
  const all = await Promise.all(Array.from({ length: times }, () => counted.request(principal)));
  return all.filter(({ refusal }) => refusal === undefined).length;
};

describe('a limit of requests', () => {
  it('is not passed by many at once, and begins anew with its window', async () => {
    nowMs = noon;
    const counted = meter();
    const key = keyWith({ rate: '7/min' });
    expect(await servedOf(counted, key, 50)).toBe(7);
    const { limits, refusal } = await counted.request(key);
    expect(limits).toEqual([{ what: 'rate', most: 7, seconds: 60, left: 0, resetsInSeconds: 60 }]);
    expect(refusal).toMatchObject({
      code: 'rate-limited',
      message: expect.stringMatching(/7 requests in 60 s; 0 are left.*12:01:00.*--rate, KEY_RATE/u),
      details: { opensAt: '2026-01-01T12:01:00.000Z' },
    });
    nowMs += 59_999;
    expect(await servedOf(counted, key, 50)).toBe(0);
    nowMs += 1;
    expect(await servedOf(counted, key, 50)).toBe(7);
  });

  it('of a day holds beside that of a minute: what one refuses the other does not count', async () => {
    nowMs = noon;
    const counted = meter({ rate: '5/min', dailyRequests: 12 });
    const served: number[] = [];
    for (let minute = 0; minute < 4; minute += 1, nowMs += 60_000) served.push(await servedOf(counted, keyWith(), 50));
    expect(served).toEqual([5, 5, 2, 0]);
    expect((await counted.request(keyWith())).refusal).toMatchObject({
      code: 'quota-exceeded',
      details: { opensAt: '2026-01-02T00:00:00.000Z' },
    });
  });

  it('is of each key and each subject of tokens by itself; its own goes before the usual one, and the owner has none', async () => {
    nowMs = noon;
    const counted = meter({ rate: '3/min' });
    expect(await servedOf(counted, keyWith(), 9)).toBe(3);
    expect(await servedOf(counted, keyWith({ rate: '8/min' }, 'key:two'), 9)).toBe(8);
    expect(await servedOf(counted, { id: 'oidc:ana', role: 'reader', groups: [] }, 9)).toBe(3);
    expect(await servedOf(counted, localScope().principal, 9)).toBe(9);
    expect(await servedOf(meter(), keyWith(), 9)).toBe(9);
  });

  it('of today has nothing back of what was taken ahead yesterday', async () => {
    nowMs = noon;
    const key = keyWith({ dailyRequests: 100 });
    const idle = meter();
    expect(await servedOf(idle, key, 1)).toBe(1);
    nowMs += 86_400_000;
    expect(await servedOf(meter(), key, 200)).toBe(100);
    await idle.close();
    expect(await servedOf(meter(), key, 9)).toBe(0);
  });

  it('of a subject whose name has blanks gives back to that subject', async () => {
    nowMs = noon;
    const [ann, other] = [keyWith({ rate: '100/h' }, 'oidc:Ann Lee'), keyWith({ rate: '100/h' }, 'oidc:Ann')];
    const before = meter();
    expect([await servedOf(before, ann, 3), await servedOf(meter(), other, 100)]).toEqual([3, 100]);
    await before.close();
    expect([await servedOf(meter(), ann, 200), await servedOf(meter(), other, 9)]).toEqual([97, 0]);
  });

  it('asks the record once for a window, and holds none that is over', async () => {
    nowMs = noon;
    let given: string[] = [];
    const { keys } = place.record;
    const take: typeof keys.take = (id, ...rest) => {
      given.push(id);
      return keys.take(id, ...rest);
    };
    const counted = createMeter({ keys: { taken: keys.taken, take }, clock, usual: { rate: '40/min' } });
    for (let minute = 0; minute < 5; minute += 1, nowMs += 60_000)
      expect(await servedOf(counted, keyWith(undefined, `oidc:${minute}`), 1)).toBe(1);
    given = [];
    await counted.close();
    expect(given).toEqual(['oidc:4']);
  });

  it('counts in memory on a full disk, and adds that where there is room again', async () => {
    nowMs = noon;
    const key = keyWith({ rate: '10/h' });
    const error: { now: Error | undefined } = { now: new FootnoteError('storage-full', 'No room.') };
    const counted = failing(error);
    expect(await servedOf(counted, key, 4)).toBe(4);
    expect(await servedOf(counted, key, 1)).toBe(1);
    error.now = undefined;
    expect(await servedOf(counted, key, 1)).toBe(1);
    expect(await servedOf(meter(), key, 20)).toBe(4);
  });

  it('fails with the request where the record does, and counts nothing then', async () => {
    nowMs = noon;
    const key = keyWith({ rate: '3/h' });
    const error: { now: Error | undefined } = { now: new FootnoteError('storage-busy', 'Busy.') };
    const counted = failing(error);
    await expect(counted.request(key)).rejects.toMatchObject({ code: 'storage-busy' });
    error.now = undefined;
    expect(await servedOf(counted, key, 9)).toBe(3);
  });

  it('holds over an orderly restart to the last request', async () => {
    nowMs = noon;
    const key = keyWith({ rate: '100/h' });
    const before = meter();
    expect(await servedOf(before, key, 33)).toBe(33);
    await before.close();
    await place.reopen();
    expect(await servedOf(meter(), key, 100)).toBe(67);
  });

  it('is never passed, however often the process is killed; a kill costs a twentieth at most', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 90 }),
        fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.boolean()), { minLength: 1, maxLength: 6 }),
        fc.nat(),
        async (most, lives, seed) => {
          const key = keyWith({ rate: `${most}/min` }, `key:${seed}-${most}-${lives.join('-')}`);
          let [served, kills] = [0, 0];
          for (const [asks, isKilled] of lives) {
            const counted = meter();
            served += await servedOf(counted, key, asks);
            if (isKilled) kills += 1;
            else await counted.close();
          }
          const asked = lives.reduce((sum, [asks]) => sum + asks, 0);
          expect(served).toBeLessThanOrEqual(most);
          expect(served).toBeGreaterThanOrEqual(Math.min(asked, most - kills * Math.floor(most / 20)));
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('a limit at several servers', () => {
  it('is one for all of them: never passed, and used up but for what the others took ahead', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 90 }),
        fc.array(fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 30 })), { minLength: 1, maxLength: 8 }),
        fc.nat(),
        async (most, bursts, seed) => {
          const key = keyWith({ rate: `${most}/min` }, `key:s-${seed}-${most}-${bursts.join('-')}`);
          const servers = [meter(), meter(), meter()];
          const all = bursts.map(([at, times]) => servedOf(servers[at] as Meter, key, times));
          let served = (await Promise.all(all)).reduce((sum, one) => sum + one, 0);
          const asked = bursts.reduce((sum, [, times]) => sum + times, 0);
          expect(served).toBeLessThanOrEqual(most);
          expect(served).toBeGreaterThanOrEqual(Math.min(asked, most - 2 * Math.floor(most / 20)));
          for (const one of servers) await one.close();
          served += await servedOf(meter(), key, 90);
          expect(served).toBe(most);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('a limit of bytes', () => {
  it('leaves to other servers what a refusal or nothing came of', async () => {
    nowMs = noon;
    const key = keyWith({ dailyBytes: 1000 });
    const [one, other] = [meter(), meter()];
    await one.bytes(key, 300);
    await expect(one.bytes(key, 900)).rejects.toMatchObject({ details: { spent: 300, asked: 900 } });
    const takeBack = await other.bytes(key, 700);
    takeBack();
    await expect.poll(() => place.record.keys.taken(key.id, 'bytes', '2026-01-01T00:00:00.000Z')).toBe(300);
    await one.bytes(key, 700);
    await expect(other.bytes(key, 1)).rejects.toMatchObject({ code: 'quota-exceeded' });
  });

  it('is never passed and used up at last, whoever asks, is refused and takes back at once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 800 }), fc.boolean()), { minLength: 1, maxLength: 12 }),
        fc.nat(),
        async (asks, seed) => {
          const key = keyWith({ dailyBytes: 1000 }, `key:b-${seed}-${asks.join('-')}`);
          const servers = [meter(), meter(), meter()];
          let held = 0;
          const ask = async ([at, amount, isKept]: (typeof asks)[number]): Promise<void> => {
            const takeBack = await servers[at]?.bytes(key, amount).catch(() => undefined);
            if (!takeBack) return;
            held += amount;
            expect(held).toBeLessThanOrEqual(1000);
            if (isKept) return;
            held -= amount;
            takeBack();
          };
          await Promise.all(asks.map(ask));
          for (const one of servers) await one.close();
          expect(await place.record.keys.taken(key.id, 'bytes', '2026-01-01T00:00:00.000Z')).toBe(held);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('counts before, takes back what came to nothing, and holds over restarts', async () => {
    nowMs = noon;
    const key = keyWith({ dailyBytes: 1000 });
    const counted = meter();
    const all = await Promise.allSettled(Array.from({ length: 50 }, () => counted.bytes(key, 90)));
    const begun = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(begun).toHaveLength(11);
    for (const takeBack of begun.slice(0, 5)) {
      takeBack();
      takeBack();
    }
    await counted.bytes(key, 460);
    await expect(counted.bytes(key, 1)).rejects.toMatchObject({
      code: 'quota-exceeded',
      message: expect.stringMatching(/1000 bytes of documents a day; 0 are left.*--daily-bytes, KEY_DAILY_BYTES/u),
    });
    await place.reopen();
    await expect(meter().bytes(key, 1)).rejects.toMatchObject({ code: 'quota-exceeded' });
    nowMs += 86_400_000;
    await expect(meter().bytes(key, 1000)).resolves.toBeInstanceOf(Function);
  });
});
