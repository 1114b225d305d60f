// What the keys of the keyboard do on these pages.
import {
  attempt,
  closeCitation,
  copyMarkdown,
  draft,
  isRunning,
  newSession,
  openCitation,
  opened,
  stop,
  turns,
} from '../ask/session.ts';
import { address, go } from '../shared/address.ts';
import { type Action, createKeys } from '../shared/keys.ts';
import { answerMarkdown, claimMarkdown } from '../shared/markdown.ts';
import { claimsInText } from '../shared/marks.ts';
import { isHelpOpen, lettersAreOn } from './dialogs.tsx';

const focusedClaim = (): HTMLElement | undefined => document.activeElement?.closest<HTMLElement>('.claim') ?? undefined;

/** The answer that has focus, else the last. */
function answerAtHand() {
  const id = document.activeElement?.closest<HTMLElement>('[data-answer]')?.dataset['answer'];
  const answers = turns.value.flatMap(({ answer }) => answer.value ?? []);
  return answers.find((one) => one.id === id) ?? answers.at(-1);
}

// Each says whether there was something to do it with.

function moveClaim(by: number): boolean {
  const all = [...document.querySelectorAll<HTMLElement>('.claim')];
  const claim = focusedClaim();
  const at = claim ? all.indexOf(claim) + by : by > 0 ? 0 : all.length - 1;
  const next = all[Math.max(0, Math.min(all.length - 1, at))];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
  return next !== undefined;
}

function openNumber(number: number): boolean {
  const answer = answerAtHand();
  if (!answer) return false;
  const place = focusedClaim()?.dataset['claim'];
  const cited = place === undefined ? undefined : claimsInText(answer)[Number(place)]?.citations;
  const index = cited ? cited[number - 1] : number;
  if (index !== undefined && answer.citations.some((one) => one.index === index)) openCitation(answer.id, index);
  return true;
}

function copy(): boolean {
  const answer = answerAtHand();
  if (!answer) return false;
  const place = focusedClaim()?.dataset['claim'];
  const text = place === undefined ? answerMarkdown(answer) : claimMarkdown(answer, Number(place));
  attempt(copyMarkdown(text, answer.id));
  return true;
}

function press(id: string): boolean {
  const button = document.getElementById(id);
  button?.click();
  return button !== null;
}

/** Puts what was written without a look at where behind what stands in the question, where nothing else has focus. */
function write(text: string): boolean {
  const field = document.getElementById('question');
  if (address.value.page !== 'ask' || !field || (document.activeElement as HTMLElement | null)?.tabIndex !== -1)
    return false;
  field.focus();
  // What covers the page keeps focus.
  const isHere = document.activeElement === field;
  if (isHere) draft.value += text;
  return isHere;
}

function perform(action: Action): boolean {
  switch (action.do) {
    case 'question':
      document.getElementById('question')?.focus();
      return true;
    case 'escape':
      if (isRunning.value) stop();
      else if (opened.value) closeCitation();
      else return false;
      return true;
    case 'next-claim':
      return moveClaim(1);
    case 'previous-claim':
      return moveClaim(-1);
    case 'citation':
      return openNumber(action.number);
    case 'own-tab':
    case 'zoom-in':
    case 'zoom-out':
    case 'zoom-fit':
      return press(action.do);
    case 'copy':
      return copy();
    case 'write':
      return write(action.text);
    case 'help':
      isHelpOpen.value = true;
      return true;
    case 'new-session':
      newSession();
      return true;
    default:
      go({ page: action.do });
      return true;
  }
}

export function listenToKeys(): void {
  const actionOf = createKeys(() => lettersAreOn.value);
  addEventListener('keydown', (event) => {
    const target = event.target instanceof Element ? event.target : undefined;
    const action = actionOf({
      key: event.key,
      inField: target?.matches('input, textarea, select, [contenteditable]') ?? false,
      inDialog: document.querySelector('dialog[open]') !== null,
      modified: event.ctrlKey || event.altKey || event.metaKey,
      composing: event.isComposing,
    });
    // A key with nothing to do it with begins a question, as others do.
    if (action && (perform(action) || (action.do !== 'escape' && write(event.key)))) event.preventDefault();
  });
}
