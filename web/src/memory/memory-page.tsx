// What is remembered of whoever looks: listed, edited, forgotten, erased. Nobody sees what is another's, which the server keeps.
import '../shell/fields.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import { attempt, tell } from '../ask/session.ts';
import { address, go } from '../shared/address.ts';
import { call, callJson, keyVersion } from '../shared/api.ts';
import type { Memory, MemoryStats } from '../shared/contract.ts';
import { dayText } from '../shared/instants.ts';
import type { Query } from '../shared/router.ts';
import { inOrder } from '../shared/text.ts';
import { Confirm } from '../shell/confirm.tsx';
import { Field } from '../shell/fields.tsx';
import { PageHeading } from '../shell/page-heading.tsx';
import { useListed } from '../shell/use-listed.ts';
import { useLoaded } from '../shell/use-loaded.ts';
import { MemoryDialog, type MemoryFields, typeNames } from './memory-dialog.tsx';

/** The query of a call, without what is empty. */
const asked = (given: Readonly<Record<string, string | undefined>>): string => {
  const all = Object.entries(given).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return all.length > 0 ? `?${new URLSearchParams(all)}` : '';
};

export function MemoryPage() {
  const at = address.value;
  const query = at.page === 'memory' ? (at.query ?? {}) : {};
  return (
    <main id="main" class="document" tabIndex={-1}>
      <PageHeading title="Memory" />
      <Memories key={`${keyVersion.value} ${query['user'] ?? ''}`} query={query} />
    </main>
  );
}

function Memories({ query }: { readonly query: Query }) {
  const { type, tag, history, user } = query;
  const [changes, setChanges] = useState(0);
  const [listed, more] = useListed<Memory, { readonly damaged?: readonly object[] }>(
    `v1/memories${asked({ type, tag, history, user, limit: '50' })}`,
    changes,
  );
  const [stats] = useLoaded(
    (stopped) => callJson<MemoryStats>(`v1/memories/stats${asked({ user })}`, { signal: stopped }),
    [user],
    changes,
  );
  const [edited, setEdited] = useState<Memory | 'new'>();
  const [leaving, setLeaving] = useState<Memory | 'all'>();
  const title = useRef<HTMLHeadingElement>(null);
  // Behind the dialog, which gives focus back to where it was.
  useEffect(() => {
    if (changes > 0) title.current?.focus();
  }, [changes]);
  const changed = (said: string): void => {
    setChanges((count) => count + 1);
    tell(said);
  };
  const save = async (fields: MemoryFields): Promise<void> => {
    const isNew = edited === 'new';
    const path = isNew ? 'v1/memories' : `v1/memories/${encodeURIComponent((edited as Memory).id)}${asked({ user })}`;
    await call(path, { method: isNew ? 'POST' : 'PATCH', body: { ...fields, ...(isNew && user && { user }) } });
    setEdited(undefined);
    changed('The memory was saved.');
  };
  const leave = async (one: Memory | 'all'): Promise<void> => {
    setLeaving(undefined);
    if (one === 'all') {
      const { erased } = await callJson<{ erased: number }>(`v1/memories${asked({ user })}`, { method: 'DELETE' });
      changed(`Erased ${erased === 1 ? 'one memory' : `${erased} memories`}.`);
    } else {
      await call(`v1/memories/${encodeURIComponent(one.id)}${asked({ user })}`, { method: 'DELETE' });
      changed('The memory was forgotten.');
    }
  };
  const whom = user === undefined ? 'you' : inOrder(user);
  const damaged = listed?.damaged?.length ?? 0;
  return (
    <section aria-labelledby="list-title">
      <h3 id="list-title" ref={title} tabIndex={-1}>
        What is remembered of {whom}
      </h3>
      {stats && (
        <p id="stats" class="place">
          {`${stats.total} that hold${stats.superseded > 0 ? `, ${stats.superseded} whose place another took` : ''}`}
        </p>
      )}
      <Filters query={query} />
      <div class="row">
        <button type="button" onClick={() => setEdited('new')}>
          Remember something
        </button>
        {stats && stats.total + stats.superseded > 0 && (
          <button type="button" onClick={() => setLeaving('all')}>
            Erase everything
          </button>
        )}
      </div>
      {damaged > 0 && (
        <p class="notice">{`${damaged} memories are damaged: forget them, and say again what they held.`}</p>
      )}
      {listed?.data.length === 0 && <p>Nothing is remembered here.</p>}
      <ul class="documents">
        {listed?.data.map((one) => (
          <li key={one.id}>
            <MemoryRow memory={one} onEdit={() => setEdited(one)} onForget={() => setLeaving(one)} />
          </li>
        ))}
      </ul>
      {more && (
        <button type="button" onClick={() => attempt(more())}>
          More memories
        </button>
      )}
      {edited && (
        <MemoryDialog
          {...(edited !== 'new' && { memory: edited })}
          onCancel={() => setEdited(undefined)}
          onSave={save}
        />
      )}
      {leaving && (
        <Confirm
          title={leaving === 'all' ? `Erase everything that is remembered of ${whom}?` : 'Forget this?'}
          keep="Keep it"
          act={leaving === 'all' ? 'Erase all of it' : 'Forget it'}
          onCancel={() => setLeaving(undefined)}
          onAct={() => attempt(leave(leaving))}
        >
          {leaving === 'all' ? (
            <p>All of it goes, whatever kind or tag the list shows.</p>
          ) : (
            <p dir="auto">{inOrder(leaving.text)}</p>
          )}
          <p>Answers and traces that speak of it lose its words. This cannot be undone.</p>
        </Confirm>
      )}
    </section>
  );
}

