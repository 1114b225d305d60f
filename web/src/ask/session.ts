// The conversation that this tab shows: its turns, the one that is being answered, and the citation that is open. One event reader feeds it.
import { computed, type Signal, signal } from '@preact/signals';
import { address, go } from '../shared/address.ts';
import { call, callJson, failureOf, keyVersion, Problem } from '../shared/api.ts';
import type { Answer, Citation, Mark, SavedTurn, Session, StreamEvent } from '../shared/contract.ts';
import { copyText } from '../shared/copy.ts';
import { eventsOf } from '../shared/events.ts';
import { wordsOf } from '../shared/marks.ts';
import { stageTexts, stepOf } from '../shared/steps.ts';

export interface Step {
  readonly atMs: number;
  readonly text: string;
}
export interface Piece {
  readonly from: number;
  readonly text: string;
  readonly marks: readonly Mark[];
}
export type TurnState = 'running' | 'done' | 'stopped' | 'failed';

/** One question and what becomes of it. Each part is a signal, so that an event redraws what it changes alone. */
export interface Turn {
  readonly key: string;
  readonly question: string;
  readonly mode: string;
  readonly state: Signal<TurnState>;
  readonly stage: Signal<string>;
  readonly steps: Signal<readonly Step[]>;
  readonly pieces: Signal<readonly Piece[]>;
  readonly citations: Signal<readonly Citation[]>;
  readonly answer: Signal<Answer | undefined>;
  readonly failure: Signal<ReturnType<typeof failureOf> | undefined>;
}

export interface PastedFile {
  readonly path: string;
  readonly text: string;
  /** What it takes of a request. */
  readonly bytes: number;
}

export const turns = signal<readonly Turn[]>([]);
export const sessions = signal<readonly Session[]>([]);
/** What readers of the screen are told: stages and ends, never the text that streams. */
export const spoken = signal('');
export const notice = signal<ReturnType<typeof failureOf> | undefined>(undefined);
export const draft = signal('');
export const mode = signal('');
export const pasted = signal<readonly PastedFile[]>([]);
export const isRunning = computed(() => turns.value.some(({ state }) => state.value === 'running'));

let running: AbortController | undefined;
/** The session whose turns are in `turns`, and the key that they were fetched with; of what could not be fetched, no key. */
let shownSession: string | undefined;
let shownVersion = 0;
/** The last load of turns: what an earlier one brings, or fails with, is dropped. */
let loading: object | undefined;
let count = 0;

/** The same words twice are told twice: they are taken away between. */
export function tell(text: string): void {
  if (spoken.value !== text) {
    spoken.value = text;
    return;
  }
  spoken.value = '';
  setTimeout(() => {
    if (spoken.value === '') spoken.value = text;
  }, 100);
}

export const report = (error: unknown): void => {
  if (error instanceof DOMException && error.name === 'AbortError') return;
  const failure = failureOf(error);
  notice.value = failure;
  tell(`${failure.title}. ${failure.detail}`);
};

/** Work that nothing waits for: what fails of it is shown. */
export function attempt(work: Promise<unknown>): void {
  work.catch(report);
}

/** The answer that was copied, while its button says so. */
export const copied = signal<string | undefined>(undefined);
const copiedMs = 2000;
let copiedTimer: ReturnType<typeof setTimeout> | undefined;

export async function copyMarkdown(text: string, answerId: string): Promise<void> {
  await copyText(text);
  tell('Copied as Markdown.');
  copied.value = answerId;
  clearTimeout(copiedTimer);
  copiedTimer = setTimeout(() => (copied.value = undefined), copiedMs);
}

function newTurn(question: string, asked: string, answer?: Answer): Turn {
  count += 1;
  return {
    key: `turn-${count}`,
    question,
    mode: asked,
    state: signal(answer ? 'done' : 'running'),
    stage: signal(''),
    steps: signal([]),
    pieces: signal([]),
    citations: signal(answer?.citations ?? []),
    answer: signal(answer),
    failure: signal(undefined),
  };
}

