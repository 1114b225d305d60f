// A trace as a person reads it in a terminal: its stages with what each called, when, and how long it took, as a waterfall; below a call what
// it was asked, and whatever was dropped, degraded or failed at its place.

import { askedIn } from '../../core/answers/asked.ts';
import type { FootnoteEvent, LoggedEvent, PortCall } from '../../core/events.ts';
import type { SavedTrace, TraceSummary } from '../../core/trace-file.ts';
import { toPrice } from '../terminal/figures.ts';
import { type Terminal, toPrintable, toTable } from '../terminal/terminal.ts';
import { decisionsOf } from './decisions.ts';
import { plural, shorten } from './render.ts';

interface Row {
  readonly depth: 0 | 1;
  readonly label: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly note?: string;
  readonly style?: 'red' | 'yellow' | 'dim';
}

type Remark = Pick<Row, 'label' | 'note' | 'style'>;

const stageNames: Readonly<Record<string, string>> = {
  understanding: 'understand',
  searching: 'search',
  reading: 'read',
  waiting: 'wait',
  answering: 'answer',
  verifying: 'verify',
};

/** How many things a call was given or gave, where that says anything. */
function sizeOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 1 ? sizeOf(value[0]) : plural(value.length, 'item');
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? `“${shorten(value, 40)}”` : '';
  const { uri, documents, texts, vectors, bytes } = value as Readonly<Record<string, unknown>>;
  if (typeof uri === 'string') return shorten(uri, 60);
  for (const [count, name] of [
    [documents, 'document'],
    [texts, 'text'],
    [vectors, 'vector'],
    [bytes, 'byte'],
  ] as const)
    if (typeof count === 'number') return plural(count, name);
  const { hits, text, usage } = value as { hits?: unknown[]; text?: unknown; usage?: { outputTokens?: number } };
  if (Array.isArray(hits)) return plural(hits.length, 'hit');
  if (usage?.outputTokens !== undefined) return plural(usage.outputTokens, 'token');
  return typeof text === 'string' ? `“${shorten(text, 40)}”` : '';
}

function noteOf({ request, response, error }: PortCall): string {
  if (error) return `${error.code}: ${shorten(error.message, 100)}`;
  const [asked, given] = [sizeOf(request), sizeOf(response)];
  return given === '' ? asked : `${asked}${asked === '' ? '' : ' '}→ ${given}`;
}

/** What of an answer, and of a chat over the archive, is told. */
interface Told {
  readonly answer: string;
  /** The first one is shown, without the opening of the answer. */
  readonly claims?: readonly { readonly text: string }[];
  readonly abstained: boolean;
  readonly abstainReason?: string;
  readonly citations: readonly unknown[];
}

function toldOf({ answer, claims: [first] = [], abstained, abstainReason, citations }: Told): Remark {
  if (abstained) return { label: 'abstained', note: abstainReason ?? shorten(answer, 200), style: 'yellow' };
  return {
    label: 'answered',
    note: `“${shorten(first?.text ?? answer, 160)}” (${plural(citations.length, 'citation')})`,
  };
}

/** What an event beside calls says at its place; undefined for those that say nothing here. */
function remarkOf(event: FootnoteEvent): Remark | undefined {
  if (event.type === 'degraded')
    return {
      label: `degraded ${event.degradation.component}`,
      note: `${event.degradation.detail} ${event.degradation.effect}`,
      style: 'yellow',
    };
  if (event.type === 'verdict')
    return {
      label: event.kept ? 'claim kept' : 'claim dropped',
      note: `“${shorten(event.claim, 80)}”${event.reasons.length > 0 ? ` (${event.reasons.join('; ')})` : ''}`,
      style: event.kept ? 'dim' : 'yellow',
    };
  if (event.type === 'left-out') {
    const told = event.passages.map(({ reason, chunkIds }) => `${chunkIds.length} ${reason}`);
    return { label: `left out ${event.stage}`, note: told.join('; '), style: 'dim' };
  }
  if (event.type === 'intent') return { label: `intent ${event.intent}`, note: event.reason, style: 'dim' };
  if (event.type === 'routing') return { label: 'route', note: event.reason, style: 'dim' };
  if (event.type === 'done' || event.type === 'chatted') return toldOf(event.answer as Told);
  if (event.type === 'error') return { label: 'error', note: event.problem.detail, style: 'red' };
  if (event.type === 'erased') return { label: 'erased', note: plural(event.events, 'event'), style: 'dim' };
  return undefined;
}

