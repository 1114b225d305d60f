// Plans, good and hostile: each is refused or runs to its end, and nothing that was found is lost.
import { describe, expect, it } from 'vitest';
import { checkPlan, type SubQuery } from '../../../src/agent/plan/plan.ts';
import { runPlan } from '../../../src/agent/plan/run-plan.ts';
import { createDeadline } from '../../../src/core/deadline.ts';
import { FootnoteError } from '../../../src/core/errors.ts';
import { systemClock } from '../../../src/core/ids.ts';
import { seededRandom } from '../../../testkit/models/hostile-gallery.ts';

const part = (id: string, ...dependencies: string[]): SubQuery => ({ id, query: `question ${id}`, dependencies });
const check = (...subQueries: SubQuery[]) => checkPlan({ form: 'model', subQueries }, 8);

describe('checkPlan', () => {
  it.each([
    ['a circle', [part('1', '2'), part('2', '1')]],
    ['a part that needs itself', [part('1'), part('2', '2')]],
    ['a gap', [part('1'), part('2', '7')]],
    ['two of one name', [part('1'), part('1')]],
    ['the same question twice', [part('1'), { ...part('2'), query: 'Question 1?' }]],
    ['nine parts', Array.from({ length: 9 }, (_, at) => part(String(at)))],
    ['one part', [part('1')]],
    ['an empty question', [part('1'), { ...part('2'), query: ' ?! ' }]],
    ['a question without end', [part('1'), { ...part('2'), query: 'x '.repeat(900) }]],
    ['a name twice among what it needs', [part('1'), part('2', '1', '1')]],
  ])('refuses %s', (_, subQueries) => {
    expect(check(...subQueries)).toMatchObject({ ok: false });
  });
  it('puts parts behind what they need', () => {
    const checked = check(part('2', '1'), part('3', '2'), part('1'));
    expect(checked.ok && checked.plan.subQueries.map(({ id }) => id)).toEqual(['1', '2', '3']);
  });
});

/** 10,000 plans: ids that clash, edges at random, work that fails, hangs until its share ends, or throws what is no error. */
describe('10,000 random and hostile plans', () => {
  it('are refused, or run to their end with one outcome for each part, in order, never more at once than allowed', async () => {
    const random = seededRandom(7);
    const pick = (below: number): number => Math.floor(random() * below);
    let [accepted, refused, failed] = [0, 0, 0];
    for (let run = 0; run < 10_000; run += 1) {
      const count = 1 + pick(10);
      const subQueries = Array.from({ length: count }, (_, at): SubQuery => {
        const isHostile = random() < 0.05;
        const id = isHostile ? String(pick(count)) : String(at);
        const range = isHostile ? count + 2 : at;
        const dependencies = Array.from({ length: range > 0 ? pick(3) : 0 }, () => String(pick(range)));
        return {
          id,
          query: random() < 0.02 ? '' : `q ${isHostile ? pick(3) : at}`,
          dependencies: [...new Set(dependencies)],
        };
      });
      const checked = checkPlan({ form: 'model', subQueries }, 8);
      if (!checked.ok) {
        refused += 1;
        expect(checked.reason).not.toBe('');
        continue;
      }
      accepted += 1;
      const atOnce = 1 + pick(4);
      let running = 0;
      const ended: string[] = [];
      const fate = new Map(checked.plan.subQueries.map(({ id }) => [id, random()]));
      const outcomes = await runPlan(checked.plan, {
        deadline: createDeadline(60_000),
        clock: systemClock,
        atOnce,
        timeoutMs: 30_000,
        async work({ id, dependencies }, earlier) {
          running += 1;
          expect(running).toBeLessThanOrEqual(atOnce);
          for (const one of dependencies) expect(ended).toContain(one);
          expect(earlier).toHaveLength(dependencies.length);
          const drawn = fate.get(id) ?? 0;
          if (drawn > 0.5) await Promise.resolve();
          running -= 1;
          ended.push(id);
          if (drawn < 0.1) throw new FootnoteError('upstream-unavailable', 'It is down.');
          if (drawn < 0.12) throw new Error('What nobody expected.');
          return id;
        },
      });
      expect(outcomes).toHaveLength(checked.plan.subQueries.length);
      for (const [at, { id }] of checked.plan.subQueries.entries()) {
        const outcome = outcomes[at];
        if ((fate.get(id) ?? 0) >= 0.12) expect(outcome).toEqual({ ok: true, result: id });
        else {
          failed += 1;
          expect(outcome).toMatchObject({ ok: false });
        }
      }
    }
    expect(accepted).toBeGreaterThan(2_000);
    expect(refused).toBeGreaterThan(1_000);
    expect(failed).toBeGreaterThan(500);
  }, 60_000);
});

describe('runPlan', () => {
  const plan = { subQueries: [part('1'), part('2'), part('3', '1')] };
  it('ends a part that hangs with its share, and keeps what others found', async () => {
    const outcomes = await runPlan(plan, {
      deadline: createDeadline(60_000),
      clock: systemClock,
      atOnce: 2,
      timeoutMs: 20,
      work: ({ id }) => (id === '1' ? new Promise<string>(() => undefined) : Promise.resolve(id)),
    });
    expect(outcomes).toMatchObject([{ ok: false, error: { code: 'deadline-exceeded' } }, { ok: true }, { ok: true }]);
  });
  it('leaves its reserve: what hangs ends before the request does, and what waits behind it is told so', async () => {
    let nowMs = 0;
    const deadline = { ...createDeadline(60_000), remainingMs: () => 1_000 - nowMs, check: () => undefined };
    const begun: string[] = [];
    const outcomes = await runPlan(plan, {
      deadline,
      clock: systemClock,
      atOnce: 1,
      timeoutMs: 30_000,
      reserveMs: 990,
      work: ({ id }) => {
        begun.push(id);
        nowMs += 20;
        return new Promise<string>(() => undefined);
      },
    });
    expect(begun).toEqual(['1']);
    expect(outcomes.map((one) => (one.ok ? 'ok' : one.error.code))).toEqual(Array(3).fill('deadline-exceeded'));
    expect(outcomes[2]).toMatchObject({ error: { message: expect.stringContaining('all of the time') } });
  });
  it('throws what ends the request itself', async () => {
    const gone = new AbortController();
    const outcome = runPlan(plan, {
      deadline: createDeadline(60_000, gone.signal),
      clock: systemClock,
      atOnce: 2,
      timeoutMs: 30_000,
      work: async () => {
        gone.abort();
        return new Promise<string>(() => undefined);
      },
    });
    await expect(outcome).rejects.toMatchObject({ code: 'cancelled' });
  });
});
