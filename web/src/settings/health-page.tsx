// How the parts of the server stand: what is wrong first, with what to do, and a button where it can be done from here.
import '../shell/fields.css';
import './settings.css';
import { useState } from 'preact/hooks';
import { attempt, tell } from '../ask/session.ts';
import { call, callJson, home, keyVersion } from '../shared/api.ts';
import type { StoreStatus } from '../shared/contract.ts';
import { inOrder } from '../shared/text.ts';
import { caller, isAdmin, mayWrite } from '../shell/holdings.ts';
import { PageHeading } from '../shell/page-heading.tsx';
import { useLoaded } from '../shell/use-loaded.ts';
import { type Finding, findingsOf, type ModelsHealth, type Readiness, type Remedy } from './findings.ts';

/** A server that cannot answer says so with status 503, which is no failure of the question. */
async function readiness(stopped: AbortSignal): Promise<Readiness> {
  const reply = await fetch(new URL('readyz', home), { signal: stopped });
  return (await reply.json()) as Readiness;
}

const stateNames = { ok: 'Well', warning: 'Look at this', problem: 'Does not work' } as const;
const remedyNames: Readonly<Record<Remedy, string>> = {
  sync: 'Bring what is missing',
  reconcile: 'Compare and mend',
  resume: 'Go on',
};
const mayRemedy = (remedy: Remedy): boolean => (remedy === 'sync' ? mayWrite.value : isAdmin.value);

export function HealthPage() {
  const role = caller.value?.role;
  const [looks, setLooks] = useState(0);
  const [told] = useLoaded(
    async (stopped) => {
      if (role === undefined) return undefined;
      const [ready, stores, models] = await Promise.all([
        readiness(stopped),
        callJson<{ data: StoreStatus[] }>('v1/stores', { signal: stopped }),
        role === 'admin' ? callJson<ModelsHealth>('admin/models', { signal: stopped }) : undefined,
      ]);
      return { readiness: ready, stores: stores.data, models };
    },
    [role],
    looks,
  );
  const findings = told ? findingsOf(told) : [];
  const wrong = findings.filter(({ state }) => state !== 'ok').length;
  const remedy = async (action: Remedy, store: string): Promise<void> => {
    await call(`v1/stores/${encodeURIComponent(store)}/${action}`, { method: 'POST' });
    tell(`${remedyNames[action]}: done for ${inOrder(store)}.`);
    setLooks((count) => count + 1);
  };
  return (
    <main id="main" class="document" tabIndex={-1}>
      <PageHeading title="Health" />
      {told && (
        <p id="verdict">
          {wrong === 0
            ? 'All that this server tells of itself is well.'
            : `${wrong} of ${findings.length} findings need a look.`}
        </p>
      )}
      <ul class="standing" key={keyVersion.value}>
        {findings.map((one) => (
          <li key={`${one.area} ${one.detail}`} class={one.state}>
            <FindingView finding={one} onRemedy={(action, store) => attempt(remedy(action, store))} />
          </li>
        ))}
      </ul>
      <button type="button" onClick={() => setLooks((count) => count + 1)}>
        Look again
      </button>
      {isAdmin.value && (
        <p class="place">
          <code>footnote doctor</code> at the machine of the server looks further: at the disk, the settings and the
          models.
        </p>
      )}
    </main>
  );
}

interface FindingViewProps {
  readonly finding: Finding;
  onRemedy(action: Remedy, store: string): void;
}

function FindingView({ finding, onRemedy }: FindingViewProps) {
  const { area, state, detail, advice, remedy, store } = finding;
  return (
    <>
      <p>
        <strong>{`${stateNames[state]}: `}</strong>
        <bdi>{inOrder(area)}</bdi>
      </p>
      <p class="place">{inOrder(detail)}</p>
      {advice && <p>{inOrder(advice)}</p>}
      {remedy && store !== undefined && mayRemedy(remedy) && (
        <button
          type="button"
          aria-label={`${remedyNames[remedy]}: ${inOrder(store)}`}
          onClick={() => onRemedy(remedy, store)}
        >
          {remedyNames[remedy]}
        </button>
      )}
    </>
  );
}
