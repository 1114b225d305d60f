// The ledger with a clock of its own and a record in memory: limits hold on every level whatever comes together or in turn, days turn
// over, nothing settled is lost, and what a failing record refused is written later.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RequestBudget, Reservation, Spending } from '../../../src/core/budget.ts';
import { FootnoteError } from '../../../src/core/errors.ts';
import type { Scope } from '../../../src/core/scope.ts';
import type { SpendingTotals } from '../../../src/core/spending.ts';
import type { SpendingEntry, SpendingRepository } from '../../../src/db/repositories/spending.ts';
import { createSpendingLedger, type SpendingLimits } from '../../../src/models/money/spending-ledger.ts';

const noLimits: SpendingLimits = { request: {}, session: {}, keyDay: {}, day: {} };
const scopeOf = (id: string, tenant = 'default', role: Scope['principal']['role'] = 'reader'): Scope => ({
  tenant,
  principal: { id, role, groups: [] },
});
const anna = scopeOf('key:anna');
const bert = scopeOf('key:bert');
const one: Spending = { calls: 1, inputTokens: 10, outputTokens: 5, costUsd: 0.25 };
const nothing = { calls: -1, inputTokens: 0, outputTokens: 0, costUsd: 0 };
const zero: SpendingTotals = { calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0, unpricedCalls: 0 };

interface Row extends SpendingEntry {
  readonly tenant: string;
  readonly principal: string;
}

/** A record in memory; `fail` makes writes throw. */
function memoryRecord() {
  const rows: Row[] = [];
  const state = { fail: false, reads: 0, writes: 0 };
  const sum = (kept: readonly Row[]): SpendingTotals =>
    kept.reduce<SpendingTotals>(
      (total, row) => ({
        calls: total.calls + row.calls,
        inputTokens: total.inputTokens + row.inputTokens,
        outputTokens: total.outputTokens + row.outputTokens,
        costUsd: total.costUsd + row.costUsd,
        unpricedCalls: total.unpricedCalls + row.unpricedCalls,
      }),
      zero,
    );
  const repositoryOf = ({ tenant, principal }: Scope): SpendingRepository => ({
    async add(entries) {
      state.writes += 1;
      await Promise.resolve();
      if (state.fail) throw new FootnoteError('storage-full', 'The disk is full.');
      rows.push(...entries.map((entry) => ({ ...entry, tenant, principal: principal.id })));
    },
    async total(window) {
      state.reads += 1;
      await Promise.resolve();
      return sum(
        rows.filter(
          (row) =>
            row.tenant === tenant &&
            (window.of === 'tenant' || row.principal === principal.id) &&
            (window.of === 'session' ? row.sessionId === window.sessionId : row.day === window.day),
        ),
      );
    },
    usage: () => Promise.reject(new Error('not asked here')),
  });
  return { rows, state, sum, repositoryOf };
}

function setUp(limits: Partial<SpendingLimits> = {}, record = memoryRecord()) {
  let now = '2026-11-22T23:00:00.000Z';
  const due: (() => void)[] = [];
  const ledger = createSpendingLedger({
    limits: { ...noLimits, ...limits },
    repositoryOf: record.repositoryOf,
    clock: { now: () => now },
    schedule(work) {
      due.push(work);
      return { cancel: () => void due.splice(due.indexOf(work), due.includes(work) ? 1 : 0) };
    },
  });
  return {
    ledger,
    record,
    due,
    setTime: (time: string) => {
      now = time;
    },
  };
}

const codeOf = (work: () => unknown): string => {
  try {
    work();
    return 'no error';
  } catch (error) {
    return error instanceof FootnoteError ? error.code : String(error);
  }
};
const errorOf = (work: () => unknown): FootnoteError => {
  try {
    work();
  } catch (error) {
    return error as FootnoteError;
  }
  throw new Error('nothing was thrown');
};

