// Asks once more before something is taken away.
import type { ComponentChildren } from 'preact';
import { useModal } from './dialogs.tsx';

interface ConfirmProps {
  readonly title: string;
  /** What the two buttons say. */
  readonly keep: string;
  readonly act: string;
  readonly children: ComponentChildren;
  onCancel(): void;
  onAct(): void;
}

export function Confirm({ title, keep, act, children, onCancel, onAct }: ConfirmProps) {
  const dialog = useModal();
  return (
    <dialog ref={dialog} aria-labelledby="confirm-title" onClose={onCancel}>
      <h2 id="confirm-title">{title}</h2>
      {children}
      <div class="row">
        <button type="button" onClick={() => dialog.current?.close()}>
          {keep}
        </button>
        <button type="button" class="main" onClick={onAct}>
          {act}
        </button>
      </div>
    </dialog>
  );
}
