// What calls of models took, as the record keeps it: a row for each day, caller, session, role and model, added to and never taken
// from. Invariants: only who spent it, or an admin of the tenant, reads it; sums for budgets are of the scope's own windows. Those of a day are kept
// beside the rows and are what the rows add up to, to the last bit: dollars are whole numbers of a unit that doubles hold exactly.
import type { Scope } from '../../core/scope.ts';
import type { SpendingTotals, UsageGroup, UsageRow } from '../../core/spending.ts';
import type { SpendingRepository, SpendingWindow } from '../repositories/spending.ts';
import { first, rows, run, runEach, type Statements, type StatementValue, type Steps } from '../statements.ts';
import { insertion } from './conditions.ts';

const mostRows = 1000;
/** Of a dollar. Sums are exact up to 900,000 dollars. */
const units = 1e10;
const toUnits = (column: string): string => `round(${column} * 1e10)`;

const sums =
  'coalesce(sum(calls), 0) AS calls, coalesce(sum(input_tokens), 0) AS "inputTokens", coalesce(sum(output_tokens), 0) AS "outputTokens", coalesce(sum(round(cost_usd * 1e10)), 0.0) / 1e10 AS "costUsd", coalesce(sum(unpriced_calls), 0) AS "unpricedCalls", coalesce(sum(refused_calls), 0) AS "refusedCalls"';

const figures = ['calls', 'input_tokens', 'output_tokens', 'cost_usd', 'unpriced_calls', 'refused_calls'];

/** Writes a row with these keys, or adds to it. */
function adding(table: string, keys: string): string {
  const added = figures.map((column) => {
    const [had, more] = [`${table}.${column}`, `excluded.${column}`];
    return `${column} = ${column === 'cost_usd' ? `(${toUnits(had)} + ${toUnits(more)}) / 1e10` : `${had} + ${more}`}`;
  });
  const insert = insertion(table, `${keys} ${figures.join(' ')}`);
  return `${insert} ON CONFLICT (${keys.replaceAll(' ', ', ')}) DO UPDATE SET ${added.join(', ')}`;
}
const addSql = adding('model_spending', 'tenant day principal session_id role model');
/** Of each caller, and of all (of no name). */
const addDaySql = adding('model_spending_day', 'tenant day principal');

/** Whole numbers, dollars in units. */
const wholeOf = (took: SpendingTotals): readonly number[] => [
  took.calls,
  took.inputTokens,
  took.outputTokens,
  Math.round(took.costUsd * units),
  took.unpricedCalls,
  took.refusedCalls ?? 0,
];
const written = (whole: readonly number[]): readonly number[] =>
  whole.map((figure, at) => (figures[at] === 'cost_usd' ? figure / units : figure));

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

/** Sums up what stands in a window, here and in a table of what is reserved. */
function spentSql(scope: Scope, window: SpendingWindow, reserved?: string) {
  const [where, ...bound] = rowsOf(scope, window);
  const isAll = window.of === 'tenant';
  const kept = window.of === 'session' ? 'model_spending' : 'model_spending_day';
  const parts = [`SELECT ${figures.join(', ')} FROM ${kept} WHERE ${where}${isAll ? " AND principal = ''" : ''}`];
  if (reserved !== undefined) parts.push(`SELECT ${figures.join(', ')} FROM ${reserved} WHERE ${where}`);
  return [`SELECT ${sums} FROM (${parts.join(' UNION ALL ')}) AS spent`, ...parts.flatMap(() => bound)] as const;
}

export function* spentIn(...given: Parameters<typeof spentSql>): Steps<SpendingTotals> {
  return toTotals((yield* first<SumRow>(...spentSql(...given))) as SumRow);
}

export function createSpendingRepository(scope: Scope, statements: Statements): SpendingRepository {
  const { tenant, principal } = scope;
  return {
    add(entries, settled = [], id) {
      const work = function* (): Steps<void> {
        for (const { day, sessionId = '', role, model, ...took } of entries)
          yield* run(addSql, tenant, day, principal.id, sessionId, role, model, ...written(wholeOf(took)));
        for (const [day, some] of Map.groupBy(entries, (entry) => entry.day)) {
          const sum = some.map(wholeOf).reduce((left, one) => left.map((figure, at) => figure + (one[at] ?? 0)));
          const of = (whose: string): readonly StatementValue[] => [tenant, day, whose, ...written(sum)];
          yield* runEach(addDaySql, [of(''), of(principal.id)]);
        }
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
