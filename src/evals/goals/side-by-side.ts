// What one trace tells of two ways of doing the same: the first passages of the web in both orders, and what a team read beside what one context
// would have had to hold. Pure.
import type { SavedTrace } from '../../core/trace-file.ts';

export interface WebGain {
  /** Answers that cite passages of the web, which were reranked for them. */
  readonly answers: number;
  /** By how much more of the first three are cited than in the order before; undefined where none of those is. */
  readonly gain?: number;
}

/** A passage counts as right where the answer cites it: its quote passed the check. */
export function webGainOf(traces: readonly SavedTrace[]): WebGain {
  let [answers, before, after] = [0, 0, 0];
  for (const { events } of traces) {
    const cited = new Set(
      events.flatMap(({ event }) =>
        event.type === 'done' ? event.answer.citations.map(({ chunkId }) => chunkId) : [],
      ),
    );
    const firsts = events.flatMap(({ event }) => (event.type === 'reranking' && event.first ? [event.first] : []));
    const isCited = (id: string): boolean => cited.has(id);
    if (!firsts.some((first) => [...first.before, ...first.after].some(isCited))) continue;
    answers += 1;
    for (const first of firsts) {
      before += first.before.filter(isCited).length;
      after += first.after.filter(isCited).length;
    }
  }
  return { answers, ...(before > 0 && { gain: after / before - 1 }) };
}

export interface ContextSaved {
  /** Requests in which workers looked for evidence. */
  readonly requests: number;
  /** Share of what they gathered that no single context had to hold. */
  readonly saved: number;
}

const gathering: ReadonlySet<string> = new Set(['retrieve', 'web']);

/** One context alone would hold all that the workers gathered; of a team the largest context of any worker counts. */
export function contextSavedOf(traces: readonly SavedTrace[]): ContextSaved {
  let [requests, gathered, held] = [0, 0, 0];
  for (const { events } of traces) {
    const kinds = new Map(
      events.flatMap(({ event }) => (event.type === 'worker_start' ? [[event.taskId, event.kind] as const] : [])),
    );
    const read = events.flatMap(({ event }) => (event.type === 'worker_complete' ? [event] : []));
    const sum = read.reduce(
      (total, { taskId, tokensUsed }) => total + (gathering.has(kinds.get(taskId) ?? '') ? tokensUsed : 0),
      0,
    );
    if (sum === 0) continue;
    requests += 1;
    gathered += sum;
    held += Math.min(sum, Math.max(...read.map(({ tokensUsed }) => tokensUsed)));
  }
  return { requests, saved: gathered === 0 ? 0 : 1 - held / gathered };
}
