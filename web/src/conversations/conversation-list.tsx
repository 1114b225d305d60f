// The conversations that were brought in, last first, and a way to bring in more.
import { useRef, useState } from 'preact/hooks';
import { attempt, tell } from '../ask/session.ts';
import { follow, hrefOf } from '../shared/address.ts';
import { callJson } from '../shared/api.ts';
import type { ArchivedConversation, ImportReport } from '../shared/contract.ts';
import { counted, inOrder } from '../shared/text.ts';
import { mayWrite } from '../shell/holdings.ts';
import { useListed } from '../shell/use-listed.ts';
import { spanOf } from './who.ts';

export function ConversationList() {
  const [brought, setBrought] = useState(0);
  const [listed, more] = useListed<ArchivedConversation>('v1/conversations?limit=50', brought);
  return (
    <section aria-labelledby="list-title">
      <h3 id="list-title">All conversations</h3>
      {mayWrite.value && <BringIn onDone={() => setBrought((count) => count + 1)} />}
      {listed?.data.length === 0 && (
        <p>
          There are none yet. Exports of ChatGPT, Claude, Slack and WhatsApp, mailboxes and JSONL can be brought in.
        </p>
      )}
      <ul class="documents">
        {listed?.data.map((one) => {
          const to = { page: 'conversations', id: one.conversation_id } as const;
          return (
            <li key={one.conversation_id}>
              <div>
                <a href={hrefOf(to)} onClick={follow(to)}>
                  <bdi>{inOrder(one.title) || inOrder(one.conversation_id)}</bdi>
                </a>
                <p class="place">
                  {`${inOrder(one.format)} · ${counted(one.turns, 'turn')} · ${spanOf(one.first_timestamp, one.last_timestamp)}${one.shared ? ' · shared with everyone' : ''}`}
                </p>
              </div>
            </li>
          );
        })}
      </ul>
      {more && (
        <button type="button" onClick={() => attempt(more())}>
          More conversations
        </button>
      )}
    </section>
  );
}

function BringIn({ onDone }: { onDone(): void }) {
  const field = useRef<HTMLInputElement>(null);
  const [isReading, setReading] = useState(false);
  const [report, setReport] = useState<ImportReport>();
  const bring = async (file: File): Promise<void> => {
    const form = new FormData();
    form.append('file', file, file.name);
    setReading(true);
    try {
      const done = await callJson<ImportReport>('v1/conversations/import', { body: form });
      setReport(done);
      tell(outcomeOf(done));
      onDone();
    } finally {
      setReading(false);
    }
  };
  return (
    <>
      <div class="row">
        <button type="button" disabled={isReading} onClick={() => field.current?.click()}>
          {isReading ? 'Reading…' : 'Bring in an export'}
        </button>
        <input
          ref={field}
          type="file"
          hidden
          aria-label="Export"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            currentTarget.value = '';
            if (file) attempt(bring(file));
          }}
        />
      </div>
      {report && <p id="brought">{outcomeOf(report)}</p>}
      {report && report.warnings.length > 0 && (
        <details class="notice">
          <summary>What could not be read</summary>
          <ul>
            {report.warnings.map((warning) => (
              <li key={warning}>{inOrder(warning)}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

const outcomeOf = ({ conversations, turns: { created, updated, unchanged, removed } }: ImportReport): string =>
  `Read ${counted(conversations, 'conversation')}: ${created} new turns, ${updated} changed, ${unchanged} unchanged, ${removed} removed.`;