function Filters({ query }: { readonly query: Query }) {
  const set = (changes: Readonly<Record<string, string>>): void => {
    const all = Object.entries({ ...query, ...changes }).filter(([, value]) => value !== '');
    go({ page: 'memory', ...(all.length > 0 && { query: Object.fromEntries(all) }) });
  };
  return (
    <div class="fields">
      <label>
        Kind
        <select value={query['type'] ?? ''} onChange={({ currentTarget }) => set({ type: currentTarget.value })}>
          <option value="">all</option>
          {Object.entries(typeNames).map(([type, name]) => (
            <option key={type} value={type}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <Field label="Tag" value={query['tag'] ?? ''} onChoose={(tag) => set({ tag })} />
      <Field
        label="Person, where a key serves several"
        value={query['user'] ?? ''}
        onChoose={(user) => set({ user })}
      />
      <label class="tick">
        <input
          type="checkbox"
          checked={query['history'] === 'true'}
          onChange={({ currentTarget }) => set({ history: currentTarget.checked ? 'true' : '' })}
        />{' '}
        With what no longer holds
      </label>
    </div>
  );
}

interface MemoryRowProps {
  readonly memory: Memory;
  onEdit(): void;
  onForget(): void;
}

function MemoryRow({ memory, onEdit, onForget }: MemoryRowProps) {
  const { text, type, tags, origins, updatedAt, validUntil, usageCount } = memory;
  const sessions = origins.flatMap(({ sessionId }) => sessionId ?? []);
  const name = inOrder(text.slice(0, 60));
  return (
    <div>
      <p dir="auto">{inOrder(text)}</p>
      <p class="place">
        {[
          typeNames[type],
          tags.length > 0 && inOrder(tags.join(', ')),
          dayText(updatedAt),
          validUntil && `held until ${dayText(validUntil)}`,
          sessions.length > 0
            ? `said in ${sessions.length === 1 ? 'a session' : `${sessions.length} sessions`}`
            : 'written down',
          `used ${usageCount === 1 ? 'once' : `${usageCount} times`}`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <div class="row">
        {!validUntil && (
          <button type="button" aria-label={`Edit: ${name}`} onClick={onEdit}>
            Edit
          </button>
        )}
        <button type="button" aria-label={`Forget: ${name}`} onClick={onForget}>
          Forget
        </button>
      </div>
    </div>
  );
}