/** The citation that the address names, with its words that answer and the citations beside it. */
export const opened = computed(() => {
  const at = address.value;
  if (at.page !== 'ask' || !at.cite) return undefined;
  const { answer: id, index } = at.cite;
  const turn = turns.value.find((one) => one.answer.value?.id === id);
  const citations = turn?.citations.value ?? [];
  const citation = citations.find((one) => one.index === index);
  const answer = turn?.answer.value;
  return citation && answer && { answerId: id, citation, citations, words: wordsOf(answer, citation) };
});

export function openCitation(answerId: string, index: number, how: 'push' | 'replace' = 'push'): void {
  const at = address.value;
  if (at.page !== 'ask') return;
  go({ ...at, cite: { answer: answerId, index } }, how);
  // A note for the evaluation of answers: nobody waits for it, and nobody misses it where it fails. Who steps on to the next has not chosen it.
  if (how === 'push')
    void call(`v1/answers/${encodeURIComponent(answerId)}/opened`, { body: { citation: index } }).catch(
      () => undefined,
    );
}

export function closeCitation(): void {
  const at = address.value;
  if (at.page !== 'ask' || !at.cite) return;
  const { cite, ...rest } = at;
  go(rest, 'replace');
  const marks = document.querySelectorAll<HTMLElement>(
    `[data-answer="${CSS.escape(cite.answer)}"] [data-citation="${cite.index}"]`,
  );
  marks[0]?.focus();
  // Where the source covers the page, what lies beneath takes focus only after it is gone.
  if (document.activeElement !== marks[0]) setTimeout(() => marks[0]?.focus());
}

/** The session that is shown, else a new one. It is called by its first question, which the server knows when it is answered. */
async function sessionHere(stopped: AbortSignal): Promise<string> {
  const at = address.value;
  if (at.page === 'ask' && at.session) return at.session;
  const created = await callJson<Session>('v1/rag/sessions', { body: {}, signal: stopped });
  stopped.throwIfAborted();
  shownSession = created.id;
  go({ page: 'ask', session: created.id }, 'replace');
  return created.id;
}

/** Asks, and shows each claim as it is verified. */
export async function ask(question: string): Promise<void> {
  if (isRunning.value) return;
  const turn = newTurn(question, mode.value);
  const files = pasted.value;
  pasted.value = [];
  if (hasLater.value) attempt(showLast([turn]));
  else turns.value = [...turns.value, turn];
  const own = new AbortController();
  running = own;
  const { signal: stopped } = own;
  notice.value = undefined;
  const startedAt = performance.now();
  try {
    const id = await sessionHere(stopped);
    const reply = await call(`v1/rag/sessions/${encodeURIComponent(id)}/messages`, {
      accept: 'text/event-stream',
      signal: stopped,
      body: {
        content: question,
        stream: true,
        ...(turn.mode && { mode: turn.mode }),
        ...(files.length > 0 && { workspace: files.map(({ path, text }) => ({ path, text })) }),
      },
    });
    if (!reply.body) throw new Error('The server sent no answer. Ask again.');
    for await (const event of eventsOf<StreamEvent>(reply.body)) take(turn, event, performance.now() - startedAt);
    if (!turn.answer.value) throw new Error('The connection ended before the answer was complete. Ask again.');
    turn.state.value = 'done';
    tell(endOf(turn.answer.value));
    // It is called by its first question as soon as that is answered.
    if (sessions.value.find((one) => one.id === id)?.title === undefined) loadSessions().catch(report);
  } catch (error) {
    const isStopped = stopped.aborted;
    turn.state.value = isStopped ? 'stopped' : 'failed';
    turn.failure.value = isStopped ? undefined : failureOf(error);
    if (!isStopped && draft.value === '') draft.value = question;
    // Who left the turn with its session is told of another one, and takes nothing along. What was pasted is nowhere else.
    if (!turns.value.includes(turn)) return;
    tell(isStopped ? 'Stopped.' : `${turn.failure.value?.title}. ${turn.failure.value?.detail}`);
    pasted.value = [...files, ...pasted.value];
  } finally {
    // Another question may be asked already.
    if (running === own) running = undefined;
  }
}

