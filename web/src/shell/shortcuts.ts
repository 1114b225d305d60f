// What the keys of the keyboard do on these pages.
import {
  attempt,
  closeCitation,
  copyMarkdown,
  isRunning,
  newSession,
  openCitation,
  opened,
  stop,
  turns,
} from '../ask/session.ts';
import { go } from '../shared/address.ts';
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

function moveClaim(by: number): void {
  const all = [...document.querySelectorAll<HTMLElement>('.claim')];
  const claim = focusedClaim();
  const at = claim ? all.indexOf(claim) + by : by > 0 ? 0 : all.length - 1;
  const next = all[Math.max(0, Math.min(all.length - 1, at))];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

function openNumber(number: number): void {
  const answer = answerAtHand();
  if (!answer) return;
  const place = focusedClaim()?.dataset['claim'];
  const cited = place === undefined ? undefined : claimsInText(answer)[Number(place)]?.citations;
  const index = cited ? cited[number - 1] : number;
  if (index !== undefined && answer.citations.some((one) => one.index === index)) openCitation(answer.id, index);
}

function copy(): void {
  const answer = answerAtHand();
  if (!answer) return;
  const place = focusedClaim()?.dataset['claim'];
  const text = place === undefined ? answerMarkdown(answer) : claimMarkdown(answer, Number(place));
  attempt(copyMarkdown(text, answer.id));
}

function perform(action: Action): void {
  if (action.do === 'question') document.getElementById('question')?.focus();
  else if (action.do === 'escape') {
    if (isRunning.value) stop();
    else if (opened.value) closeCitation();
  } else if (action.do === 'next-claim') moveClaim(1);
  else if (action.do === 'previous-claim') moveClaim(-1);
  else if (action.do === 'citation') openNumber(action.number);
  else if (action.do === 'own-tab' || action.do === 'zoom-in' || action.do === 'zoom-out' || action.do === 'zoom-fit')
    document.getElementById(action.do)?.click();
  else if (action.do === 'copy') copy();
  else if (action.do === 'help') isHelpOpen.value = true;
  else if (action.do === 'new-session') newSession();
  else go({ page: action.do });
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
    if (!action || (action.do === 'escape' && !isRunning.value && !opened.value)) return;
    event.preventDefault();
    perform(action);
  });
}