describe('levels', () => {
  it('are the request, its session, its key and its tenant; each refuses for itself and takes nothing then', async () => {
    const { ledger } = setUp({ request: { calls: 9 }, session: { calls: 2 }, keyDay: { calls: 3 }, day: { calls: 4 } });
    const inSession = await ledger.budgetFor({ scope: anna, sessionId: 's1' });
    inSession.reserve(one).settle(one);
    inSession.reserve(one).settle(one);
    expect(errorOf(() => inSession.reserve(one)).details).toEqual({
      budget: 'this session',
      kind: 'calls',
      limit: 2,
      spent: 2,
      asked: 1,
      setting: 'BUDGET_SESSION',
    });
    const alone = await ledger.budgetFor({ scope: anna });
    alone.reserve(one).settle(one);
    const spentKey = errorOf(() => alone.reserve(one));
    expect(spentKey.details).toMatchObject({ budget: 'this key today', limit: 3, opensAt: '2026-11-23T00:00:00.000Z' });
    expect(spentKey.message).toContain('2026-11-23T00:00:00.000Z');
    expect(spentKey.message).toContain('BUDGET_KEY_DAY');
    const other = await ledger.budgetFor({ scope: bert });
    other.reserve(one).settle(one);
    expect(errorOf(() => other.reserve(one)).details['setting']).toBe('BUDGET_DAY');
    // What a lower level refused did not fill the ones above: four calls were made, and four are counted.
    const admin = scopeOf('key:root', 'default', 'admin');
    expect((await ledger.standing(admin)).map(({ name, spent }) => [name, spent.calls])).toEqual([
      ['this key today', 0],
      ['this tenant today', 4],
    ]);
    expect((await ledger.standing(anna)).map(({ name, spent }) => [name, spent.calls])).toEqual([
      ['this key today', 3],
    ]);
    // The tenant refused after the key had room: nothing of it stays with the key.
    expect((await ledger.standing(bert)).map(({ spent }) => spent.calls)).toEqual([1]);
    const elsewhere = await ledger.budgetFor({ scope: scopeOf('key:anna', 'elsewhere'), sessionId: 's1' });
    expect(codeOf(() => elsewhere.reserve(one))).toBe('no error');
  });

  it('a session of one caller is not that of another who uses the same id', async () => {
    const { ledger } = setUp({ session: { calls: 1 } });
    (await ledger.budgetFor({ scope: anna, sessionId: 's1' })).reserve(one);
    const other = await ledger.budgetFor({ scope: bert, sessionId: 's1' });
    expect(codeOf(() => other.reserve(one))).toBe('no error');
    expect(codeOf(() => other.reserve(one))).toBe('quota-exceeded');
  });

  it('without a limit are neither read nor kept in memory', async () => {
    const { ledger, record } = setUp({ request: { calls: 2 } });
    const budget = await ledger.budgetFor({ scope: anna, sessionId: 's1' });
    budget.reserve(one).settle(one);
    await budget.close();
    expect(record.state.reads).toBe(0);
    expect(record.rows).toHaveLength(1);
  });

  it('money is not spent where no price is known, and such calls are counted apart where it is not limited', async () => {
    const limited = setUp({ day: { costUsd: 1 } });
    const strict = await limited.ledger.budgetFor({ scope: anna });
    expect(codeOf(() => strict.reserve({ ...one, costUsd: undefined }))).toBe('config-invalid');
    const free = setUp();
    const budget = await free.ledger.budgetFor({ scope: anna });
    budget.reserve(one).settle({ ...one, costUsd: undefined });
    budget.reserve(one).settle(one);
    expect(budget.took()).toEqual({ calls: 2, inputTokens: 20, outputTokens: 10, costUsd: 0.25, unpricedCalls: 1 });
  });
});

