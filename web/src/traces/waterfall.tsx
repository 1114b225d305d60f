// Tree and waterfall in one: stages with what each called and decided, each with its bar on a line of time. What a call was asked and gave unfolds below it.
import { useState } from 'preact/hooks';
import type { PortCall } from '../shared/contract.ts';
import { cut, inOrder } from '../shared/text.ts';
import { timeOf } from './facts.ts';
import { type Row, type Scale, type Stage, shareAt } from './rows.ts';

export type Shown = 'all' | 'long' | 'odd';

interface WaterfallProps {
  readonly stages: readonly Stage[];
  readonly totalMs: number;
  readonly scale: Scale;
  readonly shown: Shown;
}

/** Of the whole time: what is shorter is no reason for a slow answer. */
const longShare = 0.01;

export function Waterfall({ stages, totalMs, scale, shown }: WaterfallProps) {
  const isShown = ({ fromMs, toMs, tone }: Row): boolean =>
    shown === 'all' || (shown === 'odd' ? tone !== undefined : toMs - fromMs >= longShare * totalMs);
  const time = { totalMs, scale };
  return (
    <ol class="tree">
      {stages.map(({ rows, ...stage }) => (
        <li key={stage.key}>
          <div class="step stage">
            <strong>{stage.label}</strong>
            <Track {...stage} {...time} />
            <span class="ms">{timeOf(stage.toMs - stage.fromMs)}</span>
          </div>
          <ol>
            {rows.filter(isShown).map((row) => (
              <li key={row.key} data-tone={row.tone}>
                <Step row={row} {...time} />
              </li>
            ))}
          </ol>
        </li>
      ))}
    </ol>
  );
}

interface Time {
  readonly totalMs: number;
  readonly scale: Scale;
}

function Step({ row, ...time }: { readonly row: Row } & Time) {
  const { label, fromMs, toMs, note, call, tone } = row;
  const [isOpen, setOpen] = useState(false);
  const isMoment = call === undefined && toMs === fromMs;
  const line = (
    <>
      <span class="name">
        {tone && <span class="sign">{tone === 'bad' ? 'failed: ' : 'look: '}</span>}
        {inOrder(label)}
      </span>
      <Track fromMs={fromMs} toMs={toMs} {...time} />
      <span class="ms">{isMoment ? `at ${timeOf(fromMs)}` : timeOf(toMs - fromMs)}</span>
      {note && <span class="note">{inOrder(note)}</span>}
    </>
  );
  if (!call) return <div class="step">{line}</div>;
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary class="step">{line}</summary>
      {isOpen && <Call call={call} />}
    </details>
  );
}

/** Places by script: the policy allows no style in the page's own markup. */
function Track({ fromMs, toMs, totalMs, scale }: { readonly fromMs: number; readonly toMs: number } & Time) {
  const [from, to] = [shareAt(fromMs, totalMs, scale), shareAt(toMs, totalMs, scale)];
  return (
    <span class="track" aria-hidden="true">
      <span
        class="span"
        ref={(element) => {
          if (!element) return;
          // Also what began at the very end is seen.
          element.style.left = `min(${from * 100}%, 100% - 2px)`;
          element.style.width = `${(to - from) * 100}%`;
        }}
      />
    </span>
  );
}

interface Message {
  readonly role: string;
  readonly content: string;
}

/** The prompt of a call of a language model. */
function messagesOf(request: unknown): readonly Message[] {
  const given = Array.isArray(request) ? request[0] : request;
  const messages = (given as { readonly messages?: unknown } | null)?.messages;
  return Array.isArray(messages)
    ? messages.filter(
        (one: Partial<Message> | null): one is Message =>
          typeof one?.role === 'string' && typeof one.content === 'string',
      )
    : [];
}

function Call({ call: { request, response, error } }: { readonly call: PortCall }) {
  const messages = messagesOf(request);
  const said = (response as { readonly text?: unknown } | null | undefined)?.text;
  return (
    <div class="call">
      {messages.map(({ role, content }, at) => (
        <Long key={at} name={`Prompt, ${role}`} text={content} />
      ))}
      {messages.length > 0 && typeof said === 'string' && <Long name="What it wrote" text={said} />}
      {error && <Long name="Error" text={toJson(error)} />}
      <Long name="Asked" text={toJson(request)} isFolded={messages.length > 0} />
      {response !== undefined && <Long name="Given" text={toJson(response)} isFolded={messages.length > 0} />}
    </div>
  );
}

const toJson = (value: unknown): string => JSON.stringify(value, undefined, 2) ?? '';

/** Characters that are laid out at once. */
const partLength = 20_000;

function Long({ name, text, isFolded }: { readonly name: string; readonly text: string; readonly isFolded?: boolean }) {
  const [length, setLength] = useState(partLength);
  const shown = (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: What scrolls must be reached by the keyboard. */}
      <pre class="long" tabIndex={0} dir="auto">
        {inOrder(cut(text, length))}
      </pre>
      {text.length > length && (
        <button type="button" onClick={() => setLength(length + 10 * partLength)}>
          {`More of ${text.length.toLocaleString()} characters`}
        </button>
      )}
    </>
  );
  if (isFolded)
    return (
      <details>
        <summary>{name}</summary>
        {shown}
      </details>
    );
  return (
    <>
      <p class="facts">{name}</p>
      {shown}
    </>
  );
}
