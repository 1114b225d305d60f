// A conversation turn by turn: in pages, from its beginning or around one turn, and never more of it than can be drawn at once.
import { useEffect, useRef, useState } from 'preact/hooks';
import { attempt, tell } from '../ask/session.ts';
import { follow, go, hrefOf } from '../shared/address.ts';
import { call, callJson } from '../shared/api.ts';
import type { ArchivedConversation, ReadTurn } from '../shared/contract.ts';
import { counted, inOrder, inPlace } from '../shared/text.ts';
import { Confirm } from '../shell/confirm.tsx';
import { isAdmin } from '../shell/holdings.ts';
import { PageHeading } from '../shell/page-heading.tsx';
import { useLoaded } from '../shell/use-loaded.ts';
import {
  around,
  fromStart,
  mostNeighbours,
  pageTurns,
  type ThreadWindow,
  withEarlier,
  withLater,
} from './thread-window.ts';
import { spanOf, timeOf, whoSaid } from './who.ts';

interface ThreadProps {
  readonly id: string;
  /** The turn that it is opened at. */
  readonly turn: string | undefined;
}
interface TurnPage {
  readonly data: readonly ReadTurn[];
  readonly nextCursor?: string;
}

const pathOf = (id: string): string => `v1/conversations/${encodeURIComponent(id)}`;

const turnsFrom = (id: string, cursor?: string): Promise<TurnPage> =>
  callJson<TurnPage>(
    `${pathOf(id)}/turns?${new URLSearchParams({ limit: `${pageTurns}`, ...(cursor && { cursor }) })}`,
  );

const readTurn = (id: string, turn: string, more: Readonly<Record<string, string>>): Promise<ReadTurn> =>
  callJson<ReadTurn>(`v1/turns/${encodeURIComponent(turn)}?${new URLSearchParams({ conversation_id: id, ...more })}`);

const beside = { neighbours: `${mostNeighbours}` };

export function Thread({ id, turn }: ThreadProps) {
  const [about] = useLoaded((stopped) => callJson<ArchivedConversation>(pathOf(id), { signal: stopped }), [id]);
  const [held, setHeld] = useLoaded(
    async () => (turn === undefined ? fromStart(await turnsFrom(id)) : around(await readTurn(id, turn, beside))),
    [id, turn],
  );
  const [leaving, setLeaving] = useState(false);
  const title = about ? inOrder(about.title) || inOrder(id) : 'Conversation';
  const all = { page: 'conversations' } as const;
  const isOpen = about !== undefined && held !== undefined;

  const later = async (now: ThreadWindow): Promise<void> => {
    const last = now.turns.at(-1);
    if (now.cursor !== undefined) setHeld(withLater(now, await turnsFrom(id, now.cursor)));
    else if (last) setHeld(withLater(now, { data: (await readTurn(id, last.turn_id, beside)).next ?? [] }));
  };
  const earlier = async (now: ThreadWindow): Promise<void> => {
    const [first] = now.turns;
    if (first) setHeld(withEarlier(now, (await readTurn(id, first.turn_id, beside)).previous ?? []));
  };
  const remove = async (): Promise<void> => {
    setLeaving(false);
    await call(pathOf(id), { method: 'DELETE' });
    tell(`Removed ${title}.`);
    go(all);
  };
  // A private one that can be read is the caller's own; of a shared one only admins are sure to be allowed to remove it.
  const mayRemove = about && (!about.shared || isAdmin.value);

  return (
    <>
      <a href={hrefOf(all)} onClick={follow(all)}>
        All conversations
      </a>
      <PageHeading title={title}>
        <bdi>{title}</bdi>
      </PageHeading>
      {about && (
        <p class="place">
          {`${inOrder(about.format)} · ${counted(about.turns, 'turn')} · ${spanOf(about.first_timestamp, about.last_timestamp)}${about.shared ? ' · shared with everyone' : ' · private'}`}
        </p>
      )}
      {mayRemove && (
        <button type="button" onClick={() => setLeaving(true)}>
          Remove
        </button>
      )}
      {isOpen && (
        <>
          {held.hasEarlier && (
            <button type="button" onClick={() => attempt(earlier(held))}>
              Earlier turns
            </button>
          )}
          <ol class="thread">
            {held.turns.map((one) => (
              <TurnItem key={one.turn_id} turn={one} isMeant={turn === one.turn_id || turn === one.source_turn_id} />
            ))}
          </ol>
          {held.hasLater && (
            <button type="button" onClick={() => attempt(later(held))}>
              Later turns
            </button>
          )}
        </>
      )}
      {leaving && (
        <Confirm
          title="Remove this conversation?"
          keep="Keep it"
          act="Remove it"
          onCancel={() => setLeaving(false)}
          onAct={() => attempt(remove())}
        >
          <p>
            <bdi>{title}</bdi>
          </p>
          <p>Its turns leave the archive, and what was answered out of them goes, too.</p>
        </Confirm>
      )}
    </>
  );
}

function TurnItem({ turn, isMeant }: { readonly turn: ReadTurn; readonly isMeant: boolean }) {
  const item = useRef<HTMLLIElement>(null);
  const [whole, setWhole] = useState<ReadTurn>();
  useEffect(() => {
    if (!isMeant) return;
    item.current?.focus();
    item.current?.scrollIntoView({ block: 'center' });
  }, [isMeant]);
  const { messages, timestamp, content_used: used } = whole ?? turn;
  return (
    <li ref={item} class="turn" tabIndex={-1} aria-current={isMeant ? 'true' : undefined} data-turn={turn.turn_id}>
      <p class="place">{timeOf(timestamp)}</p>
      {messages.map(({ role, author, text, attachments = [] }, at) => (
        <div key={at} class={`message ${role}`}>
          <p class="place">
            <bdi>{whoSaid({ role, author })}</bdi>
          </p>
          <p class="said" dir="auto">
            {inPlace(text)}
          </p>
          {attachments.length > 0 && <p class="place">{`With it: ${inOrder(attachments.join(', '))}`}</p>}
        </div>
      ))}
      {used === 'summary' && (
        <button
          type="button"
          onClick={() =>
            attempt(readTurn(turn.conversation_id, turn.turn_id, { content: 'full' }).then((read) => setWhole(read)))
          }
        >
          These are its most telling sentences: show all of it
        </button>
      )}
    </li>
  );
}
