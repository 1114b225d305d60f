// What a turn decided on its way, in a line of its trace each: how much the question asks, its parts, whether what was found is enough, what a critic and
// workers said.
import type { FootnoteEvent } from '../../core/events.ts';
import { plural } from './render.ts';

export interface Decision {
  readonly label: string;
  readonly note: string;
  readonly style: 'dim' | 'yellow' | 'red';
}

/** More than one for a plan: each of its parts. None for an event that decides nothing. */
export function decisionsOf(event: FootnoteEvent): readonly Decision[] {
  if (event.type === 'complexity') {
    const kind = event.needsDecomposition ? 'taken apart' : 'asked as one';
    return [{ label: `complexity ${event.score}`, note: `${kind}: ${event.reasoning}`, style: 'dim' }];
  }
  if (event.type === 'decomposition')
    return event.subQueries.map(({ id, query, dependencies }) => ({
      label: `part ${id}`,
      note: `${query}${dependencies.length > 0 ? ` (after ${dependencies.join(', ')})` : ''}`,
      style: 'dim',
    }));
  if (event.type === 'assessment') {
    const { part, round, verdict, reason, query } = event;
    const label = part === undefined ? `round ${round} ${verdict}` : `part ${part} ${verdict}`;
    const next = query === undefined ? '' : ` Looking for: ${query}`;
    return [{ label, note: `${reason}${next}`, style: verdict === 'unanswerable' ? 'yellow' : 'dim' }];
  }
  if (event.type === 'critic') {
    const wants = [
      ...(event.removed > 0 ? [`${event.removed} removed`] : []),
      ...(event.revised > 0 ? [`${event.revised} revised`] : []),
      ...event.queries.map((query) => `look for: ${query}`),
    ];
    const note = [`coverage ${event.coverage}, groundedness ${event.groundedness}: ${event.reason}`, ...wants].join(
      '; ',
    );
    return [{ label: `critic ${event.verdict}`, note, style: event.verdict === 'release' ? 'dim' : 'yellow' }];
  }
  if (event.type === 'worker_start') return [{ label: `worker ${event.taskId}`, note: event.agent, style: 'dim' }];
  if (event.type === 'worker_complete')
    return [{ label: `worker ${event.taskId} done`, note: plural(event.tokensUsed, 'token'), style: 'dim' }];
  if (event.type === 'worker_error')
    return [{ label: `worker ${event.taskId} failed`, note: event.error, style: 'red' }];
  return [];
}
