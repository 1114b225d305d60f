// Questions to the archive: each look that is taken is told and drawn on the histogram, and every mark of the answer leads to the turn it rests on.
import { useEffect, useRef, useState } from 'preact/hooks';
import { attempt, tell } from '../ask/session.ts';
import { address, follow, go, hrefOf } from '../shared/address.ts';
import { call, keyVersion, Problem } from '../shared/api.ts';
import type {
  ArchiveChatAnswer,
  ArchiveChatEvent,
  ArchiveCitation,
  ProblemBody,
  StreamEvent,
} from '../shared/contract.ts';
import { eventsOf } from '../shared/events.ts';
import { segmentsOf } from '../shared/marks.ts';
import type { Query } from '../shared/router.ts';
import { inOrder } from '../shared/text.ts';
import { otherwise } from './archive-look.tsx';
import { type Look, looks } from './looks.ts';
import { firstDay, lastDay, ownTimeZone } from './range.ts';
import { counted, timeOf, whoSaid } from './who.ts';

type ChatEvent =
  | ArchiveChatEvent
  | (ArchiveChatAnswer & { readonly type: 'done' })
  | { readonly type: 'error'; readonly problem: ProblemBody & { readonly status: number } };
type Marks = Extract<StreamEvent, { readonly type: 'delta' }>['marks'];

interface Said {
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

export function ArchiveChat({ query }: { readonly query: Query }) {
  const [talk, setTalk] = useState<readonly Said[]>([]);
  const [running, setRunning] = useState<AbortController>();
  const chat = useRef<string | undefined>(undefined);
  const field = useRef<HTMLTextAreaElement>(null);
  const forget = (): void => {
    running?.abort();
    chat.current = undefined;
    looks.value = [];
    setTalk([]);
  };
  // What a former key was told is not shown to the next.
  useEffect(() => forget, [keyVersion.value]);

  const ask = async (question: string): Promise<void> => {
    const own = new AbortController();
    const earlier = talk;
    let said = begun(question);
    const show = (next: Said): void => {
      said = next;
      if (!own.signal.aborted) setTalk([...earlier, said]);
    };
    setRunning(own);
    looks.value = [];
    show(said);
    tell('Looking through the conversations…');
    try {
      const messages = [{ role: 'user', content: question }];
      const body = { ...(chat.current && { conversation_id: chat.current }), messages };
      const reply = await call('chat?events=all', { body, accept: 'text/event-stream', signal: own.signal });
      if (!reply.body) throw new Error('The server sent no answer. Ask again.');
      for await (const event of eventsOf<ChatEvent>(reply.body)) {
        if (event.type === 'error') throw new Problem(event.problem, event.problem);
        if (event.type === 'peek') take(event);
        show(withEvent(said, event));
      }
      if (!said.answer) throw new Error('The connection ended before the answer was complete. Ask again.');
      chat.current = said.answer.conversation_id;
      const count = said.citations.length;
      tell(
        count > 0
          ? `Answered with ${counted(count, 'quote')} of conversations.`
          : 'The conversations do not answer this.',
      );
    } catch (error) {
      show({ ...said, failure: own.signal.aborted ? 'Stopped.' : String(error instanceof Error ? error.message : '') });
      if (!own.signal.aborted) throw error;
    } finally {
      setRunning((now) => (now === own ? undefined : now));
    }
  };

  return (
    <section id="chat" aria-labelledby="chat-title">
      <h3 id="chat-title">Ask the conversations</h3>
      {talk.map((said, at) => (
        <Talk key={at} said={said} isLast={at === talk.length - 1} query={query} />
      ))}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const question = field.current?.value.trim();
          if (!question || running) return;
          if (field.current) field.current.value = '';
          attempt(ask(question));
        }}
      >
        <label for="chat-question">Question to the conversations</label>
        <textarea
          id="chat-question"
          ref={field}
          rows={1}
          maxLength={20_000}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
        />
        <div class="row">
          {running ? (
            <button
              type="button"
              onClick={() => {
                running.abort();
                setTalk((all) => all.map((one) => (one.answer ? one : { ...one, failure: 'Stopped.' })));
                setRunning(undefined);
                tell('Stopped.');
              }}
            >
              Stop
            </button>
          ) : (
            <button type="submit" class="main">
              Ask them
            </button>
          )}
          {talk.length > 0 && (
            <button type="button" onClick={forget}>
              New chat
            </button>
          )}
        </div>
      </form>
    </section>
  );
}

