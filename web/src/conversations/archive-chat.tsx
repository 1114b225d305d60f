// Questions to the archive: each look that is taken is told and drawn on the histogram, and every mark of the answer leads to the turn it rests on.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { attempt } from '../ask/session.ts';
import { follow, hrefOf } from '../shared/address.ts';
import { keyVersion } from '../shared/api.ts';
import type { ArchiveCitation } from '../shared/contract.ts';
import { segmentsOf } from '../shared/marks.ts';
import type { Query } from '../shared/router.ts';
import { counted, inOrder } from '../shared/text.ts';
import { ask, forget, forgetFormerKey, type Look, looks, running, type Said, stop, talk } from './chat.ts';
import { firstDay, lastDay, otherwise, ownTimeZone } from './range.ts';
import { timeOf, whoSaid } from './who.ts';

export function ArchiveChat({ query }: { readonly query: Query }) {
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(forgetFormerKey, [keyVersion.value]);
  return (
    <section id="chat" aria-labelledby="chat-title">
      <h3 id="chat-title">Ask the conversations</h3>
      {talk.value.map((said, at) => (
        <Talk key={at} said={said} isLast={at === talk.value.length - 1} query={query} />
      ))}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const question = field.current?.value.trim();
          if (!question || running.value) return;
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
            if (event.key === 'Escape') stop();
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
        />
        <div class="row">
          {running.value ? (
            <button type="button" onClick={stop}>
              Stop
            </button>
          ) : (
            <button type="submit" class="main">
              Ask them
            </button>
          )}
          {talk.value.length > 0 && (
            <button type="button" onClick={forget}>
              New chat
            </button>
          )}
        </div>
      </form>
    </section>
  );
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
