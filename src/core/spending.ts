// What calls of models took, as every door and the record speak of it. Invariant: a call of unknown price is counted apart, never as
// free. Days are UTC.
import { z } from 'zod';
import type { DeepReadonly } from './metadata.ts';

/** What usage is told apart by. */
export const usageGroups = ['day', 'session', 'key', 'role', 'model'] as const;
export type UsageGroup = (typeof usageGroups)[number];

/** `costUsd` is that of the calls whose price was known; the others are counted in `unpricedCalls`. */
const totalsSchema = z
  .object({
    /** Those that took anything. */
    calls: z.int(),
    inputTokens: z.int(),
    outputTokens: z.int(),
    /** Of the calls whose price was known. */
    costUsd: z.number(),
    /** Calls that `costUsd` leaves out, because the price list does not name their model. */
    unpricedCalls: z.int(),
    /** Attempts that a provider refused or that never reached it; limits of calls count them too. Absent: none. */
    refusedCalls: z.int().exactOptional(),
  })
  .meta({ id: 'SpendingTotals' });
export type SpendingTotals = DeepReadonly<z.output<typeof totalsSchema>>;

const amountsSchema = z.object({
  calls: z.int(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  costUsd: z.number(),
});

/** What models cost from `from` to `to`, both inclusive, by day, session, key, role or model. */
export const usageSchema = z
  .object({
    from: z.string(),
    to: z.string(),
    by: z.enum(usageGroups),
    /** Days in order; others by cost. `name` is empty for what was asked outside of sessions. */
    data: z.array(totalsSchema.extend({ name: z.string(), principal: z.string().optional() })),
    /** Rows beyond the first thousand. */
    omitted: z.int(),
    total: totalsSchema,
    /** Limits of today; `spent` includes what calls under way have reserved. */
    budgets: z.array(
      z.object({
        name: z.string(),
        setting: z.string(),
        limits: amountsSchema.extend({ tokens: z.int() }).partial(),
        spent: amountsSchema,
        opensAt: z.string().optional(),
      }),
    ),
  })
  .meta({ id: 'Usage' });
/** What models cost: of the tenant for an admin, else of the caller. */
export type UsageReport = DeepReadonly<z.output<typeof usageSchema>>;
export type UsageRow = UsageReport['data'][number];

export const daySeconds = 86_400;
const secondsOfUnit: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3600 };
/** So many requests in a second, a minute or an hour, such as `60/min`. */
export const ratePattern = /^[1-9]\d{0,6}\/(?:s|min|h)$/u;
/** The length of the window of a rate. */
export const secondsOfRate = (rate: string): number => secondsOfUnit[rate.split('/')[1] ?? ''] ?? 60;

const most = z.int().min(1).exactOptional();
/** What a key may take; what is not named is as the settings say. Days are UTC. */
export const keyLimitsSchema = z
  .strictObject({
    rate: z.string().regex(ratePattern, 'must be like 60/min, 5/s or 1000/h').exactOptional(),
    dailyRequests: most,
    dailyTokens: most.describe('Of models, in and out'),
    dailyUsd: z.number().positive().exactOptional().describe('What models cost'),
    dailyBytes: most.describe('Of documents that are added or read in'),
  })
  .meta({ id: 'KeyLimits' });
export type KeyLimits = DeepReadonly<z.output<typeof keyLimitsSchema>>;

/** Milliseconds of a day. */
const dayMs = 86_400_000;

/** The day that lies so many days after `day`, both `2026-11-22`. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00.000Z`) + days * dayMs).toISOString().slice(0, 10);
}
