// Budgets at two servers over one database: however many callers ask at both, no limit is passed, all of it can be spent, and what a server that is
// gone reserved is free again.
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Spending } from '../../../src/core/budget.ts';
import { openPostgresRecord, type PostgresRecord } from '../../../src/db/postgres/postgres-record.ts';
import { createSpendingLedger, type SpendingLimits } from '../../../src/models/money/spending-ledger.ts';
import { openPostgresProxy } from '../../../testkit/postgres/proxy.ts';
import { postgresPrograms } from '../../../testkit/postgres/server.ts';
import { scopeOf } from '../../../testkit/record-fixture.ts';
import { postgresForEachTest } from '../../../testkit/record-suite/place.ts';

const programs = postgresPrograms();
const most: Spending = { calls: 1, inputTokens: 100, outputTokens: 50, costUsd: 0.02 };
const took: Spending = { calls: 1, inputTokens: 80, outputTokens: 20, costUsd: 0.013 };
const clock = { now: () => '2026-11-30T12:00:00.000Z' };
const none = { request: {}, session: {}, keyDay: {}, day: {} };

describe.skipIf(programs === undefined)('budgets at two servers (skipped where no server is installed)', () => {
  const place = postgresForEachTest(programs ?? '');
  const ledgerOf = (record: PostgresRecord, limits: Partial<SpendingLimits>) =>
    createSpendingLedger({
      limits: { ...none, ...limits },
      clock,
      batchId: randomUUID,
      repositoryOf: (scope) => record.forScope(scope).spending,
    });
  type Ledger = ReturnType<typeof ledgerOf>;
  async function withTwo(
    limits: Partial<SpendingLimits>,
    work: (ledgers: readonly [Ledger, Ledger], second: PostgresRecord) => Promise<void>,
  ): Promise<void> {
    const second = await openPostgresRecord(place.address);
    const ledgers = [ledgerOf(place.record, limits), ledgerOf(second, limits)] as const;
    try {
      await work(ledgers, second);
    } finally {
      for (const one of ledgers) await one.close();
      await second.close();
    }
  }

  /** Calls until it is refused; how often it was served. */
  async function spend(ledger: Ledger, principal: string, sessionId?: string): Promise<number> {
    for (let served = 0; ; served++) {
      const scope = scopeOf('default', principal, 'reader');
      const budget = await ledger.budgetFor({ scope, ...(sessionId !== undefined && { sessionId }) });
      try {
        const reservation = budget.reserve(most, { role: 'answer', model: 'test:a' });
        await reservation.held;
        await setTimeout(Math.random() * 5);
        reservation.settle(took);
      } catch (error) {
        expect(error).toMatchObject({ code: 'quota-exceeded' });
        return served;
      } finally {
        await budget.close();
      }
    }
  }
  const spendAll = async (ledgers: readonly [Ledger, Ledger], of: (caller: number) => readonly [string, string?]) => {
    const callers = Array.from({ length: 8 }, (_, at) => spend(ledgers[at % 2 ? 1 : 0], ...of(at)));
    return (await Promise.all(callers)).reduce((sum, one) => sum + one, 0);
  };

  it.each([
    ['of a tenant in a day', { day: { calls: 60 } }, (at: number) => [`key:${at}`] as const],
    ['of a key in a day', { keyDay: { calls: 60 } }, () => ['key:a'] as const],
    ['of a session', { session: { calls: 60 } }, () => ['key:a', 'talk'] as const],
  ])('never pass a limit %s with eight callers, and spend all of it', (_, limits, of) =>
    withTwo(limits, async (ledgers) => {
      expect(await spendAll(ledgers, of)).toBe(60);
      const scope = scopeOf('default', 'key:a', 'reader');
      const { sessionId, day } = { sessionId: 'talk', day: clock.now().slice(0, 10) };
      const total = 'session' in limits ? ({ of: 'session', sessionId } as const) : ({ of: 'tenant', day } as const);
      expect(await place.record.forScope(scope).spending.total(total)).toMatchObject({ calls: 60, inputTokens: 4800 });
      expect(await place.run('SELECT 1 FROM model_reservation')).toEqual([]);
    }),
  );

  it('never pass dollars, and leave less than a call may cost', () =>
    withTwo({ day: { costUsd: 0.5 } }, async (ledgers) => {
      await spendAll(ledgers, (at) => [`key:${at}`]);
      const admin = scopeOf();
      for (const one of ledgers) {
        const [standing] = await one.standing(admin);
        expect(standing?.spent.costUsd).toBeLessThanOrEqual(0.5);
        // Eight callers may each have held what one of them would have been refused for.
        expect(standing?.spent.costUsd).toBeGreaterThan(0.5 - 8 * 0.02);
      }
    }));

  it('add what was spent once, where nobody knew whether it was added', async () => {
    const proxy = await openPostgresProxy(place.address);
    const record = await openPostgresRecord(proxy.address);
    const ledger = ledgerOf(record, {});
    const spendOnce = async (): Promise<void> => {
      const budget = await ledger.budgetFor({ scope: scopeOf() });
      budget.reserve(most, { role: 'answer', model: 'test:a' }).settle(took);
      await budget.close();
    };
    const calls = async () => (await place.run('SELECT sum(calls)::int AS calls FROM model_spending'))[0];
    for (const [at, how] of (['after-commit', 'before-commit', 'after-commit'] as const).entries()) {
      proxy.cut(how);
      await expect(spendOnce()).rejects.toMatchObject({ details: { outcome: 'unknown' } });
      await expect(spendOnce()).rejects.toMatchObject({ code: 'storage-busy' });
      proxy.mend();
      await spendOnce();
      expect(await calls()).toEqual({ calls: 3 * (at + 1) });
    }
    await ledger.close();
    expect(await calls()).toEqual({ calls: 9 });
    await record.close();
    await proxy.close();
  });

  it('tell how they stand with what the other server spends and holds, and free what a dead one held', () =>
    withTwo({ day: { calls: 3 } }, async ([one, other], second) => {
      await second.join({ version: 'test' });
      const scope = scopeOf();
      const [here, there] = [await one.budgetFor({ scope }), await other.budgetFor({ scope })];
      const first = there.reserve(most);
      await first.held;
      first.settle(took);
      const left = there.reserve(most);
      await left.held;
      await expect
        .poll(async () => (await one.standing(scope))[0]?.spent)
        .toMatchObject({ calls: 2, inputTokens: 180 });
      const own = here.reserve(most);
      await own.held;
      const refused = here.reserve(most);
      await expect(refused.held).rejects.toMatchObject({ code: 'quota-exceeded', details: { spent: 3, limit: 3 } });
      expect(here.spent().calls).toBe(1);
      await place.run('DELETE FROM server');
      const again = here.reserve(most);
      await again.held;
      for (const reservation of [own, again]) reservation.settle(took);
      await Promise.all([here.close(), there.close().catch(() => undefined)]);
    }));
});
