// What models cost, as the doors ask for it.
import type { UsageGroup } from '../../core/spending.ts';

export type { UsageReport } from '../../core/spending.ts';

/** Days are UTC and inclusive. */
export interface UsageRequest {
  /** `2026-11-22`; default: 29 days before `to`. */
  readonly from?: string;
  /** Default: today. */
  readonly to?: string;
  /** What rows are told apart by; default `day`. */
  readonly by?: UsageGroup;
}
