// What calls of models took, as the record keeps it: a row for each day, caller, session, role and model, added to and never taken
// from. Invariant: only who spent it, or an admin of the tenant, reads it; sums for budgets are of the scope's own windows.
import type { Scope } from '../../core/scope.ts';
import type { SpendingTotals, UsageGroup, UsageRow } from '../../core/spending.ts';
import type { SpendingRepository, SpendingWindow } from '../repositories/spending.ts';
import { first, rows, run, type Statements, type Steps } from '../statements.ts';

const mostRows = 1000;

const sums =
  'coalesce(sum(calls), 0) AS calls, coalesce(sum(input_tokens), 0) AS "inputTokens", coalesce(sum(output_tokens), 0) AS "outputTokens", coalesce(sum(cost_usd), 0.0) AS "costUsd", coalesce(sum(unpriced_calls), 0) AS "unpricedCalls", coalesce(sum(refused_calls), 0) AS "refusedCalls"';

const added = ['calls', 'input_tokens', 'output_tokens', 'cost_usd', 'unpriced_calls', 'refused_calls']
  .map((column) => `${column} = model_spending.${column} + excluded.${column}`)
  .join(', ');

/** Columns that rows are told apart by; the first is the name. */
const columnsOf: Readonly<Record<UsageGroup, string>> = {
  day: 'day',
  session: 'session_id, principal',
  key: 'principal',
  role: 'role',
  model: 'model',
};

type SumRow = Readonly<Required<SpendingTotals>>;
type GroupRow = SumRow & { readonly name: string; readonly principal?: string };

const toTotals = ({
  calls,
  inputTokens,
  outputTokens,
  costUsd,
  unpricedCalls,
  refusedCalls,
}: SumRow): SpendingTotals => ({
  calls,
  inputTokens,
  outputTokens,
  costUsd,
  unpricedCalls,
  ...(refusedCalls > 0 && { refusedCalls }),
});

const toUsageRow = (row: GroupRow): UsageRow => ({
  name: row.name,
  ...(row.principal !== undefined && { principal: row.principal }),
  ...toTotals(row),
});

/** The rows of a window, with what is bound in them. */
function rowsOf({ tenant, principal }: Scope, window: SpendingWindow): readonly [where: string, ...bound: string[]] {
  if (window.of === 'session')
    return ['tenant = ? AND principal = ? AND session_id = ?', tenant, principal.id, window.sessionId];
  if (window.of === 'principal') return ['tenant = ? AND day = ? AND principal = ?', tenant, window.day, principal.id];
  return ['tenant = ? AND day = ?', tenant, window.day];
}

/** Sums up what stands in a window, in each of these tables. */
function spentSql(scope: Scope, window: SpendingWindow, tables: readonly string[] = ['model_spending']) {
  const [where, ...bound] = rowsOf(scope, window);
  const columns = 'calls, input_tokens, output_tokens, cost_usd, unpriced_calls, refused_calls';
  const parts = tables.map((table) => `SELECT ${columns} FROM ${table} WHERE ${where}`);
  return [`SELECT ${sums} FROM (${parts.join(' UNION ALL ')}) AS spent`, ...tables.flatMap(() => bound)] as const;
}

export function* spentIn(...given: Parameters<typeof spentSql>): Steps<SpendingTotals> {
  return toTotals((yield* first<SumRow>(...spentSql(...given))) as SumRow);
}

export function createSpendingRepository(scope: Scope, statements: Statements): SpendingRepository {
  const { tenant, principal } = scope;
  return {
    add(entries, settled = [], id) {
      const work = function* (): Steps<void> {
        const sql = `INSERT INTO model_spending (tenant, day, principal, session_id, role, model, calls, input_tokens, output_tokens, cost_usd,
           unpriced_calls, refused_calls) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (tenant, day, principal, session_id, role, model) DO UPDATE SET ${added}`;
        for (const { day, sessionId = '', role, model, ...took } of entries)
          yield* run(
            sql,
            tenant,
            day,
            principal.id,
            sessionId,
            role,
            model,
            took.calls,
            took.inputTokens,
            took.outputTokens,
            took.costUsd,
            took.unpricedCalls,
            took.refusedCalls ?? 0,
          );
        if (settled.length > 0) yield* run('DELETE FROM model_reservation WHERE id = ANY(?)', settled);
      };
      return id !== undefined && statements.once ? statements.once(id, work) : statements.write(work);
    },
    async total(window) {
      const [row] = await statements.rows<SumRow>(...spentSql(scope, window));
      return toTotals(row as SumRow);
    },
    usage: ({ from, to, by }) =>
      statements.read(function* () {
        const where = 'tenant = ? AND day >= ? AND day <= ? AND (principal = ? OR ? = 1)';
        const bound = [tenant, from, to, principal.id, principal.role === 'admin' ? 1 : 0] as const;
        const columns = columnsOf[by];
        const order = by === 'day' ? 'day' : `"costUsd" DESC, calls DESC, ${columns}`;
        const named = columns.replace(/^\w+/u, '$& AS name');
        const found = yield* rows<GroupRow>(
          `SELECT ${named}, ${sums} FROM model_spending WHERE ${where} GROUP BY ${columns} ORDER BY ${order} LIMIT ${mostRows}`,
          ...bound,
        );
        const groups = `SELECT count(*) FROM (SELECT 1 FROM model_spending WHERE ${where} GROUP BY ${columns}) AS grouped`;
        const whole = yield* first<SumRow & { readonly groups: number }>(
          `SELECT ${sums}, (${groups}) AS groups FROM model_spending WHERE ${where}`,
          ...bound,
          ...bound,
        );
        const { groups: all, ...total } = whole as SumRow & { readonly groups: number };
        return { rows: found.map(toUsageRow), omitted: all - found.length, total: toTotals(total) };
      }),
  };
}
