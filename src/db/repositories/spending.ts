// Port of what calls of models cost, by request, session, key and day.
import type { SpendingTotals, UsageGroup, UsageRow } from '../../core/spending.ts';

export interface SpendingEntry extends SpendingTotals {
  /** UTC, `2026-11-22`. */
  readonly day: string;
  readonly sessionId?: string;
  readonly role: string;
  /** `provider:model`. */
  readonly model: string;
}

/** What a budget covers: one session of this principal, its day, or the day of its tenant. */
export type SpendingWindow =
  | { readonly of: 'session'; readonly sessionId: string }
  | { readonly of: 'principal' | 'tenant'; readonly day: string };

/** Days are UTC and inclusive. An admin sees the tenant, others what they spent themselves. */
export interface SpendingRepository {
  /** Adds to what stands there, all of it or nothing; durable when the promise resolves. */
  add(entries: readonly SpendingEntry[]): Promise<void>;
  total(window: SpendingWindow): Promise<SpendingTotals>;
  /** Days in order, everything else by what it cost, then by calls; at most 1,000 rows, and how many more there are. */
  usage(range: { readonly from: string; readonly to: string; readonly by: UsageGroup }): Promise<{
    readonly rows: readonly UsageRow[];
    readonly omitted: number;
    readonly total: SpendingTotals;
  }>;
}
