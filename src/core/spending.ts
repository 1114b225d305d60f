// What calls of models took, as every door and the record speak of it. Invariant: a call of unknown price is counted apart, never as
// free. Days are UTC.

/** `costUsd` is that of the calls whose price was known; the others are counted in `unpricedCalls`. `calls` are those that took anything. */
export interface SpendingTotals {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
  readonly unpricedCalls: number;
  /** Attempts that a provider refused or that never reached it: they cost nothing and are in no other figure. Absent: none. */
  readonly refusedCalls?: number;
}

/** What usage is told apart by. */
export const usageGroups = ['day', 'session', 'key', 'role', 'model'] as const;
export type UsageGroup = (typeof usageGroups)[number];

export interface UsageRow extends SpendingTotals {
  /** The day, session, principal, role or model; empty for what was asked outside of sessions. */
  readonly name: string;
  /** Of a session: whose it is. */
  readonly principal?: string;
}

/** Milliseconds of a day. */
const dayMs = 86_400_000;

/** The day that lies so many days after `day`, both `2026-11-22`. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00.000Z`) + days * dayMs).toISOString().slice(0, 10);
}
