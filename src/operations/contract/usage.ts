// The part of the contract that speaks of what models cost.
import { z } from 'zod';
import { usageGroups } from '../../core/spending.ts';

/** Whether the day exists is said by the facade, which both doors share. */
const daySchema = z.string().regex(/^\d{4}-\d{2}-\d{2}$/u, 'must be a day (UTC) like 2026-11-22');

export const usageQuerySchema = z.strictObject({
  from: daySchema.exactOptional(),
  to: daySchema.exactOptional(),
  by: z.enum(usageGroups).exactOptional(),
});

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
    refusedCalls: z.int().optional(),
  })
  .meta({ id: 'SpendingTotals' });

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
        limits: amountsSchema.partial(),
        spent: amountsSchema,
        opensAt: z.string().optional(),
      }),
    ),
  })
  .meta({ id: 'Usage' });
