// One question with its answer, while it is made and after.
import { useState } from 'preact/hooks';
import { isOpen } from '../documents/upload-queue.ts';
import { isUploading, uploads } from '../documents/uploads.ts';
import { counted, inOrder } from '../shared/text.ts';
import { Countdown } from '../shell/countdown.tsx';
import { AnswerView, EditQuestion } from './answer.tsx';
import { Marked } from './marked.tsx';
import { ask, attempt, type Turn } from './session.ts';

export function TurnView({ turn }: { readonly turn: Turn }) {
  const state = turn.state.value;
  const answer = turn.answer.value;
  const [isHere] = useState(state === 'running');
  return (
    <article class="turn" data-state={state} data-here={isHere || undefined}>
      <div class="asked">
        <h2 dir="auto">{inOrder(turn.question)}</h2>
        {state !== 'running' && <EditQuestion question={turn.question} />}
      </div>
      <Steps turn={turn} />
      <Unread turn={turn} />
      {answer ? <AnswerView answer={answer} /> : <Streamed turn={turn} />}
    </article>
  );
}

/** Files of this page that were still on their way in when this was asked, and how to ask again when they are in. */
function Unread({ turn }: { readonly turn: Turn }) {
  const [count] = useState(() =>
    turn.state.value === 'running' ? uploads.value.filter(({ state }) => isOpen(state)).length : 0,
  );
  if (count === 0) return null;
  const isIn = !isUploading.value && turn.state.value !== 'running';
  return (
    <p class="notice">
      {`${counted(count, 'file')} ${count === 1 ? 'was' : 'were'} still being read when this was asked: the answer may miss what stands there.`}{' '}
      {isIn && (
        <button type="button" class="link" onClick={() => attempt(ask(turn.question))}>
          Ask again
        </button>
      )}
    </p>
  );
}

/** The stage as one line, which unfolds into steps with their times. */
function Steps({ turn }: { readonly turn: Turn }) {
  const steps = turn.steps.value;
  if (steps.length === 0) return turn.state.value === 'running' ? <p class="stage">Asking…</p> : null;
  return (
    <details class="stage">
      <summary>{turn.state.value === 'running' ? turn.stage.value || 'Asking…' : 'What was done'}</summary>
      <ol>
        {steps.map(({ atMs, text }, at) => (
          <li key={at}>
            <span class="time">{`${Math.round(atMs)} ms`}</span> {inOrder(text)}
          </li>
        ))}
      </ol>
    </details>
  );
}

function Streamed({ turn }: { readonly turn: Turn }) {
  const pieces = turn.pieces.value;
  const failure = turn.failure.value;
  const isRunning = turn.state.value === 'running';
  return (
    <div class="answer">
      <p class={isRunning ? 'text pending' : 'text'}>
        {pieces.map(({ from, text, marks }) => (
          <Marked
            key={from}
            answerId={undefined}
            citations={turn.citations.value}
            text={text}
            span={{ start: 0, end: text.length }}
            marks={marks.map((mark) => ({ ...mark, start: mark.start - from, end: mark.end - from }))}
          />
        ))}
      </p>
      {turn.state.value === 'stopped' && <p class="notice">Stopped.</p>}
      {failure && (
        <p class="notice failure">
          <strong>{inOrder(failure.title)}.</strong> {inOrder(failure.detail)}
          {failure.againAtMs !== undefined && <Countdown what="Ask again" atMs={failure.againAtMs} />}
        </p>
      )}
    </div>
  );
}
