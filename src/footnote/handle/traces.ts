// Traces of one scope: found, read, exported and taken in.

import type { createRunner } from '../../agent/run.ts';
import { version } from '../../config/version.ts';
import { FootnoteError } from '../../core/errors.ts';
import type { Clock } from '../../core/ids.ts';
import type { SavedTrace, TraceSummary } from '../../core/trace-file.ts';
import { mostTraceFileBytes, readTraceFile, type TraceFile, traceFileVersion } from '../../core/trace-file.ts';
import type { TenantRecord } from '../../db/tenant-record.ts';
import type { SessionTraces, Traces } from '../facade/traces.ts';
import { toldOfTrace } from '../record/without-memories.ts';
import type { createTrials } from '../replay/against.ts';
import { replayTrace } from '../replay/replay.ts';
import { withEvals } from './evals.ts';
import { found } from './found.ts';

/** Traces that are read for one session; later ones are asked for by their ids. */
const mostOfSession = 200;

export interface TracesOptions {
  readonly record: Pick<TenantRecord, 'scope' | 'traces' | 'evaluations' | 'answers'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Runs recorded requests for real. */
  readonly runTrial: ReturnType<typeof createTrials>;
  readonly requests: Pick<ReturnType<typeof createRunner>, 'housekeep'>;
}

export function createTracesPart({ record, clock, runTrial, requests }: TracesOptions): Traces {
  const { traces } = record;

  /** Of a trace or of an answer: whoever holds an answer asks by its id. */
  async function read(id: string): Promise<SavedTrace | undefined> {
    const one = await traces.get(id);
    if (one) return one;
    const answer = await record.answers.get(id);
    const traceId = answer?.traceId ?? id;
    return (answer && (await traces.get(traceId))) ?? traces.getLater?.(traceId);
  }
  const get = (id: string): Promise<SavedTrace> => found('trace or answer', id, read(id));
  const withScores = async (saved: SavedTrace): Promise<SavedTrace> =>
    toldOfTrace(await withEvals(saved, record), saved, record);

  async function ofSession(sessionId: string): Promise<SessionTraces> {
    const { data } = await traces.list({ limit: mostOfSession, filter: { sessionId } });
    const saved = await Promise.all(data.map(({ id }) => traces.get(id)));
    const left = saved.filter((one) => one !== undefined).reverse();
    if (left.length === 0) throw new FootnoteError('not-found', `There is no trace, answer or session "${sessionId}".`);
    return { sessionId, traces: await Promise.all(left.map(withScores)) };
  }

  return {
    get: async (id) => withScores(await get(id)),
    ofSession,
    housekeep: (task, call) => requests.housekeep(task, call),
    list: (request) => traces.list(request),
    async export(id): Promise<TraceFile> {
      const one = await read(id);
      const all = one ? [await withScores(one)] : (await ofSession(id)).traces;
      const head = { format: 'footnote-trace' as const, version: traceFileVersion, exportedAt: clock.now() };
      const file = { ...head, program: version, id, traces: all };
      // As the command line writes it.
      const bytes = Buffer.byteLength(JSON.stringify(file, undefined, 1));
      if (bytes <= mostTraceFileBytes) return file;
      throw new FootnoteError(
        'too-large',
        `The ${all.length} traces of ${id} are ${bytes} bytes, and a file of at most ${mostTraceFileBytes} is taken in again. Export its requests one by one, by the ids of their traces or answers.`,
      );
    },
    async import(file) {
      const { traces: given } = readTraceFile(file);
      const taken: TraceSummary[] = [];
      for (const { trace } of given)
        if (await traces.get(trace.id))
          throw new FootnoteError('conflict', `There is a trace ${trace.id} already. Nothing was taken in.`);
      for (const { trace, events } of given) {
        await traces.take({ ...trace, pinned: true }, events);
        taken.push((await get(trace.id)).trace);
      }
      return taken;
    },
    async replay(id, { against, ...trial } = {}) {
      const saved = await get(id);
      const changes = Object.values(trial).some((value) => value !== undefined && value !== trial.signal);
      const isTrial = against === 'current' || (against === undefined && changes);
      return toldOfTrace(await (isTrial ? runTrial(saved, trial) : replayTrace(saved)), saved, record);
    },
    async pin(id, isPinned) {
      const { trace } = await get(id);
      if (!(await traces.pin(trace.id, isPinned))) throw new FootnoteError('not-found', `There is no trace "${id}".`);
      return (await get(trace.id)).trace;
    },
  };
}