/** A look is numbered, and the first one decides what the histogram shows. */
function take({ type: _, ...look }: Extract<ChatEvent, { readonly type: 'peek' }>): void {
  const number = looks.value.length + 1;
  looks.value = [...looks.value, { ...look, number }];
  const at = address.value;
  if (number === 1 && at.page === 'conversations' && at.id === undefined)
    go(otherwise({}, { q: look.query, meaning: at.query?.['meaning'] }), 'replace');
}

function Talk({ said, isLast, query }: { readonly said: Said; readonly isLast: boolean; readonly query: Query }) {
  const { question, text, marks, citations, turnsRead, answer, failure } = said;
  const isDone = answer !== undefined || failure !== undefined;
  return (
    <article class="turn" data-state={isDone ? 'done' : 'running'}>
      <h4>
        <bdi>{inOrder(question)}</bdi>
      </h4>
      {isLast && looks.value.length > 0 && <Looks query={query} turnsRead={turnsRead} isDone={isDone} />}
      {(text || isDone) && (
        <div class="answer">
          <p class="text" dir="auto">
            {segmentsOf(text, { start: 0, end: text.length }, { marks }).map((segment, at) =>
              segment.citation === undefined ? (
                inOrder(segment.text)
              ) : (
                <TurnMark key={at} index={segment.citation} citations={citations} />
              ),
            )}
          </p>
          {failure && <p class="notice">{inOrder(failure)}</p>}
          {answer && answer.degraded.length > 0 && (
            <details class="notice">
              <summary>What was limited</summary>
              <ul>
                {answer.degraded.map((detail) => (
                  <li key={detail}>{inOrder(detail)}</li>
                ))}
              </ul>
            </details>
          )}
          {citations.length > 0 && (
            <ol class="citations">
              {citations.map((one) => (
                <li key={one.index}>
                  <p class="place">
                    {`[${one.index}] `}
                    <bdi>{inOrder(one.title)}</bdi>
                    {' · '}
                    <bdi>{whoSaid(one)}</bdi>
                    {` · ${timeOf(one.timestamp)}`}
                  </p>
                  <blockquote dir="auto">{inOrder(one.quote)}</blockquote>
                </li>
              ))}
            </ol>
          )}
        </div>
      )}
    </article>
  );
}

function TurnMark({ index, citations }: { readonly index: number; readonly citations: readonly ArchiveCitation[] }) {
  const cited = citations.find((one) => one.index === index);
  if (!cited) return <>{`[${index}]`}</>;
  const to = { page: 'conversations', id: cited.conversation_id, query: { turn: cited.turn_id } } as const;
  const name = `Source ${index}: ${inOrder(cited.title)}, ${timeOf(cited.timestamp)}`;
  return (
    <a class="mark" href={hrefOf(to)} onClick={follow(to)} aria-label={name} title={inOrder(cited.quote.slice(0, 300))}>
      {`[${index}]`}
    </a>
  );
}

interface LooksProps {
  readonly query: Query;
  readonly turnsRead: number;
  readonly isDone: boolean;
}

function Looks({ query, turnsRead, isDone }: LooksProps) {
  return (
    <details class="stage" open={!isDone}>
      <summary>{`${counted(looks.value.length, 'look')} at the archive, ${counted(turnsRead, 'turn')} read`}</summary>
      <ol>
        {looks.value.map((look) => (
          <li key={look.number}>
            <LookLine look={look} query={query} />
          </li>
        ))}
      </ol>
    </details>
  );
}

const zone = ownTimeZone();

function LookLine({ look, query }: { readonly look: Look; readonly query: Query }) {
  const { number, reason, hits, peaks, time_range: { from, to } = {} } = look;
  const shown = otherwise(query, { q: look.query, from, to, bin: undefined });
  const range = [from && firstDay(from, zone), to && lastDay(to, zone)].filter(Boolean).join(' to ');
  return (
    <>
      <a href={hrefOf(shown)} onClick={follow(shown)}>
        {`Look ${number}`}
      </a>
      {`: ${inOrder(reason)}${range && ` (${range})`}: ${counted(hits, 'hit')}${peaks.length > 0 ? `, most in ${inOrder(peaks.join(', '))}` : ''}`}
    </>
  );
}
