// Writes a memory down, or changes one.
import { useRef, useState } from 'preact/hooks';
import { tell } from '../ask/session.ts';
import { failureOf } from '../shared/api.ts';
import type { Memory } from '../shared/contract.ts';
import { inOrder } from '../shared/text.ts';
import { listed, writtenIn } from '../shared/written.ts';
import { useModal } from '../shell/dialogs.tsx';

export const typeNames: Readonly<Record<Memory['type'], string>> = {
  semantic: 'what is so',
  preference: 'what is wished',
  procedural: 'how something is done',
  episodic: 'what happened',
};

export interface MemoryFields {
  readonly text: string;
  readonly type: string;
  readonly tags: readonly string[];
}

interface MemoryDialogProps {
  readonly memory?: Memory;
  onCancel(): void;
  /** What fails is said in the dialog, beside what was written. */
  onSave(fields: MemoryFields): Promise<void>;
}

export function MemoryDialog({ memory, onCancel, onSave }: MemoryDialogProps) {
  const dialog = useModal();
  const form = useRef<HTMLFormElement>(null);
  const [failure, setFailure] = useState<ReturnType<typeof failureOf>>();
  const fail = (error: unknown): void => {
    const failed = failureOf(error);
    setFailure(failed);
    tell(`${failed.title}. ${failed.detail}`);
  };
  return (
    <dialog ref={dialog} aria-labelledby="memory-title" onClose={onCancel}>
      <h2 id="memory-title">{memory ? 'Edit what is remembered' : 'Remember something'}</h2>
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          const { text } = writtenIn(form.current);
          onSave({
            text: text('text'),
            type: text('type'),
            tags: listed(text('tags')),
          }).catch(fail);
        }}
      >
        <label>
          In your words
          <textarea name="text" required maxLength={2000} defaultValue={memory?.text ?? ''} dir="auto" />
        </label>
        <label>
          Kind{' '}
          <select name="type">
            {Object.entries(typeNames).map(([type, name]) => (
              <option key={type} value={type} selected={type === memory?.type}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label class="below">
          Tags, with commas between
          <input name="tags" defaultValue={memory?.tags.join(', ') ?? ''} />
        </label>
        {failure && <p class="notice failure">{`${inOrder(failure.title)}. ${inOrder(failure.detail)}`}</p>}
        <div class="row">
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button type="submit" class="main">
            Save
          </button>
        </div>
      </form>
    </dialog>
  );
}
