// What can be done with a trace: keep it, save it as a file, make a case for evaluations of it, take it away with its answer.
import { useState } from 'preact/hooks';
import { attempt, tell } from '../ask/session.ts';
import { follow, go, hrefOf } from '../shared/address.ts';
import type { TraceSummary } from '../shared/contract.ts';
import { copyText } from '../shared/copy.ts';
import { useModal } from '../shell/dialogs.tsx';
import { caseCommandOf } from './facts.ts';
import { deleteAnswer, exportTrace, pinTrace } from './load.ts';

export function Actions({ trace, onChanged }: { readonly trace: TraceSummary; onChanged(): void }) {
  const { id, pinned, answerId, sessionId } = trace;
  const [isLeaving, setLeaving] = useState(false);
  const pin = async (): Promise<void> => {
    await pinTrace(id, !pinned);
    tell(pinned ? 'It is pruned when its time comes.' : 'It is kept until somebody lets it go.');
    onChanged();
  };
  const command = caseCommandOf(id);
  const copyCase = async (given: string): Promise<void> => {
    await copyText(given);
    tell('Copied: run it where the server runs.');
  };
  const remove = async (): Promise<void> => {
    setLeaving(false);
    if (answerId) await deleteAnswer(answerId);
    go({ page: 'traces' });
    tell('The answer and its trace are deleted.');
  };
  return (
    <div class="row trace-actions">
      <button type="button" aria-pressed={pinned === true} onClick={() => attempt(pin())}>
        Pin
      </button>
      <button type="button" onClick={() => attempt(exportTrace(id))}>
        Export
      </button>
      {command && (
        <button
          type="button"
          title="A command for the machine of the server: it adds this question to a suite"
          onClick={() => attempt(copyCase(command))}
        >
          Copy as eval case
        </button>
      )}
      {answerId && !sessionId && (
        <button type="button" onClick={() => setLeaving(true)}>
          Delete
        </button>
      )}
      {sessionId && (
        <>
          <a href={hrefOf({ page: 'ask', session: sessionId })} onClick={follow({ page: 'ask', session: sessionId })}>
            Its session
          </a>
          <a href={hrefOf({ page: 'traces', id: sessionId })} onClick={follow({ page: 'traces', id: sessionId })}>
            Traces of its session
          </a>
        </>
      )}
      {isLeaving && <DeleteDialog onCancel={() => setLeaving(false)} onDelete={() => attempt(remove())} />}
    </div>
  );
}

function DeleteDialog({ onCancel, onDelete }: { onCancel(): void; onDelete(): void }) {
  const dialog = useModal();
  return (
    <dialog ref={dialog} aria-labelledby="delete-title" onClose={onCancel}>
      <h2 id="delete-title">Delete this answer and its trace?</h2>
      <p>Nothing brings them back.</p>
      <div class="row">
        <button type="button" onClick={() => dialog.current?.close()}>
          Keep them
        </button>
        <button type="button" class="main" onClick={onDelete}>
          Delete them
        </button>
      </div>
    </dialog>
  );
}
