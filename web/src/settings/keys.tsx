// API keys, for admins: made, given another secret, revoked. A secret is shown once, by the page that asked for it, and is kept nowhere.
import { useRef, useState } from 'preact/hooks';
import { attempt, tell } from '../ask/session.ts';
import { Figures } from '../charts/figures.tsx';
import { call, callJson } from '../shared/api.ts';
import type { KeyLimits } from '../shared/contract.ts';
import { copyText } from '../shared/copy.ts';
import { dayText } from '../shared/instants.ts';
import { inOrder } from '../shared/text.ts';
import { writtenIn } from '../shared/written.ts';
import { Confirm } from '../shell/confirm.tsx';
import type { Caller } from '../shell/holdings.ts';
import { useLoaded } from '../shell/use-loaded.ts';
import { keyRequestOf, limitNames, limitsText } from './facts.ts';

interface Key {
  readonly id: string;
  readonly name: string;
  readonly tenant: string;
  readonly role: string;
  readonly createdAt: string;
  readonly revokedAt?: string;
  readonly expiresAt?: string;
  readonly lastUsedAt?: string;
  readonly sources?: readonly string[];
  readonly doors?: readonly string[];
  readonly limits?: KeyLimits;
}
interface MadeKey {
  readonly key: Key;
  readonly secret?: string;
}

/** A key that ends at midnight is good on the day before it. */
const lastDayOf = (instant: string): string => dayText(Date.parse(instant) - 1);

const daySeconds = 86_400;

export function Keys({ me }: { readonly me: Caller }) {
  const [keys, setKeys] = useLoaded(
    async (stopped) => (await callJson<{ data: Key[] }>('admin/keys', { signal: stopped })).data,
    [],
  );
  const [made, setMade] = useState<MadeKey>();
  const [leaving, setLeaving] = useState<Key>();
  const [rotated, setRotated] = useState<Key>();
  const title = useRef<HTMLHeadingElement>(null);
  const active = (keys ?? []).filter(({ revokedAt }) => revokedAt === undefined);
  // Shown from what was answered: after the first key another call would need one.
  const show = (next: MadeKey): void => {
    setMade(next);
    setKeys([next.key, ...(keys ?? []).filter(({ id }) => id !== next.key.id)]);
    tell('The key was made. Its secret is shown this once.');
  };
  const rotate = async ({ id }: Key, overlapSeconds: number): Promise<void> => {
    setRotated(undefined);
    show(await callJson<MadeKey>(`admin/keys/${encodeURIComponent(id)}/rotate`, { body: { overlapSeconds } }));
  };
  const revoke = async ({ id, name }: Key): Promise<void> => {
    setLeaving(undefined);
    await call(`admin/keys/${encodeURIComponent(id)}`, { method: 'DELETE' });
    setKeys((keys ?? []).filter((one) => one.id !== id));
    title.current?.focus();
    tell(`Revoked ${inOrder(name)}.`);
  };
  return (
    <section>
      <h3 id="keys-title" ref={title} tabIndex={-1}>
        Keys
      </h3>
      {keys && active.length === 0 && me.owner && !me.key && (
        <p class="notice">
          From the first key on, the server asks every caller for one: make one with the role admin first, and keep it.
        </p>
      )}
      {made?.secret && (
        <div id="secret" class="notice">
          <p>{`This is the secret of ${inOrder(made.key.name)}. It is shown this once.`}</p>
          <p>
            <code class="secret">{made.secret}</code>
          </p>
          <div class="row">
            <button
              type="button"
              onClick={() => attempt(copyText(made.secret ?? '').then(() => tell('The secret was copied.')))}
            >
              Copy the secret
            </button>
            <button type="button" onClick={() => setMade(undefined)}>
              I have kept it
            </button>
          </div>
        </div>
      )}
      <Figures
        name="Keys"
        columns={['Name', 'Role', 'Limited to', 'Made', 'Used last', 'Last day', 'Change it']}
        rows={active.map((key) => {
          const { id, name, tenant, role, sources, doors, limits, createdAt, lastUsedAt, expiresAt } = key;
          const own = id === me.key?.id;
          return {
            key: id,
            head: <bdi>{`${inOrder(name)}${own ? ' (yours)' : ''}`}</bdi>,
            cells: [
              role,
              inOrder(
                [
                  tenant !== me.tenant && `tenant ${tenant}`,
                  sources && `sources ${sources.join(', ')}`,
                  doors && `doors ${doors.join(', ')}`,
                  limitsText(limits),
                ]
                  .filter(Boolean)
                  .join('; '),
              ),
              dayText(createdAt),
              lastUsedAt ? dayText(lastUsedAt) : 'not yet',
              expiresAt ? lastDayOf(expiresAt) : '',
              <div key={id} class="row">
                <button type="button" aria-label={`New secret: ${inOrder(name)}`} onClick={() => setRotated(key)}>
                  New secret
                </button>
                <button type="button" aria-label={`Revoke: ${inOrder(name)}`} onClick={() => setLeaving(key)}>
                  Revoke
                </button>
              </div>,
            ],
          };
        })}
      />
      <MakeKey me={me} onMade={show} />
      {rotated && (
        <Confirm
          title="Give this key a new secret?"
          keep="Keep the present one"
          act="The present one ends now"
          other={{ act: 'Both open it for a day', onAct: () => attempt(rotate(rotated, daySeconds)) }}
          onCancel={() => setRotated(undefined)}
          onAct={() => attempt(rotate(rotated, 0))}
        >
          <p>
            <bdi>{inOrder(rotated.name)}</bdi>
          </p>
          <p>A secret that others may know should end now. One that was replaced before ends in any case.</p>
        </Confirm>
      )}
      {leaving && (
        <Confirm
          title="Revoke this key?"
          keep="Keep it"
          act="Revoke it"
          onCancel={() => setLeaving(undefined)}
          onAct={() => attempt(revoke(leaving))}
        >
          <p>
            <bdi>{inOrder(leaving.name)}</bdi>
          </p>
          <p>Whoever uses it is refused from now on, and what is streamed to them ends.</p>
        </Confirm>
      )}
    </section>
  );
}

