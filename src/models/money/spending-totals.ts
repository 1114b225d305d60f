// Sums of what calls of models took.
import type { Reservation, Spending } from '../../core/budget.ts';
import type { SpendingTotals } from '../../core/spending.ts';

export type Settled = Parameters<Reservation['settle']>[0];

export const nothing: Spending = { calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };
export const noTotals: SpendingTotals = { calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0, unpricedCalls: 0 };

const refusedOf = (refusedCalls: number): Pick<SpendingTotals, 'refusedCalls'> =>
  refusedCalls === 0 ? {} : { refusedCalls };

export const plus = (left: SpendingTotals, right: SpendingTotals): SpendingTotals => ({
  calls: left.calls + right.calls,
  inputTokens: left.inputTokens + right.inputTokens,
  outputTokens: left.outputTokens + right.outputTokens,
  costUsd: left.costUsd + right.costUsd,
  unpricedCalls: left.unpricedCalls + right.unpricedCalls,
  ...refusedOf((left.refusedCalls ?? 0) + (right.refusedCalls ?? 0)),
});

export const totalsOf = ({ calls, inputTokens, outputTokens, costUsd, wasRefused }: Settled): SpendingTotals => ({
  calls: wasRefused ? 0 : calls,
  inputTokens,
  outputTokens,
  costUsd: costUsd ?? 0,
  unpricedCalls: costUsd === undefined ? calls : 0,
  ...refusedOf(wasRefused ? calls : 0),
});

/** Limits count attempts. */
export const attemptsOf = ({ calls, refusedCalls = 0, inputTokens, outputTokens, costUsd }: SpendingTotals) => ({
  calls: calls + refusedCalls,
  inputTokens,
  outputTokens,
  costUsd,
});
