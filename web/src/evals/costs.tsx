// What models cost, by day and by role: of the tenant for an admin, else of the caller. Calls of unknown price are counted apart, never as free.
import { BarChart } from '../charts/bar-chart.tsx';
import { Figures } from '../charts/figures.tsx';
import { go } from '../shared/address.ts';
import { callJson } from '../shared/api.ts';
import type { UsageReport } from '../shared/contract.ts';
import type { Query } from '../shared/router.ts';
import { inOrder } from '../shared/text.ts';
import { Field } from '../shell/fields.tsx';
import { isAdmin } from '../shell/holdings.ts';
import { useLoaded } from '../shell/use-loaded.ts';
import { daysBetween } from './figures-text.ts';

const dollars = new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD', maximumFractionDigits: 4 });
const numbers = new Intl.NumberFormat();
type Row = UsageReport['total'];

const kinds: Readonly<Record<string, { readonly name: string; of(row: Row): number; write(value: number): string }>> = {
  cost: { name: 'Cost', of: ({ costUsd }) => costUsd, write: (value) => dollars.format(value) },
  tokens: {
    name: 'Tokens',
    of: ({ inputTokens, outputTokens }) => inputTokens + outputTokens,
    write: (value) => numbers.format(value),
  },
  calls: { name: 'Calls', of: ({ calls }) => calls, write: (value) => numbers.format(value) },
};

export function Costs({ query }: { readonly query: Query }) {
  const { from, to, what = 'cost' } = query;
  const kind = Object.hasOwn(kinds, what) ? kinds[what] : kinds['cost'];
  const [usage] = useLoaded(
    async (stopped) => {
      const of = (by: string): Promise<UsageReport> => {
        const search = new URLSearchParams({ by, ...(from && { from }), ...(to && { to }) });
        return callJson<UsageReport>(`v1/usage?${search}`, { signal: stopped });
      };
      const [days, roles] = await Promise.all([of('day'), of('role')]);
      return { days, roles };
    },
    [from, to],
  );
  const set = (changes: Query): void => {
    const all = Object.entries({ ...query, ...changes }).filter(([, value]) => value !== '');
    go({ page: 'evals', ...(all.length > 0 && { query: Object.fromEntries(all) }) });
  };
  return (
    <section id="costs">
      <h3>{isAdmin.value ? 'What models cost' : 'What models cost for you'}</h3>
      <div class="fields">
        <Field
          label="First day"
          type="date"
          value={from ?? usage?.days.from ?? ''}
          onChoose={(from) => set({ from })}
        />
        <Field label="Last day" type="date" value={to ?? usage?.days.to ?? ''} onChoose={(to) => set({ to })} />
        <label>
          Count
          <select value={what} onChange={({ currentTarget }) => set({ what: currentTarget.value })}>
            {Object.entries(kinds).map(([id, { name }]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      {usage && kind && (
        <>
          <p id="total">{totalText(usage.days.total)}</p>
          {usage.days.total.calls > 0 && (
            <>
              <BarChart
                name={`${kind.name} by day`}
                write={kind.write}
                bars={daysBetween(usage.days.from, usage.days.to).map((day) => {
                  const row = usage.days.data.find(({ name }) => name === day);
                  return { label: day, value: row ? kind.of(row) : 0 };
                })}
              />
              <Figures
                name="By role"
                columns={['Role', 'Calls', 'Tokens in', 'Tokens out', 'Cost', 'Of unknown price']}
                rows={usage.roles.data.map((row) => ({
                  key: row.name,
                  head: inOrder(row.name),
                  cells: [
                    numbers.format(row.calls),
                    numbers.format(row.inputTokens),
                    numbers.format(row.outputTokens),
                    dollars.format(row.costUsd),
                    numbers.format(row.unpricedCalls),
                  ],
                }))}
              />
            </>
          )}
          <Limits budgets={usage.days.budgets} />
        </>
      )}
    </section>
  );
}

const totalText = ({ calls, costUsd, unpricedCalls, refusedCalls = 0 }: Row): string =>
  calls === 0
    ? 'No model was called in these days.'
    : [
        `${numbers.format(calls)} calls, ${dollars.format(costUsd)}`,
        unpricedCalls > 0 && `the price of ${numbers.format(unpricedCalls)} is not known`,
        refusedCalls > 0 && `${numbers.format(refusedCalls)} were refused`,
      ]
        .filter(Boolean)
        .join('; ');

function Limits({ budgets }: { readonly budgets: UsageReport['budgets'] }) {
  if (budgets.length === 0) return null;
  return (
    <Figures
      name="Limits of today"
      columns={['Limit', 'Spent', 'At most']}
      rows={budgets.map(({ name, limits, spent }) => ({
        key: name,
        head: inOrder(name),
        cells: [
          `${numbers.format(spent.calls)} calls, ${numbers.format(spent.inputTokens + spent.outputTokens)} tokens, ${dollars.format(spent.costUsd)}`,
          [
            limits.calls !== undefined && `${numbers.format(limits.calls)} calls`,
            limits.tokens !== undefined && `${numbers.format(limits.tokens)} tokens`,
            limits.costUsd !== undefined && dollars.format(limits.costUsd),
          ]
            .filter(Boolean)
            .join(', '),
        ],
      }))}
    />
  );
}
