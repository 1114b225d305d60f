// The calls of a trace as a replay finds them: each once, by what was asked, in the order in which they ended, with what had come about before
// each did; streams in their pieces.
import { type ErrorCode, errorTable, FootnoteError } from '../../core/errors.ts';
import type { LoggedEvent, RecordedError, TapeEvent } from '../../core/events.ts';
import { budgetPort } from '../../trace/recorded-budget.ts';
import { toTraceText } from '../../trace/recorder.ts';

export interface PlayedCall {
  readonly response?: unknown;
  readonly error?: RecordedError;
}

export interface Entry extends PlayedCall {
  readonly name: string;
  readonly request: string;
  readonly isModel: boolean;
  readonly startMs: number;
  readonly endMs: number;
  /** How often the clock and deadlines had been read when it ended, and in which turn of the event loop that was, where the trace says so. */
  readonly moment?: { readonly readings: number; readonly turn: number; readonly looks: number };
  claimed?: () => void;
  isOver: boolean;
  /** The pieces of a stream, each in its own place of the order. */
  readonly pieces: readonly Piece[];
  /** It is a piece of a stream, and no call. */
  readonly isPiece: boolean;
  /** Nobody waits for its end yet: a stream that is being read. */
  isUnawaited?: boolean;
  /** What came after its beginning has not waited for it. */
  isLate?: boolean;
  /** What ended after it has not waited for it. */
  isPassed?: boolean;
}

interface Piece {
  readonly text: string;
  readonly turn: Entry;
}

/** How long a caller that is alone can wait: it differs from run to run and changes no answer. */
const withoutWaits = (json: string): string => json.replaceAll(/,?"withinMs":[\d.e+-]+/gu, '');

/** As a request is found by: what is asked now as a trace would keep it. */
export const toRequestKey = (value: unknown): string => withoutWaits(toTraceText(value) ?? 'null');

/** The error that a trace keeps, as it was thrown. */
export function toThrown({ code, message, details }: RecordedError): FootnoteError {
  const known = Object.hasOwn(errorTable, code) ? (code as ErrorCode) : 'internal';
  return new FootnoteError(known, message, details ? { details } : {});
}

/** Ports whose calls are played; what a step notes of itself is no call of a port. */
const playedPorts =
  /^(?:record\.|store\.|semantics$|embedding$|reranker$|passage-scorer$|sessions$|workspace$|archive$|chats$|memories$|answer-cache$|web$|feedback$)/u;

const isModelCall = (request: unknown): boolean =>
  typeof request === 'object' && request !== null && 'messages' in request && 'model' in request;

/** The pieces in which the text of a stream came. */
function piecesOf(name: string, response: unknown, beganMs: number): readonly Piece[] {
  const { text = '', pieces = [] } = (response ?? {}) as {
    readonly text?: string;
    readonly pieces?: readonly number[];
  };
  const found: Piece[] = [];
  let from = 0;
  let atMs = beganMs;
  for (let at = 0; at + 1 < pieces.length; at += 2) {
    const [length = 0, afterMicroseconds = 0] = pieces.slice(at, at + 2);
    atMs += afterMicroseconds / 1000;
    const ends = { startMs: atMs, endMs: atMs, isOver: false };
    const turn: Entry = { name, request: '', isModel: true, ...ends, isPiece: true, pieces: [] };
    found.push({ text: text.slice(from, from + length), turn });
    from += length;
  }
  return found;
}

/** When each reading of a clock was taken. */
export function readingsOf(clock: TapeEvent['clock']): readonly number[] {
  let at = 0;
  return clock.map((more) => {
    at += more;
    return at / 1000;
  });
}

type Moment = NonNullable<Entry['moment']>;

/** Where each event stood, by its place in the log. */
function momentsOf({ order = [], looks = [] }: Pick<TapeEvent, 'order' | 'looks'>): readonly Moment[] {
  const at = { readings: 0, turn: 0, looks: 0 };
  return order.map((mark, place) => {
    at.readings += mark >> 1;
    at.turn += mark & 1;
    at.looks += looks[place] ?? 0;
    return { ...at };
  });
}

/** Calls that take time, in the order of their ends, and those that are answered in the moment. */
export function callsIn(
  events: readonly LoggedEvent[],
  { beganMs, tape }: { readonly beganMs: number; readonly tape: Pick<TapeEvent, 'order' | 'looks'> },
): { readonly ordered: Entry[]; readonly prompt: Entry[] } {
  const moments = momentsOf(tape);
  const inOrder: Entry[] = [];
  const prompt: Entry[] = [];
  for (const [place, { atMs, event }] of events.entries()) {
    if (event.type !== 'call') continue;
    const { port, method, request, response, error, latencyMs } = event.call;
    const name = `${port}.${method}`;
    const endMs = beganMs + atMs;
    const moment = moments[place];
    const entry: Entry = {
      name,
      request: toRequestKey(request),
      isModel: isModelCall(request),
      startMs: endMs - latencyMs,
      endMs,
      ...(moment && { moment }),
      isOver: false,
      isPiece: false,
      pieces: piecesOf(name, response, endMs - latencyMs),
      ...(response !== undefined && { response }),
      ...(error && { error }),
    };
    if (port === budgetPort) prompt.push(entry);
    else if (entry.isModel || playedPorts.test(port)) inOrder.push(...entry.pieces.map(({ turn }) => turn), entry);
  }
  return { ordered: inOrder.toSorted((one, other) => one.endMs - other.endMs), prompt };
}
