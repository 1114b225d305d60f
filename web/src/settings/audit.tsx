// The audit log, for admins: who asked, read or changed what, and whether the log is what was written.
import { useState } from 'preact/hooks';
import { attempt, tell } from '../ask/session.ts';
import { Figures } from '../charts/figures.tsx';
import { go } from '../shared/address.ts';
import { callJson } from '../shared/api.ts';
import type { AuditCheck, AuditRow } from '../shared/contract.ts';
import type { Query } from '../shared/router.ts';
import { cut, inOrder } from '../shared/text.ts';
import { Field } from '../shell/fields.tsx';
import { useListed } from '../shell/use-listed.ts';

const filters = {
  operation: 'Operation, such as ask',
  outcome: 'Outcome, such as done',
  principal: 'Who, such as key:…',
};
const instant = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'medium' });
const milliseconds = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

export function Audit({ query }: { readonly query: Query }) {
  const chosen = Object.keys(filters).flatMap((name) => (query[name] ? [[name, query[name]]] : []));
  const search = new URLSearchParams([...chosen, ['limit', '50']]);
  const [listed, more] = useListed<AuditRow>(`admin/audit?${search}`);
  const [checked, setChecked] = useState<AuditCheck>();
  const check = async (): Promise<void> => {
    const said = await callJson<AuditCheck>('admin/audit/check');
    setChecked(said);
    tell(verdictOf(said));
  };
  return (
    <section>
      <h3>Audit log</h3>
      <div class="fields">
        {Object.entries(filters).map(([name, called]) => (
          <Field
            key={name}
            label={called}
            value={query[name] ?? ''}
            onChoose={(value) => {
              const all = Object.entries({ ...query, [name]: value }).filter(([, one]) => one !== '');
              go({ page: 'settings', ...(all.length > 0 && { query: Object.fromEntries(all) }) });
            }}
          />
        ))}
        <button type="button" onClick={() => attempt(check())}>
          Check the log
        </button>
      </div>
      {checked && (
        <div id="checked" class={checked.ok ? undefined : 'notice failure'}>
          <p>{verdictOf(checked)}</p>
          {checked.faults.length > 0 && (
            <ul>
              {checked.faults.map((fault) => (
                <li key={fault}>{inOrder(fault)}</li>
              ))}
            </ul>
          )}
          {checked.head && (
            <p class="place">
              {'Kept elsewhere, this proves later that nothing was rewritten: '}
              <code>{checked.head}</code>
            </p>
          )}
        </div>
      )}
      <Figures
        name="Audit log"
        columns={['When', 'Who', 'What', 'Outcome', 'Milliseconds', 'Of what']}
        rows={(listed?.data ?? []).map(({ seq, at, tenant, principal, operation, outcome, ms, targets, via }) => ({
          key: seq,
          head: instant.format(new Date(at)),
          cells: [
            inOrder(tenant === 'default' ? principal : `${principal} of ${tenant}`),
            <span key={seq} title={inOrder(via)}>
              {inOrder(operation)}
            </span>,
            outcome,
            milliseconds.format(ms),
            inOrder(cut(targets.join(', '), 120)),
          ],
        }))}
      />
      {listed?.data.length === 0 && <p>No row is like that.</p>}
      {more && (
        <button type="button" onClick={() => attempt(more())}>
          Earlier rows
        </button>
      )}
    </section>
  );
}

const verdictOf = ({ ok, rows, faults }: AuditCheck): string =>
  ok ? `All ${rows} rows are as they were written.` : `${faults.length} of ${rows} rows are not as they were written.`;
