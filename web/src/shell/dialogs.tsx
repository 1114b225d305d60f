// The dialogs of the shell: the key that the server asks for, and the keys of the keyboard.
import { signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { keyAsked } from '../shared/api.ts';
import { keyHelp } from '../shared/keys.ts';
import { inOrder } from '../shared/text.ts';

/** A dialog that is open while it is rendered. It is closed before it is taken away, which gives focus back to where it was. */
export function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return dialog;
}

export function KeyDialog() {
  const asked = keyAsked.value;
  return asked ? <OpenKeyDialog key={asked.reason} {...asked} /> : null;
}

function OpenKeyDialog({ reason, done }: NonNullable<typeof keyAsked.value>) {
  const dialog = useModal();
  const field = useRef<HTMLInputElement>(null);
  return (
    <dialog ref={dialog} id="key-dialog" aria-labelledby="key-title" onCancel={() => done(undefined)}>
      <form
        id="key-form"
        onSubmit={(event) => {
          event.preventDefault();
          done(field.current?.value.trim() ?? '');
        }}
      >
        <h2 id="key-title">API key</h2>
        <p id="key-reason">{inOrder(reason)}</p>
        <label for="key">Key</label>
        <input
          id="key"
          ref={field}
          type="password"
          autocomplete="off"
          spellcheck={false}
          aria-describedby="key-reason"
        />
        <div class="row">
          <button type="button" onClick={() => done(undefined)}>
            Cancel
          </button>
          <button type="submit" id="save-key">
            Use this key
          </button>
        </div>
      </form>
    </dialog>
  );
}

export const isHelpOpen = signal(false);

const lettersName = 'footnote-letters';
export const lettersAreOn = signal(localStorage.getItem(lettersName) !== 'off');

export function HelpDialog() {
  return isHelpOpen.value ? <OpenHelpDialog /> : null;
}

function OpenHelpDialog() {
  const dialog = useModal();
  const close = (): void => {
    isHelpOpen.value = false;
  };
  return (
    <dialog ref={dialog} aria-labelledby="help-title" onClose={close}>
      <h2 id="help-title">Shortcuts</h2>
      <dl class="keys">
        {keyHelp.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label>
        <input
          type="checkbox"
          checked={lettersAreOn.value}
          onChange={(event) => {
            lettersAreOn.value = event.currentTarget.checked;
            localStorage.setItem(lettersName, lettersAreOn.value ? 'on' : 'off');
          }}
        />{' '}
        Single letters and digits do this
      </label>
      <div class="row">
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
    </dialog>
  );
}
