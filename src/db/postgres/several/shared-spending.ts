// Budgets that several servers keep together: what a call takes at most stands in the record before it is made, and what it took in its place. Invariant:
// whoever reserves does so alone in its tenant, so that no limit is passed by any number of servers; what a dead server reserved lapses with it.
import { randomUUID } from 'node:crypto';
import type { Scope } from '../../../core/scope.ts';
import type { SpendingTotals } from '../../../core/spending.ts';
import { createSpendingRepository, spentIn } from '../../both/spending.ts';
import type { SpendingRepository, SpendingWindow } from '../../repositories/spending.ts';
import { run, type Statements, type Steps } from '../../statements.ts';

/** No call takes longer. */
const longestCall = '15 minutes';
const reserved = `(SELECT *, 0 AS unpriced_calls, 0 AS refused_calls FROM model_reservation WHERE until > clock_timestamp()
  AND (held_by IS NULL OR held_by IN (SELECT id FROM server))) AS reserved`;
const reserveSql = `INSERT INTO model_reservation (id, tenant, day, principal, session_id, calls, input_tokens, output_tokens, cost_usd, until)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, clock_timestamp() + interval '${longestCall}')`;

/** `statements`: those of the tenant's spending, which are written one after another at whichever server. */
export function createSharedSpending(scope: Scope, statements: Statements): SpendingRepository {
  function* standing(windows: readonly SpendingWindow[]): Steps<readonly SpendingTotals[]> {
    const spent: SpendingTotals[] = [];
    for (const window of windows) spent.push(yield* spentIn(scope, window, reserved));
    return spent;
  }
  return {
    ...createSpendingRepository(scope, statements),
    shared: {
      standing: (windows) => statements.read(() => standing(windows)),
      reserve: ({ day, sessionId = '', most, windows, check }) =>
        statements.write(function* () {
          const id = randomUUID();
          check(yield* standing(windows));
          const { calls, inputTokens, outputTokens, costUsd = 0 } = most;
          const took = [calls, inputTokens, outputTokens, costUsd] as const;
          yield* run('DELETE FROM model_reservation WHERE tenant = ? AND until < clock_timestamp()', scope.tenant);
          yield* run(reserveSql, id, scope.tenant, day, scope.principal.id, sessionId, ...took);
          return id;
        }),
    },
  };
}
