// What models cost, as the doors are told it.
import type { SpendingTotals, UsageGroup, UsageRow } from '../../core/spending.ts';
import type { BudgetStanding } from '../../models/money/spending-ledger.ts';

/** Days are UTC and inclusive. */
export interface UsageRequest {
  /** `2026-11-22`; default: 29 days before `to`. */
  readonly from?: string;
  /** Default: today. */
  readonly to?: string;
  /** What rows are told apart by; default `day`. */
  readonly by?: UsageGroup;
}

/** What models cost: of the tenant for an admin, else of the caller. */
export interface UsageReport {
  readonly from: string;
  readonly to: string;
  readonly by: UsageGroup;
  /** Days in order; others by cost, at most 1,000. */
  readonly data: readonly UsageRow[];
  /** Rows beyond those. */
  readonly omitted: number;
  readonly total: SpendingTotals;
  /** Limits of today and how much of them is spent; none where none is set. */
  readonly budgets: readonly BudgetStanding[];
}