describe('together', () => {
  it('200 requests at once never pass a limit, and all that fits is served', async () => {
    const { ledger, record } = setUp({ day: { calls: 120 }, keyDay: { calls: 70 } });
    const budgets = await Promise.all(
      Array.from({ length: 200 }, (_, index) => ledger.budgetFor({ scope: index % 2 === 0 ? anna : bert })),
    );
    // One read for each window, however many asked for it.
    expect(record.state.reads).toBe(3);
    const ended = await Promise.all(
      budgets.map(async (budget, index) => {
        if (index % 3 === 0) await Promise.resolve();
        try {
          const reservation = budget.reserve(one, { model: 'openai:a' });
          await Promise.resolve();
          reservation.settle(one);
          return 'served';
        } catch (error) {
          return (error as FootnoteError).code;
        } finally {
          await budget.close();
        }
      }),
    );
    expect(ended.filter((end) => end === 'served')).toHaveLength(120);
    expect(ended.filter((end) => end === 'quota-exceeded')).toHaveLength(80);
    expect(record.sum(record.rows).calls).toBe(120);
    for (const id of ['key:anna', 'key:bert'])
      expect(record.sum(record.rows.filter(({ principal }) => principal === id)).calls).toBeLessThanOrEqual(70);
  });

  it('what is reserved counts until it is settled', async () => {
    const { ledger } = setUp({ day: { outputTokens: 1000 } });
    const [first, second] = [await ledger.budgetFor({ scope: anna }), await ledger.budgetFor({ scope: bert })];
    const open = first.reserve({ ...one, outputTokens: 900 });
    expect(codeOf(() => second.reserve({ ...one, outputTokens: 200 }))).toBe('quota-exceeded');
    open.settle({ ...one, outputTokens: 100 });
    open.settle({ ...one, outputTokens: 900 });
    expect(codeOf(() => second.reserve({ ...one, outputTokens: 900 }))).toBe('no error');
  });
});

describe('days', () => {
  it('turn over at midnight UTC; a request counts to the day on which it began', async () => {
    const { ledger, record, setTime } = setUp({ day: { calls: 2 } });
    const before = await ledger.budgetFor({ scope: anna });
    before.reserve(one).settle(one);
    setTime('2026-11-23T00:00:00.000Z');
    const after = await ledger.budgetFor({ scope: anna });
    before.reserve(one).settle(one);
    after.reserve(one).settle(one);
    expect(codeOf(() => before.reserve(one))).toBe('quota-exceeded');
    expect(codeOf(() => after.reserve(one))).toBe('no error');
    await Promise.all([before.close(), after.close()]);
    const callsOf = (day: string): number => record.sum(record.rows.filter((row) => row.day === day)).calls;
    expect(['2026-11-22', '2026-11-23'].map(callsOf)).toEqual([2, 1]);
  });

  it('that come back with a clock set wrong are what they were', async () => {
    const { ledger, setTime } = setUp({ day: { calls: 2 } });
    const spend = async (): Promise<string> => {
      const budget = await ledger.budgetFor({ scope: anna });
      const code = codeOf(() => budget.reserve(one).settle(one));
      await budget.close();
      return code;
    };
    expect([await spend(), await spend(), await spend()]).toEqual(['no error', 'no error', 'quota-exceeded']);
    setTime('2027-06-01T12:00:00.000Z');
    expect(await spend()).toBe('no error');
    setTime('2026-11-22T00:00:00.000Z');
    expect(await spend()).toBe('quota-exceeded');
    setTime('2026-11-21T23:59:59.999Z');
    expect(await spend()).toBe('no error');
  });
});