function toRows(events: readonly LoggedEvent[], totalMs: number): readonly Row[] {
  const rows: Row[] = [];
  for (const [place, { atMs, event }] of events.entries()) {
    if (event.type === 'status') {
      const next = events.slice(place + 1).find((later) => later.event.type === 'status');
      rows.push({
        depth: 0,
        label: stageNames[event.stage] ?? event.stage,
        fromMs: atMs,
        toMs: next?.atMs ?? totalMs,
      });
      continue;
    }
    if (event.type === 'call') {
      const { call } = event;
      const label = `${call.port}.${call.method}`;
      const fromMs = Math.max(0, atMs - call.latencyMs);
      rows.push({ depth: 1, label, fromMs, toMs: atMs, note: noteOf(call), ...(call.error && { style: 'red' }) });
      continue;
    }
    const remark = remarkOf(event);
    for (const said of remark ? [remark] : decisionsOf(event))
      rows.push({ depth: 1, fromMs: atMs, toMs: atMs, ...said });
  }
  // Calls are told where they ended, and stand where they began, to the microsecond that the clock tells apart.
  const begun = ({ fromMs }: Row): number => Math.round(fromMs * 1000);
  return rows.toSorted((one, other) => begun(one) - begun(other));
}

const barWidth = 24;

function barOf({ fromMs, toMs }: Row, totalMs: number): string {
  const at = (ms: number): number => Math.min(barWidth, Math.round((ms / Math.max(totalMs, 0.001)) * barWidth));
  const from = Math.min(barWidth - 1, at(fromMs));
  const length = Math.max(1, at(toMs) - from);
  return `${' '.repeat(from)}${'▇'.repeat(length)}`.padEnd(barWidth);
}

const toMilliseconds = (ms: number): string => `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;

export function outcomeOf({ status, intent, mode, costUsd }: TraceSummary): string {
  const cost = costUsd === undefined || costUsd === 0 ? undefined : toPrice(costUsd);
  return [status ?? 'unknown', intent, mode, cost].filter((one) => one !== undefined).join(' · ');
}

export function renderTrace(terminal: Terminal, { trace, events }: SavedTrace): void {
  const asked = askedIn(events) ?? '';
  terminal.line(`${terminal.paint('bold', trace.id)}  ${trace.startedAt}  ${toMilliseconds(trace.totalMs)}`);
  if (asked !== '') terminal.line(`“${shorten(asked, 200)}”`);
  terminal.line(terminal.paint('dim', `${trace.kind} · ${outcomeOf(trace)} · ${plural(events.length, 'event')}`));
  const rows = toRows(events, trace.totalMs);
  const labels = rows.map(({ depth, label }) => `${depth === 0 ? '' : '  '}${toPrintable(label)}`);
  const width = Math.min(36, Math.max(0, ...labels.map(({ length }) => length)));
  for (const [place, row] of rows.entries()) {
    const took = toMilliseconds(row.toMs - row.fromMs).padStart(9);
    const label = shorten(labels[place]?.trimStart() ?? '', width - (row.depth === 0 ? 0 : 2));
    const indented = `${row.depth === 0 ? '' : '  '}${label}`.padEnd(width);
    const note = row.note === undefined ? '' : ` ${shorten(row.note, Math.max(20, terminal.columns - width - 40))}`;
    const bar = terminal.paint('cyan', barOf(row, trace.totalMs));
    const text = `${indented}${terminal.paint('dim', took)} ${bar}`;
    const shown = row.style ? terminal.paint(row.style, note) : note;
    terminal.line(`${row.depth === 0 ? terminal.paint('bold', text) : text}${shown}`.trimEnd());
  }
}

export function renderTraceList(terminal: Terminal, data: readonly TraceSummary[]): void {
  if (data.length === 0) terminal.line('There is no such trace.');
  const rows = data.map((trace) => [
    trace.id,
    trace.startedAt,
    trace.kind,
    toMilliseconds(trace.totalMs),
    outcomeOf(trace),
    trace.pinned ? 'pinned' : '',
    trace.question === undefined ? '' : `“${shorten(trace.question, 60)}”`,
  ]);
  for (const row of toTable(rows)) terminal.line(toPrintable(row));
}
