// Whose turn it is: nobody is kept out by the number of another's requests, and the limits hold whatever happens.
import { describe, expect, it } from 'vitest';
import { seeded } from '../../../packages/readers/testkit/mutate.ts';
import { createAdmission as createReal, type Place } from '../../../src/http/hardening/admission.ts';

/** Who still waits when a test has ended is refused after it for having waited too long: nobody is left to hear it, and other tests run in this process. */
const createAdmission: typeof createReal = (...of) => {
  const admission = createReal(...of);
  const enter: typeof admission.enter = (...who) => {
    const place = admission.enter(...who);
    return {
      ...place,
      begin: (signal) => {
        const begun = place.begin(signal);
        begun.catch(() => undefined);
        return begun;
      },
    };
  };
  return { ...admission, enter };
};

const caller = (tenant: string, principal = tenant) => ({ tenant, principal });
const never = new AbortController().signal;

describe('admission', () => {
  it('lets so many begin, so many wait, and refuses the rest before they begin', async () => {
    const { enter } = createAdmission({ atOnce: 2, waiting: 3 });
    const begun: number[] = [];
    const places = Array.from({ length: 5 }, () => enter(caller('a')));
    const turns = places.map((place, at) =>
      place.begin(never).then(
        () => begun.push(at),
        () => undefined,
      ),
    );
    expect(() => enter(caller('a'))).toThrow(expect.objectContaining({ code: 'rate-limited' }));
    await Promise.all(turns.slice(0, 2));
    expect(begun).toEqual([0, 1]);
    places[0]?.leave();
    places[0]?.leave();
    await turns[2];
    expect(begun).toEqual([0, 1, 2]);
    for (const place of places) place.leave();
    await expect(enter(caller('b')).begin(never)).resolves.toBeUndefined();
  });

  it('gives tenants their turn one after the other, and keys within a tenant', async () => {
    const { enter } = createAdmission({ atOnce: 1, waiting: 100 }, () => 0);
    const order: string[] = [];
    const first = enter(caller('noisy', 'x'));
    await first.begin(never);
    const ask = async (tenant: string, principal: string): Promise<void> => {
      const place = enter(caller(tenant, principal));
      await place.begin(never);
      order.push(principal);
      place.leave();
    };
    const asked = [
      ...Array.from({ length: 4 }, () => ask('noisy', 'x')),
      ...Array.from({ length: 2 }, () => ask('noisy', 'y')),
      ...Array.from({ length: 2 }, () => ask('quiet', 'q')),
    ];
    first.leave();
    await Promise.all(asked);
    expect(order).toEqual(['q', 'y', 'q', 'x', 'y', 'x', 'x', 'x']);
  });

  it('lets who asks seldom go before who asks without end, and nobody save up', async () => {
    let nowMs = 0;
    const { enter } = createAdmission({ atOnce: 2, waiting: 100, creditMs: 500 }, () => nowMs);
    const running: { readonly tenant: string; readonly place: Place }[] = [];
    const begun: string[] = [];
    const ask = (tenant: string): void => {
      const place = enter(caller(tenant));
      void place.begin(never).then(
        () => {
          begun.push(tenant);
          running.push({ tenant, place });
        },
        () => undefined,
      );
    };
    /** The first that began is worked on alone: whoever asks without end asks again. */
    const work = async (ms: number): Promise<void> => {
      const one = running.shift();
      nowMs += ms;
      one?.place.leave();
      if (one && one.tenant !== 'quiet') ask(one.tenant);
      for (let turns = 0; turns < 40; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    };
    for (let count = 0; count < 20; count += 1) ask('noisy');
    await work(0);
    for (let count = 0; count < 40; count += 1) await work(25);
    // Three at once go one after another, each alone: nothing of the other is begun between or beside them.
    begun.length = 0;
    for (let count = 0; count < 3; count += 1) ask('quiet');
    for (let count = 0; count < 6; count += 1) await work(25);
    expect(begun.slice(0, 4)).toEqual(['quiet', 'quiet', 'quiet', 'noisy']);
    // Another that asks without end has no more than the credit of it, then they share.
    begun.length = 0;
    for (let count = 0; count < 20; count += 1) ask('other');
    for (let count = 0; count < 200; count += 1) await work(25);
    const later = begun.slice(-100).filter((tenant) => tenant === 'other').length;
    expect(begun.slice(0, 44)).toContain('noisy');
    expect(later).toBeGreaterThanOrEqual(45);
    expect(later).toBeLessThanOrEqual(55);
  });

  it('takes the place of who has most for who has less, never the other way round', async () => {
    const { enter } = createAdmission({ atOnce: 1, waiting: 4 });
    const running = enter(caller('noisy'));
    await running.begin(never);
    const waiting = Array.from({ length: 4 }, () => enter(caller('noisy')));
    const outcomes = waiting.slice(0, 3).map((place) =>
      place.begin(never).then(
        () => 'begun',
        ({ code }) => code as string,
      ),
    );
    const quiet = [enter(caller('quiet'))];
    // The newest gave way: its body was still being read.
    await expect(waiting[3]?.begin(never)).rejects.toMatchObject({ code: 'rate-limited' });
    expect(() => enter(caller('noisy'))).toThrow('Try again');
    quiet.push(enter(caller('quiet')));
    expect(await outcomes[2]).toBe('rate-limited');
    expect(() => enter(caller('quiet'))).toThrow('Try again');
    const third = enter(caller('third')).begin(never);
    running.leave();
    await third;
  });

  it('lets no request keep a place whose body does not end, of the same key neither', async () => {
    const settings = { atOnce: 1, waiting: 2 };
    const silent = createAdmission({ ...settings, bodyMs: 0 });
    const unread = Array.from({ length: 3 }, () => silent.enter(caller('a')));
    const next = silent.enter(caller('a'));
    await expect(next.begin(never)).resolves.toBeUndefined();
    await expect(unread[0]?.begin(never)).rejects.toMatchObject({ code: 'rate-limited' });
    // What has its body waits for its turn, and keeps its place.
    const waits = unread.slice(1).map((place) => place.begin(never));
    expect(() => silent.enter(caller('a'))).toThrow(expect.objectContaining({ code: 'rate-limited' }));
    next.leave();
    await waits[0];
    unread[1]?.leave();
    await waits[1];
    unread[2]?.leave();
    await waits[1];
    // A body that has had no time yet is none that does not end.
    const quick = createAdmission({ ...settings, bodyMs: 60_000 });
    for (let count = 0; count < 3; count += 1) quick.enter(caller('a'));
    expect(() => quick.enter(caller('a'))).toThrow(expect.objectContaining({ code: 'rate-limited' }));
  });

  it('ends the wait of who has gone and of who waited for too long', async () => {
    const { enter } = createAdmission({ atOnce: 1, waiting: 4, patienceMs: 10 });
    await enter(caller('a')).begin(never);
    const gone = new AbortController();
    const left = enter(caller('b')).begin(gone.signal);
    gone.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    await expect(enter(caller('b')).begin(never)).rejects.toMatchObject({ code: 'rate-limited' });
  });

  it('works on others while one waits for a model, or has had its turn', async () => {
    const { enter } = createAdmission({ atOnce: 1, waiting: 4, turnMs: 5, underWay: 4 });
    const slow = enter(caller('a'));
    await slow.begin(never);
    slow.pause(true);
    const second = enter(caller('a'));
    await second.begin(never);
    // It is never paused: the third begins when its turn has ended.
    await enter(caller('a')).begin(never);
    slow.pause(false);
    enter(caller('a'));
    expect(() => enter(caller('b'))).toThrow('Try again');
  });

  it('keeps its limits and forgets nobody, in any order of events', async () => {
    const random = seeded(20_261_123);
    for (let round = 0; round < 50; round += 1) {
      const limits = { atOnce: 1 + Math.floor(random() * 4), waiting: Math.floor(random() * 6), patienceMs: 60_000 };
      const { enter } = createAdmission({ ...limits, turnMs: 60_000 });
      const running = new Set<Place>();
      let most = 0;
      let settled = 0;
      let asked = 0;
      for (let step = 0; step < 200; step += 1) {
        const [some] = running;
        if (some && random() < 0.4) {
          running.delete(some);
          some.leave();
        } else {
          asked += 1;
          try {
            const place = enter(caller(`t${Math.floor(random() * 3)}`, `p${Math.floor(random() * 2)}`));
            place.begin(never).then(
              () => {
                running.add(place);
                most = Math.max(most, running.size);
                settled += 1;
              },
              () => (settled += 1),
            );
          } catch {
            settled += 1;
          }
        }
        if (random() < 0.5) await new Promise((resolve) => setImmediate(resolve));
      }
      while (settled < asked) {
        for (const place of running) place.leave();
        running.clear();
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(most).toBeLessThanOrEqual(limits.atOnce);
    }
  });
});