function take(turn: Turn, event: StreamEvent, atMs: number): void {
  const text = stepOf(event);
  if (text !== undefined) turn.steps.value = [...turn.steps.value, { atMs, text }];
  if (event.type === 'status') {
    turn.stage.value = stageTexts[event.stage] ?? event.stage;
    tell(turn.stage.value);
  } else if (event.type === 'citation') turn.citations.value = [...turn.citations.value, event.citation];
  else if (event.type === 'delta') {
    const last = turn.pieces.value.at(-1);
    const from = last ? last.from + last.text.length : 0;
    turn.pieces.value = [...turn.pieces.value, { from, text: event.text, marks: event.marks ?? [] }];
  } else if (event.type === 'error') throw new Problem(event.problem, event.problem);
  else if (event.type === 'done') {
    turn.citations.value = event.answer.citations;
    turn.answer.value = event.answer;
  }
}

function endOf(answer: Answer): string {
  const shown = answer.claims.filter(({ confirmed }) => confirmed !== false).length;
  if (answer.abstained) return 'No answer was found.';
  return `Answered with ${shown} claim${shown === 1 ? '' : 's'}, each checked against its source.`;
}

export function stop(): void {
  running?.abort();
}

export function newSession(): void {
  stop();
  shownSession = undefined;
  shownVersion = keyVersion.value;
  showOnly([]);
  notice.value = undefined;
  go({ page: 'ask' });
  tell('New session: earlier questions are no longer referred to.');
}

/** Leads to the turns before those that are shown; undefined: there are none. */
export const earlier = signal<string | undefined>(undefined);
/** Whether turns behind those that are shown were let go: a session may have thousands, and a page never does. */
export const hasLater = signal(false);
const mostTurns = 200;

/** Nothing is known of the turns before and behind these any more. */
function showOnly(kept: readonly Turn[]): void {
  loading = undefined;
  turns.value = kept;
  earlier.value = undefined;
  hasLater.value = false;
}

async function loadTurns(id: string, cursor?: string): Promise<void> {
  const from = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
  const path = `v1/rag/sessions/${encodeURIComponent(id)}/messages?limit=50${from}`;
  const own = {};
  loading = own;
  try {
    const { data, nextCursor } = await callJson<{ data: SavedTurn[]; nextCursor?: string }>(path);
    if (loading !== own) return;
    const known = new Set(turns.value.map(({ answer }) => answer.value?.id));
    const others = data.filter(({ answer }) => !known.has(answer.id));
    const all = [...others.map(({ content, answer }) => newTurn(content, '', answer)), ...turns.value];
    // Where an answer is under way all stay.
    const isCut = all.length > mostTurns && !isRunning.value;
    turns.value = isCut ? all.slice(0, mostTurns) : all;
    hasLater.value ||= isCut;
    earlier.value = nextCursor;
  } catch (error) {
    if (loading === own) throw error;
  }
}

/** Shows the last turns of the session that the address names, unless they are shown. A question under way goes on with a new key. */
export async function showSession(id: string | undefined): Promise<void> {
  const isOther = id !== shownSession;
  const version = keyVersion.value;
  if (!isOther && version === shownVersion) return;
  if (isOther) stop();
  showOnly(isOther ? [] : turns.value.filter(({ state }) => state.value === 'running'));
  shownSession = id;
  shownVersion = version;
  notice.value = undefined;
  if (id === undefined) return;
  try {
    await loadTurns(id);
  } catch (error) {
    shownVersion = -1;
    throw error;
  }
}

/** Shows the end of the session again; a question that is asked stands behind it. */
export async function showLast(asked: readonly Turn[] = []): Promise<void> {
  showOnly(asked);
  if (shownSession !== undefined) await loadTurns(shownSession);
}

export async function showEarlier(): Promise<void> {
  if (shownSession !== undefined && earlier.value !== undefined) await loadTurns(shownSession, earlier.value);
}

export async function loadSessions(): Promise<void> {
  const version = keyVersion.value;
  const { data } = await callJson<{ data: Session[] }>('v1/rag/sessions?limit=50');
  if (version === keyVersion.value) sessions.value = data;
}
