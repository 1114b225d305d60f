// What differs between what a request came to then and what it comes to now: route, evidence, claims, citations, cost and time.

import type { Answer } from '../../core/answer.ts';
import { comparedFacts, type ListDiff, type Outcome, type OutcomeDiff } from '../../core/answers/replays.ts';
import type { ArchiveChatAnswer } from '../../core/archive.ts';
import type { FootnoteEvent, LoggedEvent } from '../../core/events.ts';

type Of<Type extends FootnoteEvent['type']> = Extract<FootnoteEvent, { type: Type }>;

const lastOf = <Type extends FootnoteEvent['type']>(events: readonly LoggedEvent[], type: Type): Of<Type> | undefined =>
  events.findLast(({ event }) => event.type === type)?.event as Of<Type> | undefined;

function ofAnswer(answer: Answer): Outcome {
  const {
    intent,
    mode,
    routing,
    abstained,
    sources,
    claims,
    citations,
    models = [],
    degraded,
    usage,
    timings,
  } = answer;
  return {
    status: 'done',
    intent,
    mode,
    route: routing.reason,
    sources: routing.sources,
    abstained,
    evidence: sources.map(({ chunkId }) => chunkId),
    claims: claims.map(({ text }) => text),
    citations: citations.map(({ documentId, start, end }) => `${documentId} ${start}-${end}`),
    models: models.map(({ role, model }) => `${role} ${model}`),
    degraded: degraded.map(({ component, code }) => `${component} ${code}`),
    costUsd: usage.costUsd,
    totalMs: timings.totalMs,
  };
}

function ofChat(
  { abstained, citations, hydrated_turn_ids, model, degraded }: ArchiveChatAnswer,
  events: readonly LoggedEvent[],
): Outcome {
  return {
    status: 'done',
    route: 'the archive of conversations',
    sources: [],
    abstained,
    evidence: hydrated_turn_ids,
    claims: citations.map(({ quote }) => quote),
    citations: citations.map(({ conversation_id, turn_id, quote }) => `${conversation_id}/${turn_id} ${quote}`),
    models: model === undefined ? [] : [`chat ${model}`],
    degraded,
    costUsd: 0,
    totalMs: events.at(-1)?.atMs ?? 0,
  };
}

export function outcomeOf(events: readonly LoggedEvent[]): Outcome {
  const done = lastOf(events, 'done');
  if (done) return ofAnswer(done.answer);
  const chatted = lastOf(events, 'chatted');
  if (chatted) return ofChat(chatted.answer as ArchiveChatAnswer, events);
  const routing = events.find(({ event }) => event.type === 'routing')?.event as Of<'routing'> | undefined;
  const retrieval = lastOf(events, 'retrieval');
  const searched = lastOf(events, 'searched');
  const error = lastOf(events, 'error');
  const degraded = events.flatMap(({ event }) =>
    event.type === 'degraded' ? [`${event.degradation.component} ${event.degradation.code}`] : [],
  );
  return {
    status: searched ? 'done' : (error?.problem.code ?? 'unknown'),
    ...(retrieval && { mode: retrieval.mode }),
    route: routing?.reason ?? '',
    sources: routing?.sources ?? [],
    evidence: searched?.results.map(({ chunkId }) => chunkId) ?? [],
    claims: [],
    citations: [],
    models: [],
    degraded,
    costUsd: 0,
    totalMs: events.at(-1)?.atMs ?? 0,
  };
}

function listDiff(before: readonly string[], now: readonly string[]): ListDiff {
  const [had, has] = [new Set(before), new Set(now)];
  return {
    same: [...has].filter((one) => had.has(one)).length,
    added: [...has].filter((one) => !had.has(one)),
    lost: [...had].filter((one) => !has.has(one)),
  };
}

const lists = ['sources', 'evidence', 'claims', 'citations', 'models', 'degraded'] as const;

export function diffOutcomes(before: Outcome, now: Outcome): OutcomeDiff {
  const changed = comparedFacts.filter((name) => before[name] !== now[name]);
  const diffs = Object.fromEntries(lists.map((name) => [name, listDiff(before[name], now[name])])) as Record<
    (typeof lists)[number],
    ListDiff
  >;
  const isSame = ({ added, lost }: ListDiff): boolean => added.length + lost.length === 0;
  return {
    saysTheSame:
      isSame(diffs.claims) && isSame(diffs.citations) && !changed.includes('abstained') && !changed.includes('status'),
    changed,
    ...diffs,
    costUsd: now.costUsd - before.costUsd,
    totalMs: now.totalMs - before.totalMs,
  };
}
