// What of a trace tells at a glance why an answer was slow or wrong: its facts, what went otherwise than it should, and what became of each passage. Pure.
import type { Answer, SavedTrace, TraceEvent } from '../shared/contract.ts';

type EventOf<Type extends TraceEvent['type']> = Extract<TraceEvent, { readonly type: Type }>;

export const eventsOfType = <Type extends TraceEvent['type']>({ events }: SavedTrace, type: Type): EventOf<Type>[] =>
  events.flatMap(({ event }) => (event.type === type ? [event as EventOf<Type>] : []));

export function questionOf(saved: SavedTrace): string {
  const { question, content, query, messages } = (eventsOfType(saved, 'request')[0]?.body ?? {}) as Readonly<
    Record<string, unknown>
  >;
  const last: unknown = Array.isArray(messages)
    ? (messages.at(-1) as { content?: unknown } | undefined)?.content
    : undefined;
  const asked = question ?? content ?? query ?? last;
  return typeof asked === 'string' ? asked : '';
}

export const answerOf = (saved: SavedTrace): Answer | undefined => eventsOfType(saved, 'done').at(-1)?.answer;

type Said = Pick<Answer, 'answer' | 'abstained'> & Partial<Pick<Answer, 'abstainReason'>>;

/** What was said in the end, also in a chat over the archive. */
export const saidOf = (saved: SavedTrace): Said | undefined =>
  answerOf(saved) ?? (eventsOfType(saved, 'chatted').at(-1)?.answer as Said | undefined);

/** Claims that an answer makes: an abstention makes none. */
export const claimsOf = (answer: Answer | undefined): string[] =>
  answer && !answer.abstained ? answer.claims.map(({ text }) => text) : [];

export interface Finding {
  readonly what: string;
  readonly why: string;
}

const lowConfidence = 0.5;
const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** What an operator looks at first, gravest first. */
export function findingsOf(saved: SavedTrace): Finding[] {
  const answer = answerOf(saved);
  const said = saidOf(saved);
  const failed = eventsOfType(saved, 'call').filter(({ call }) => call.error);
  const dropped = eventsOfType(saved, 'verdict').filter(({ kept }) => !kept);
  const found = eventsOfType(saved, 'retrieval');
  const doubts = eventsOfType(saved, 'assessment').filter(
    ({ verdict }) => verdict === 'unanswerable' || verdict === 'caveat',
  );
  const all: readonly Finding[] = [
    ...eventsOfType(saved, 'error').map(({ problem }) => ({ what: problem.title, why: problem.detail })),
    ...(said?.abstained ? [{ what: 'No answer was given', why: said.abstainReason ?? said.answer }] : []),
    ...eventsOfType(saved, 'degraded').map(({ degradation: { component, detail, effect } }) => ({
      what: `Limited: ${component}`,
      why: `${detail} ${effect}`,
    })),
    ...failed.map(({ call }) => ({
      what: `${call.port}.${call.method} failed`,
      why: `${call.error?.code}: ${call.error?.message}`,
    })),
    ...(found.length > 0 && found.every(({ resultCount }) => resultCount === 0)
      ? [{ what: 'Nothing was found', why: 'No search gave a passage.' }]
      : []),
    ...dropped.map(({ claim, reasons }) => ({
      what: 'A claim was dropped',
      why: [`“${claim}”`, ...reasons].join(' · '),
    })),
    ...(answer?.closestPassages
      ? [{ what: 'Only what comes closest', why: 'The answer shows passages that may not answer the question.' }]
      : []),
    ...doubts.map(({ reason, part }) => ({ what: `Doubt${part ? ` about part ${part}` : ''}`, why: reason })),
    ...(answer && !answer.abstained && answer.confidence < lowConfidence
      ? [{ what: 'Low confidence', why: `${Math.round(answer.confidence * 100)} %` }]
      : []),
    ...(answer?.reused
      ? [
          {
            what: 'Given before',
            why: 'Nothing was searched: the answer was kept, and nothing that it rests on changed.',
          },
        ]
      : []),
    ...eventsOfType(saved, 'erased').map(({ events }) => ({
      what: 'Part of the trace was erased',
      why: `${count(events, 'event')} spoke of documents that were deleted. It does not replay.`,
    })),
  ];
  // What limited several searches is said once.
  return [...new Map(all.map((one) => [`${one.what} ${one.why}`, one])).values()];
}

export interface Difference {
  readonly both: readonly string[];
  readonly first: readonly string[];
  readonly second: readonly string[];
}

/** What two lists share, and what each has alone. */
export function differenceOf(first: readonly string[], second: readonly string[]): Difference {
  const [firsts, seconds] = [new Set(first), new Set(second)];
  return {
    both: [...firsts.intersection(seconds)],
    first: [...firsts.difference(seconds)],
    second: [...seconds.difference(firsts)],
  };
}
