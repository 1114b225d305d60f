// What keys take: many at once, over windows, restarts and kills, never more than their limits.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMeter, type Meter } from '../../src/auth/meter.ts';
import { localScope, type Principal } from '../../src/core/scope.ts';
import type { KeyLimits } from '../../src/core/spending.ts';
import { recordForEachTest } from '../../testkit/record-fixture.ts';

const place = recordForEachTest();
const noon = Date.parse('2026-01-01T12:00:00.000Z');
let nowMs = noon;
const clock = { now: () => new Date(nowMs).toISOString() };
const meter = (usual: KeyLimits = {}): Meter => createMeter({ keys: place.record.keys, clock, usual });
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
