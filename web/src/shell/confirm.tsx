// Asks once more before something is taken away.
import type { ComponentChildren } from 'preact';
import { useModal } from './dialogs.tsx';

interface ConfirmProps {
  readonly title: string;
  /** What the two buttons say. */
  readonly keep: string;
  readonly act: string;
  /** Another way to do it. */
  readonly other?: { readonly act: string; onAct(): void };
  readonly children: ComponentChildren;
  onCancel(): void;
  onAct(): void;
}

export function Confirm({ title, keep, act, other, children, onCancel, onAct }: ConfirmProps) {
  const dialog = useModal();
  return (
    <dialog ref={dialog} aria-labelledby="confirm-title" onClose={onCancel}>
      <h2 id="confirm-title">{title}</h2>
      {children}
      <div class="row">
        <button type="button" onClick={() => dialog.current?.close()}>
          {keep}
        </button>
        {other && (
          <button type="button" onClick={other.onAct}>
            {other.act}
          </button>
        )}
        <button type="button" class="main" onClick={onAct}>
          {act}
        </button>
      </div>
    </dialog>
  );
}