describe('what was settled', () => {
  it('is written when its request ends, told apart by role and model, and summed where both are the same', async () => {
    const { ledger, record } = setUp();
    const budget = await ledger.budgetFor({ scope: anna, sessionId: 's1' });
    const judge = budget.forRole('judge');
    budget.forRole('answer').reserve(one, { model: 'openai:a' }).settle(one);
    judge.reserve(one, { model: 'openai:b' }).settle(one);
    judge.reserve(one, { model: 'openai:b' }).settle({ calls: 1, inputTokens: 1, outputTokens: 1, costUsd: 0 });
    expect(budget.took('judge')).toMatchObject({ calls: 2, inputTokens: 11 });
    expect(budget.took()).toMatchObject({ calls: 3, costUsd: 0.5 });
    expect(budget.took('router')).toEqual(zero);
    expect(budget.spent().calls).toBe(3);
    expect(record.rows).toEqual([]);
    await budget.close();
    expect(record.rows.map(({ role, model, sessionId, calls }) => [role, model, sessionId, calls])).toEqual([
      ['answer', 'openai:a', 's1', 1],
      ['judge', 'openai:b', 's1', 2],
    ]);
    expect(codeOf(() => judge.reserve(one))).toBe('cancelled');
  });

  it('is written a second after the call while its request goes on', async () => {
    const { ledger, record, due } = setUp();
    const budget = await ledger.budgetFor({ scope: anna });
    expect(due).toHaveLength(0);
    budget.reserve(one).settle(one);
    budget.reserve(one).settle(one);
    expect(due).toHaveLength(1);
    due[0]?.();
    await ledger.flush();
    expect(record.rows).toMatchObject([{ calls: 2 }]);
    expect(record.state.writes).toBe(1);
  });

  it('after its request ended is written too', async () => {
    const { ledger, record } = setUp({ day: { calls: 5 } });
    const budget = await ledger.budgetFor({ scope: anna });
    const late = budget.reserve(one);
    await budget.close();
    late.settle(one);
    await ledger.close();
    expect(record.rows).toMatchObject([{ calls: 1 }]);
  });

  it('is waited for until the last call is settled, or until patience ends', async () => {
    const { ledger, due } = setUp();
    const budget = await ledger.budgetFor({ scope: anna });
    await budget.settled(100);
    expect(due).toEqual([]);
    const [first, second] = [budget.reserve(one), budget.reserve(one)];
    const ended: string[] = [];
    const all = budget.settled(100).then(() => ended.push('all'));
    first.settle(one);
    first.settle(one);
    await Promise.resolve();
    expect(ended).toEqual([]);
    second.settle(one);
    await all;
    await budget.close();
    // Neither patience nor writing is left over.
    expect(due).toEqual([]);
    const next = await ledger.budgetFor({ scope: anna });
    next.reserve(one);
    const given = next.settled(100).then(() => ended.push('gave up'));
    expect(due).toHaveLength(1);
    due[0]?.();
    await given;
    expect(ended).toEqual(['all', 'gave up']);
    expect(next.took().calls).toBe(0);
  });

  it('of indexing is bound by the limits of the day and not by those of requests', async () => {
    const { ledger, record } = setUp({ request: { calls: 1 }, day: { calls: 3 } });
    const indexing = await ledger.budgetFor({ scope: anna, isIndexing: true });
    for (let call = 0; call < 3; call++) indexing.reserve(one, { role: 'embed' }).settle(one);
    expect(errorOf(() => indexing.reserve(one)).details['budget']).toBe('this tenant today');
    await indexing.close();
    expect(record.rows).toMatchObject([{ role: 'embed', calls: 3 }]);
  });

  it('is in the sum of a session that was forgotten meanwhile', async () => {
    const { ledger, record } = setUp({ session: { calls: 2 } });
    const session = async (sessionId: string): Promise<RequestBudget> => ledger.budgetFor({ scope: anna, sessionId });
    const first = await session('first');
    first.reserve(one).settle(one);
    const late = first.reserve(one);
    await first.close();
    late.settle(one);
    const { reads } = record.state;
    for (let other = 0; other < 1001; other++) await (await session(`other ${other}`)).close();
    const again = await session('first');
    expect(record.state.reads).toBe(reads + 1002);
    expect(codeOf(() => again.reserve(one))).toBe('quota-exceeded');
  });

  it('is kept while the record refuses it, told to who waits, and counted on', async () => {
    const { ledger, record, due } = setUp({ day: { calls: 2 } });
    const budget = await ledger.budgetFor({ scope: anna });
    budget.reserve(one).settle(one);
    record.state.fail = true;
    await expect(budget.close()).rejects.toMatchObject({ code: 'storage-full' });
    expect(record.rows).toEqual([]);
    const next = await ledger.budgetFor({ scope: anna });
    next.reserve(one).settle(one);
    expect(codeOf(() => next.reserve(one))).toBe('quota-exceeded');
    // The next try by itself fails as well and troubles nobody.
    expect(due).toHaveLength(1);
    due[0]?.();
    await Promise.allSettled([ledger.flush()]);
    record.state.fail = false;
    await ledger.close();
    expect(record.sum(record.rows)).toEqual({
      calls: 2,
      inputTokens: 20,
      outputTokens: 10,
      costUsd: 0.5,
      unpricedCalls: 0,
    });
  });

  it('is in the sums of windows that open while the record refuses it, once and where it belongs', async () => {
    const { ledger, record, due } = setUp({ session: { calls: 1 }, keyDay: { calls: 3 }, day: { calls: 4 } });
    const first = await ledger.budgetFor({ scope: anna, sessionId: 's1' });
    record.state.fail = true;
    first.reserve(one).settle(one);
    await expect(first.close()).rejects.toMatchObject({ code: 'storage-full' });
    // Windows of this process that nobody has opened yet: another session, another key, the tenant as its admin sees it.
    const second = await ledger.budgetFor({ scope: anna, sessionId: 's2' });
    second.reserve(one).settle(one);
    expect(codeOf(() => second.reserve(one))).toBe('quota-exceeded');
    await expect(second.close()).rejects.toMatchObject({ code: 'storage-full' });
    for (let other = 0; other < 1001; other++)
      await (await ledger.budgetFor({ scope: anna, sessionId: `other ${other}` })).close();
    const again = await ledger.budgetFor({ scope: anna, sessionId: 's1' });
    expect(codeOf(() => again.reserve(one))).toBe('quota-exceeded');
    const other = await ledger.budgetFor({ scope: bert, sessionId: 's1' });
    other.reserve(one).settle(one);
    await expect(other.close()).rejects.toMatchObject({ code: 'storage-full' });
    record.state.fail = false;
    for (const work of due) work();
    await ledger.close();
    expect(record.sum(record.rows)).toMatchObject({ calls: 3, costUsd: 0.75 });
  });

  it('is what the next process begins with', async () => {
    const record = memoryRecord();
    const limits = { session: { calls: 3 }, keyDay: { inputTokens: 100 }, day: { costUsd: 1 } };
    const first = setUp(limits, record);
    const budget = await first.ledger.budgetFor({ scope: anna, sessionId: 's1' });
    for (let call = 0; call < 3; call++) budget.reserve(one).settle(one);
    await budget.close();
    await first.ledger.close();
    const second = setUp(limits, record);
    const again = await second.ledger.budgetFor({ scope: anna, sessionId: 's1' });
    expect(errorOf(() => again.reserve(one)).details).toMatchObject({ budget: 'this session', spent: 3 });
    const alone = await second.ledger.budgetFor({ scope: anna });
    alone.reserve(one).settle(one);
    expect(errorOf(() => alone.reserve(one)).details).toMatchObject({ budget: 'this tenant today', kind: 'costUsd' });
  });
});

