// A form is taken as a whole or not at all: what cannot be read of it is told, as a field that shows what counts for nothing would mislead.
import { notice, report } from '../ask/session.ts';
import { Problem } from '../shared/api.ts';
import type { Needs } from '../shared/unread.ts';

/** Whether all fields were read. Those that were not are marked, and the first of them is told. */
export function areRead(form: HTMLFormElement, unread: readonly string[], needs: Needs): boolean {
  const wereRead = form.querySelector('input:invalid') === null;
  let told: string | undefined;
  for (const [name, need] of Object.entries(needs)) {
    const field = form.elements.namedItem(name);
    if (!(field instanceof HTMLInputElement)) continue;
    // A date that is half written has no value at all.
    const isUnread = unread.includes(name) || field.validity.badInput;
    field.setCustomValidity(isUnread ? need : '');
    if (isUnread) told ??= need;
  }
  if (told !== undefined) report(new Problem({ title: 'A field cannot be read', detail: told }, { status: 400 }));
  else if (!wereRead) notice.value = undefined;
  return told === undefined;
}
