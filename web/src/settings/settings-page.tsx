// How this server is set up, as far as the key may know: who looks, the parts that are switched on, stores, models, keys and the audit log.
import '../shell/fields.css';
import { attempt, tell } from '../ask/session.ts';
import { Figures } from '../charts/figures.tsx';
import { address, follow, hrefOf } from '../shared/address.ts';
import { callJson, keyVersion } from '../shared/api.ts';
import type { StoreStatus } from '../shared/contract.ts';
import { instantText } from '../shared/instants.ts';
import { inOrder } from '../shared/text.ts';
import { type Caller, caller, isAdmin } from '../shell/holdings.ts';
import { PageHeading } from '../shell/page-heading.tsx';
import { useLoaded } from '../shell/use-loaded.ts';
import { Audit } from './audit.tsx';
import { limitsText, whatIsOn } from './facts.ts';
import type { ModelsHealth } from './findings.ts';
import { Keys } from './keys.tsx';

const percent = new Intl.NumberFormat(undefined, { style: 'percent' });
const numbers = new Intl.NumberFormat();

export function SettingsPage() {
  const at = address.value;
  const query = at.page === 'settings' ? (at.query ?? {}) : {};
  const me = caller.value;
  const health = { page: 'health' } as const;
  return (
    <main id="main" class="document" tabIndex={-1}>
      <PageHeading title="Settings" />
      <p>
        How well all of it works is told by{' '}
        <a href={hrefOf(health)} onClick={follow(health)}>
          the health page
        </a>
        .
      </p>
      {me && (
        <div key={keyVersion.value}>
          <Me me={me} />
          <Stores />
          <Models me={me} />
          {me.features.keys && <Keys me={me} />}
          {isAdmin.value && <Audit query={query} />}
        </div>
      )}
    </main>
  );
}

function Me({ me }: { readonly me: Caller }) {
  const { tenant, role, key, owner, sources, doors, limits } = me;
  const who = key ? `the key ${inOrder(key.name)}` : owner ? 'the owner of the data folder' : 'no key';
  const rows = [
    ['You are', who],
    ['Tenant', inOrder(tenant)],
    ['Role', role],
    ['Sources', sources ? inOrder(sources.join(', ')) : 'all'],
    ['Doors', doors ? doors.join(', ') : 'all'],
    ['Limits', limitsText(limits) || 'none of this key’s own'],
    ...(key?.expiresAt ? [['Ends', instantText(key.expiresAt)]] : []),
    ...whatIsOn(me.features),
  ];
  return (
    <section>
      <h3>You, and what is switched on</h3>
      <Figures
        name="You, and what is switched on"
        columns={['What', 'How it is']}
        rows={rows.map(([head = '', cell]) => ({ key: head, head, cells: [cell] }))}
      />
    </section>
  );
}

function Stores() {
  const [stores, setStores] = useLoaded(
    async (stopped) => (await callJson<{ data: StoreStatus[] }>('v1/stores', { signal: stopped })).data,
    [],
  );
  const pause = async ({ name, deliveries }: StoreStatus): Promise<void> => {
    const action = deliveries?.paused ? 'resume' : 'pause';
    const next = await callJson<StoreStatus>(`v1/stores/${encodeURIComponent(name)}/${action}`, { method: 'POST' });
    setStores((stores ?? []).map((one) => (one.name === name ? next : one)));
    tell(`${inOrder(name)}: ${action === 'pause' ? 'nothing is brought to it until it goes on' : 'it goes on'}.`);
  };
  return (
    <section>
      <h3>Stores</h3>
      <Figures
        name="Stores"
        columns={['Store', 'State', 'Documents', 'Holds of all', 'Searches by', 'About it']}
        rows={(stores ?? []).map((store) => {
          const { name, status, documents, coverage, modes, detail, vectors, deliveries } = store;
          return {
            key: name,
            head: inOrder(name),
            cells: [
              deliveries?.paused ? `${status}, paused` : status,
              numbers.format(documents),
              percent.format(coverage),
              modes.join(', '),
              <>
                {inOrder([detail, vectors?.model && `vectors by ${vectors.model}`].filter(Boolean).join('; '))}{' '}
                {isAdmin.value && deliveries && (
                  <button
                    type="button"
                    aria-label={`${deliveries.paused ? 'Go on' : 'Pause'}: ${inOrder(name)}`}
                    onClick={() => attempt(pause(store))}
                  >
                    {deliveries.paused ? 'Go on' : 'Pause'}
                  </button>
                )}
              </>,
            ],
          };
        })}
      />
    </section>
  );
}

/** Which models stand behind a step, and how they fare, is for admins; others are told which steps models do. */
function Models({ me }: { readonly me: Caller }) {
  const [health] = useLoaded(
    async (stopped) => (me.role === 'admin' ? callJson<ModelsHealth>('admin/models', { signal: stopped }) : undefined),
    [me.role],
  );
  const { models } = me.features;
  return (
    <section>
      <h3>Models</h3>
      {models.length === 0 ? (
        <p>No language model is set up: answers are made of passages word for word.</p>
      ) : (
        <Figures
          name="Models by role"
          columns={['Step that a model does', ...(health ? ['State'] : [])]}
          rows={models.map((role) => ({
            key: role,
            head: inOrder(role),
            cells: health ? [health.roles.find((one) => one.role === role)?.status ?? 'in this process'] : [],
          }))}
        />
      )}
      {health && health.models.length > 0 && (
        <Figures
          name="Models that somebody else runs"
          columns={['Model', 'State', 'Served last']}
          rows={health.models.map(({ model, state, lastServedAt }) => ({
            key: model,
            head: inOrder(model),
            cells: [state, lastServedAt ? instantText(lastServedAt) : 'not yet'],
          }))}
        />
      )}
    </section>
  );
}
