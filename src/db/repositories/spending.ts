// Port of what calls of models cost, by request, session, key and day.
import type { Spending } from '../../core/budget.ts';
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

/** What a call takes at most, before it is made. */
export interface SharedReservation {
  readonly day: string;
  readonly sessionId?: string | undefined;
  readonly most: Spending;
  /** Each of which it counts in. */
  readonly windows: readonly SpendingWindow[];
  /** Told what each of them has, with what all servers reserved; throws where that leaves too little. */
  check(spent: readonly SpendingTotals[]): void;
}

/** Budgets that several servers keep together. */
export interface SharedSpending {
  /** Its id. Throws what `check` throws; nothing is reserved then. It lapses when its server is gone, or after a quarter of an hour. */
  reserve(reservation: SharedReservation): Promise<string>;
  /** Of each window, with what all servers reserved. */
  standing(windows: readonly SpendingWindow[]): Promise<readonly SpendingTotals[]>;
}

/** Days are UTC and inclusive. An admin sees the tenant, others what they spent themselves. */
export interface SpendingRepository {
  /**
   * Adds to what stands there in the place of what was reserved, all of it or nothing; durable when the promise resolves. `id`, a UUID: what was added
   * under it in the last hour is not added again. A `storage-busy` whose `outcome` is `unknown` is to be tried again with the same one.
   */
  add(entries: readonly SpendingEntry[], settled?: readonly string[], id?: string): Promise<void>;
  /** Absent where one process spends. */
  readonly shared?: SharedSpending;
  total(window: SpendingWindow): Promise<SpendingTotals>;
  /** Days in order, everything else by what it cost, then by calls; at most 1,000 rows, and how many more there are. */
  usage(range: { readonly from: string; readonly to: string; readonly by: UsageGroup }): Promise<{
    readonly rows: readonly UsageRow[];
    readonly omitted: number;
    readonly total: SpendingTotals;
  }>;
}