// A model of one process: requests of two keys in sessions or not reserve, settle for anything up to what they reserved, end, and
// the process is started anew in between.
describe('any sequence', () => {
  const amount = fc.record({
    calls: fc.constant(1),
    inputTokens: fc.nat(60),
    outputTokens: fc.nat(40),
    costUsd: fc.nat(30).map((cents) => cents / 100),
  });
  const step = fc.oneof(
    { weight: 9, arbitrary: fc.record({ do: fc.constant('reserve' as const), at: fc.nat(20), most: amount }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('settle' as const), at: fc.nat(20), share: fc.nat(100) }) },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant('begin' as const), who: fc.nat(1), session: fc.nat(2), day: fc.nat(9) }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('end' as const), at: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
  );
  const limits: SpendingLimits = {
    request: { calls: 5, outputTokens: 150 },
    session: { calls: 6, inputTokens: 250 },
    keyDay: { costUsd: 1.2, calls: 9 },
    day: { costUsd: 2, outputTokens: 300 },
  };
  const days = ['2026-11-22', '2026-11-23'];
  const people = [anna, bert];

  /** One call as the levels must have it: what it reserved, until it is settled for what it took. */
  interface Call {
    readonly who: number;
    readonly day: string;
    readonly sessionId: string | undefined;
    amount: Spending;
    isSettled: boolean;
  }
  const spentOf = (calls: readonly Call[]): Record<keyof Spending, number> => ({
    calls: calls.length,
    inputTokens: calls.reduce((sum, { amount }) => sum + amount.inputTokens, 0),
    outputTokens: calls.reduce((sum, { amount }) => sum + amount.outputTokens, 0),
    costUsd: calls.reduce((sum, { amount }) => sum + (amount.costUsd ?? 0), 0),
  });
  const rounded = (spent: Readonly<Record<keyof Spending, number>>) => ({
    ...spent,
    costUsd: Math.round(spent.costUsd * 1e6) / 1e6,
  });

  it('passes no limit, holds on every level exactly what was reserved and settled, and loses nothing that was settled', async () => {
    const reached = { refused: new Set<unknown>(), calls: 0, restarts: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 120 }), async (steps) => {
        const record = memoryRecord();
        let { ledger, setTime } = setUp(limits, record);
        let today = days[0] ?? '';
        setTime(`${today}T12:00:00.000Z`);
        let calls: Call[] = [];
        let running: { budget: RequestBudget; facts: Pick<Call, 'who' | 'day' | 'sessionId'> }[] = [];
        let open: { reservation: Reservation; call: Call }[] = [];
        for (const one of steps) {
          if (one.do === 'begin') {
            // Days turn over rarely: what is to be full must have time to fill.
            today = days[one.day === 9 ? 1 : 0] ?? '';
            setTime(`${today}T12:00:00.000Z`);
            const sessionId = one.session === 0 ? undefined : `s${one.session}`;
            const scope = people[one.who] ?? anna;
            const budget = await ledger.budgetFor({ scope, ...(sessionId !== undefined && { sessionId }) });
            running.push({ budget, facts: { who: one.who, day: today, sessionId } });
          } else if (one.do === 'reserve') {
            const request = running[one.at % Math.max(1, running.length)];
            if (!request) continue;
            try {
              const reservation = request.budget.reserve(one.most);
              const call = { ...request.facts, amount: one.most, isSettled: false };
              calls.push(call);
              open.push({ reservation, call });
              reached.calls += 1;
            } catch (error) {
              expect((error as FootnoteError).code).toBe('quota-exceeded');
              reached.refused.add((error as FootnoteError).details['budget']);
            }
          } else if (one.do === 'settle') {
            const [chosen] = open.splice(one.at % Math.max(1, open.length), 1);
            if (!chosen) continue;
            const { amount: most } = chosen.call;
            const part = (whole: number): number => Math.floor((whole * one.share) / 100);
            chosen.call.amount = {
              calls: 1,
              inputTokens: part(most.inputTokens),
              outputTokens: part(most.outputTokens),
              costUsd: part((most.costUsd ?? 0) * 100) / 100,
            };
            chosen.call.isSettled = true;
            chosen.reservation.settle(chosen.call.amount);
          } else if (one.do === 'end') await running.splice(one.at % Math.max(1, running.length), 1)[0]?.budget.close();
          else {
            // What was reserved and not settled is lost with the process; what was settled is not.
            await ledger.close();
            running = [];
            open = [];
            calls = calls.filter(({ isSettled }) => isSettled);
            ({ ledger, setTime } = setUp(limits, record));
            setTime(`${today}T12:00:00.000Z`);
            reached.restarts += 1;
          }
          const ofDay = calls.filter(({ day }) => day === today);
          for (const [who, { principal }] of people.entries()) {
            const [key, tenant] = await ledger.standing(scopeOf(principal.id, 'default', 'admin'));
            expect(rounded(key?.spent ?? nothing)).toEqual(rounded(spentOf(ofDay.filter((call) => call.who === who))));
            expect(rounded(tenant?.spent ?? nothing)).toEqual(rounded(spentOf(ofDay)));
          }
          const within = (level: keyof SpendingLimits, spent: Readonly<Record<keyof Spending, number>>): void => {
            for (const [kind, limit] of Object.entries(limits[level]))
              expect(spent[kind as keyof Spending]).toBeLessThanOrEqual(limit + 1e-6);
          };
          within('day', spentOf(ofDay));
          for (const who of people.keys()) {
            within('keyDay', spentOf(ofDay.filter((call) => call.who === who)));
            for (const session of ['s1', 's2'])
              within('session', spentOf(calls.filter((call) => call.who === who && call.sessionId === session)));
          }
          for (const { budget } of running) within('request', budget.spent());
        }
        await ledger.close();
        const settled = calls.filter(({ isSettled }) => isSettled);
        expect(rounded(record.sum(record.rows))).toEqual({ ...rounded(spentOf(settled)), unpricedCalls: 0 });
      }),
      { numRuns: 150 },
    );
    // The sequences were such that each level refused something.
    expect(new Set(reached.refused)).toEqual(
      new Set(['this key today', 'this request', 'this session', 'this tenant today']),
    );
    expect(reached.calls).toBeGreaterThan(500);
    expect(reached.restarts).toBeGreaterThan(20);
  }, 60_000);
});
