// The chat over the archive: what was asked and answered with the present key, and the looks that were taken for the last question. It stays while a
// thread is read, so that going back shows it again.
import { signal } from '@preact/signals';
import { tell } from '../ask/session.ts';
import { address, go } from '../shared/address.ts';
import { call, failureOf, keyVersion, Problem } from '../shared/api.ts';
import type {
  ArchiveChatAnswer,
  ArchiveChatEvent,
  ArchiveCitation,
  ProblemBody,
  StreamEvent,
} from '../shared/contract.ts';
import { eventsOf } from '../shared/events.ts';
import { counted } from '../shared/text.ts';
import { otherwise } from './range.ts';

type ChatEvent =
  | ArchiveChatEvent
  | (ArchiveChatAnswer & { readonly type: 'done' })
  | { readonly type: 'error'; readonly problem: ProblemBody & { readonly status: number } };
type Marks = Extract<StreamEvent, { readonly type: 'delta' }>['marks'];

export interface Said {
  readonly question: string;
  readonly text: string;
  readonly marks: NonNullable<Marks>;
  readonly citations: readonly ArchiveCitation[];
  readonly turnsRead: number;
  readonly answer?: ArchiveChatAnswer;
  readonly failure?: string;
}

const begun = (question: string): Said => ({ question, text: '', marks: [], citations: [], turnsRead: 0 });

function withEvent(said: Said, event: ChatEvent): Said {
  if (event.type === 'delta')
    return { ...said, text: said.text + event.text, marks: [...said.marks, ...(event.marks ?? [])] };
  if (event.type === 'citation') return { ...said, citations: [...said.citations, event] };
  if (event.type === 'turn') return { ...said, turnsRead: said.turnsRead + 1 };
  if (event.type !== 'done') return said;
  const { answer: text, marks = said.marks, citations } = event;
  return { ...said, text, marks, citations, answer: event };
}

export interface Look extends Omit<Extract<ArchiveChatEvent, { readonly type: 'peek' }>, 'type'> {
  /** From 1. */
  readonly number: number;
}

export const talk = signal<readonly Said[]>([]);
/** They are drawn where what was looked for is. */
export const looks = signal<readonly Look[]>([]);
/** Present while an answer streams. */
export const running = signal<AbortController | undefined>(undefined);
let chatId: string | undefined;
/** What was said before the question under way, and what that is asked with; it is asked again with another key. */
let before: readonly Said[] = [];
let body: { conversation_id?: string; readonly messages: readonly object[] } | undefined;
/** The key that the talk was had with. */
let version = keyVersion.value;

export function forget(): void {
  running.value?.abort();
  running.value = undefined;
  chatId = undefined;
  looks.value = [];
  talk.value = [];
}

/** What a former key was told is not shown to the next; a question under way goes on with it. */
export function forgetFormerKey(): void {
  if (version === keyVersion.value) return;
  version = keyVersion.value;
  if (!running.value) {
    forget();
    return;
  }
  chatId = undefined;
  before = [];
  if (body) delete body.conversation_id;
  looks.value = [];
  talk.value = talk.value.slice(-1);
}

export function stop(): void {
  if (!running.value) return;
  running.value.abort();
  running.value = undefined;
  talk.value = talk.value.map((one) => (one.answer ? one : { ...one, failure: 'Stopped.' }));
  tell('Stopped.');
}

export async function ask(question: string): Promise<void> {
  const own = new AbortController();
  before = talk.value;
  let said = begun(question);
  const show = (next: Said): void => {
    said = next;
    if (!own.signal.aborted) talk.value = [...before, said];
  };
  running.value = own;
  looks.value = [];
  show(said);
  tell('Looking through the conversations…');
  try {
    body = { ...(chatId && { conversation_id: chatId }), messages: [{ role: 'user', content: question }] };
    const reply = await call('chat?events=all', { body, accept: 'text/event-stream', signal: own.signal });
    if (!reply.body) throw new Error('The server sent no answer. Ask again.');
    for await (const event of eventsOf<ChatEvent>(reply.body)) {
      if (own.signal.aborted) return;
      if (event.type === 'error') throw new Problem(event.problem, event.problem);
      if (event.type === 'peek') take(event);
      show(withEvent(said, event));
    }
    if (!said.answer) throw new Error('The connection ended before the answer was complete. Ask again.');
    chatId = said.answer.conversation_id;
    const count = said.citations.length;
    tell(
      count > 0
        ? `Answered with ${counted(count, 'quote')} of conversations.`
        : 'The conversations do not answer this.',
    );
  } catch (error) {
    if (own.signal.aborted) return;
    show({ ...said, failure: failureOf(error).detail });
    throw error;
  } finally {
    if (running.value === own) running.value = undefined;
  }
}

/** A look is numbered, and the first one decides what the histogram shows. */
function take({ type: _, ...look }: Extract<ChatEvent, { readonly type: 'peek' }>): void {
  const number = looks.value.length + 1;
  looks.value = [...looks.value, { ...look, number }];
  const at = address.value;
  if (number === 1 && at.page === 'conversations' && at.id === undefined)
    go(otherwise({}, { q: look.query, meaning: at.query?.['meaning'] }), 'replace');
}
