// What a request asked, in one line, as lists of traces tell it.
import type { LoggedEvent } from '../events.ts';
import { mostAsked } from '../trace-file.ts';

function wordsOf(events: readonly LoggedEvent[]): string | undefined {
  const first = events[0]?.event;
  const body = first?.type === 'request' ? first.body : undefined;
  const { question, content, query, subject, messages } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const last = Array.isArray(messages) ? (messages.at(-1) as { readonly content?: unknown } | undefined) : undefined;
  const asked = question ?? content ?? query ?? subject ?? last?.content;
  return typeof asked === 'string' ? asked : undefined;
}

/** A long paste is not read to its end. */
function shortened(asked: string): string {
  const head = asked.trimStart().slice(0, 4 * mostAsked);
  const line = head.replace(/\s+/gu, ' ').trim();
  return line.length <= mostAsked ? line.toWellFormed() : `${line.slice(0, mostAsked - 1).toWellFormed()}…`;
}

/** None where the log does not hold the words of the request any more. */
export function askedIn(events: readonly LoggedEvent[]): string | undefined {
  const asked = wordsOf(events);
  return asked === undefined ? undefined : shortened(asked);
}

/** The texts of memories, wherever they lie in what a recall gave. */
function textsIn(value: unknown, isText = false): string[] {
  if (typeof value === 'string') return isText && value !== '' ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    textsIn(one, Array.isArray(value) ? isText : name === 'text' || name === 'said' || name === 'quote'),
  );
}

/** Each text that a log says was recalled from memory. */
export const recalledIn = (events: readonly LoggedEvent[]): readonly string[] =>
  events.flatMap(({ event }) =>
    event.type === 'call' && event.call.port === 'memories' ? textsIn(event.call.response) : [],
  );

/** The same for whoever may see the list of traces: nothing where the question holds what was recalled from memory, which only its owner reads. */
export function listedQuestion(events: readonly LoggedEvent[]): string | undefined {
  const asked = wordsOf(events);
  return asked === undefined || recalledIn(events).some((text) => asked.includes(text)) ? undefined : shortened(asked);
}