interface MakeKeyProps {
  readonly me: Caller;
  onMade(made: MadeKey): void;
}

const allDoors = ['api', 'openai', 'anthropic', 'mcp'];

function MakeKey({ me, onMade }: MakeKeyProps) {
  const form = useRef<HTMLFormElement>(null);
  const make = async (): Promise<void> => {
    const { text, all } = writtenIn(form.current);
    const body = keyRequestOf({
      name: text('name'),
      role: text('role'),
      tenant: text('tenant'),
      groups: text('groups'),
      sources: text('sources'),
      doors: all('doors'),
      lastDay: text('lastDay'),
      limits: Object.fromEntries(Object.keys(limitNames).map((name) => [name, text(name)])),
    });
    onMade(await callJson<MadeKey>('admin/keys', { body }));
    form.current?.reset();
  };
  return (
    <details>
      <summary>Make a key</summary>
      <form
        ref={form}
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          attempt(make());
        }}
      >
        <label>
          Name of the key
          <input name="name" required maxLength={256} autocomplete="off" />
        </label>
        <label>
          Role
          <select name="role">
            <option value="reader">reader</option>
            <option value="writer">writer</option>
            <option value="admin">admin</option>
          </select>
        </label>
        {me.owner && (
          <label>
            Tenant (empty: {inOrder(me.tenant)})
            <input name="tenant" autocomplete="off" />
          </label>
        )}
        <label>
          Sources, with commas between (empty: all)
          <input name="sources" autocomplete="off" />
        </label>
        <label>
          Groups, with commas between
          <input name="groups" autocomplete="off" />
        </label>
        <label>
          Last day
          <input name="lastDay" type="date" />
        </label>
        <fieldset>
          <legend>Doors (none: all)</legend>
          {allDoors.map((door) => (
            <label key={door}>
              <input type="checkbox" name="doors" value={door} /> {`${door} `}
            </label>
          ))}
        </fieldset>
        <details class="broad">
          <summary>Limits</summary>
          <div class="fields">
            {Object.entries(limitNames).map(([name, called]) => (
              <label key={name}>
                {called}
                <input
                  name={name}
                  autocomplete="off"
                  {...(name !== 'rate' && { type: 'number', min: 0, step: 'any' })}
                />
              </label>
            ))}
          </div>
        </details>
        <button type="submit" class="main">
          Make the key
        </button>
      </form>
    </details>
  );
}
