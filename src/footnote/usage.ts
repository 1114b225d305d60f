// What models cost a caller, over days: the record's sums with what is still in memory written first, and how today's limits stand.
import { FootnoteError } from '../core/errors.ts';
import type { Clock } from '../core/ids.ts';
import { dayAfter } from '../core/spending.ts';
import type { TenantRecord } from '../db/tenant-record.ts';
import type { SpendingLedger } from '../models/money/spending-ledger.ts';
import type { UsageReport, UsageRequest } from './facade.ts';

const defaultDays = 30;

/** A day that exists, written `2026-11-22`. Throws `invalid-request`. */
function checkDay(name: string, day: string): string {
  const at = Date.parse(`${day}T00:00:00.000Z`);
  if (/^\d{4}-\d{2}-\d{2}$/u.test(day) && !Number.isNaN(at) && new Date(at).toISOString().startsWith(day)) return day;
  throw new FootnoteError('invalid-request', `${name} is "${day}": write a day (UTC) like 2026-11-22.`);
}

export interface UsageOptions {
  readonly record: TenantRecord;
  readonly ledger: SpendingLedger;
  readonly clock: Pick<Clock, 'now'>;
}

export function createUsage({ record, ledger, clock }: UsageOptions): (request?: UsageRequest) => Promise<UsageReport> {
  return async ({ from, to, by = 'day' } = {}) => {
    const last = checkDay('to', to ?? clock.now().slice(0, 10));
    const first = checkDay('from', from ?? dayAfter(last, 1 - defaultDays));
    if (first > last)
      throw new FootnoteError('invalid-request', `from is ${first}, which is after to, ${last}. Turn them round.`);
    await ledger.flush();
    const range = { from: first, to: last, by };
    const [{ rows, omitted, total }, budgets] = await Promise.all([
      record.spending.usage(range),
      ledger.standing(record.scope),
    ]);
    return { ...range, data: rows, omitted, total, budgets };
  };
}
