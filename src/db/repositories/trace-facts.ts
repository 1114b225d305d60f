// What a trace is found by, read from its events: how it ended, what was asked of whom, what it cost. Total, and quick: every request
// passes here when it is saved.

import type { Answer } from '../../core/answer.ts';
import { listedQuestion } from '../../core/answers/asked.ts';
import type { LoggedEvent } from '../../core/events.ts';
import type { TraceDoubt } from '../../core/trace-file.ts';
import type { TraceFacts } from './traces.ts';

const mostSources = 50;
const leastSure = 0.5;

function doubtOf({ abstained, claims, confidence, closestPassages }: Answer): TraceDoubt | undefined {
  if (abstained) return 'abstained';
  return claims.length > 0 && (confidence < leastSure || closestPassages) ? 'unsure' : undefined;
}

/** Besides `done`, which says more. */
const ending: ReadonlySet<string> = new Set(['searched', 'chatted', 'housekeeping']);

export function traceFactsOf(events: readonly LoggedEvent[]): TraceFacts {
  const question = listedQuestion(events);
  let facts: TraceFacts = question ? { question } : {};
  const sources = new Set<string>();
  const doubts = new Set<TraceDoubt>();
  for (const { event } of events)
    if (event.type === 'intent') facts = { ...facts, intent: event.intent };
    else if (event.type === 'routing') for (const name of event.sources) sources.add(name);
    else if (event.type === 'retrieval') facts = { ...facts, mode: event.mode as NonNullable<TraceFacts['mode']> };
    else if (event.type === 'error') facts = { ...facts, status: event.problem.code };
    else if (event.type === 'degraded') doubts.add('degraded');
    else if (ending.has(event.type)) facts = { ...facts, status: 'done' };
    else if (event.type === 'done') {
      const { id, intent, mode, usage, citations } = event.answer;
      for (const { source } of citations) sources.add(source);
      const doubt = doubtOf(event.answer);
      if (doubt) doubts.add(doubt);
      facts = { ...facts, status: 'done', intent, mode, costUsd: usage.costUsd, answerId: id };
    }
  return {
    ...facts,
    ...(sources.size > 0 && { sources: [...sources].slice(0, mostSources) }),
    ...(doubts.size > 0 && { doubts: [...doubts] }),
  };
}
