// Deletes a document of the record, when asked twice.
import { attempt, tell } from '../ask/session.ts';
import { call } from '../shared/api.ts';
import { inOrder } from '../shared/text.ts';
import { Confirm } from '../shell/confirm.tsx';
import { loadHoldings } from '../shell/holdings.ts';

interface DeleteDocumentProps {
  readonly id: string;
  readonly title: string;
  /** It is kept, or its deletion was begun. */
  onEnd(): void;
  onDeleted(): void;
}

export function DeleteDocument({ id, title, onEnd, onDeleted }: DeleteDocumentProps) {
  const name = inOrder(title);
  const remove = async (): Promise<void> => {
    onEnd();
    await call(`v1/documents/${encodeURIComponent(id)}`, { method: 'DELETE' });
    tell(`Deleted ${name}.`);
    onDeleted();
    await loadHoldings();
  };
  return (
    <Confirm
      title="Delete this document?"
      keep="Keep it"
      act="Delete it"
      onCancel={onEnd}
      onAct={() => attempt(remove())}
    >
      <p>
        <bdi>{name}</bdi>
      </p>
      <p>It leaves every store. If its source mirrors another place, the next sync may bring it back.</p>
    </Confirm>
  );
}
