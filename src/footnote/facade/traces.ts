// What doors may ask of traces.

import type { Housekeeping, RequestCall } from '../../agent/run.ts';
import type { Replay, Trial } from '../../core/answers/replays.ts';
import type { SavedTrace, TraceFile, TraceSummary } from '../../core/trace-file.ts';
import type { PageOf } from '../../db/repositories/page.ts';
import type { TraceFilter, TraceListRequest } from '../../db/repositories/traces.ts';
import type { TrialRequest } from '../replay/against.ts';

export type { Replay, TraceFilter, Trial };

/** Without anything of `TrialRequest` the trace is replayed from its record; `against: 'current'` runs it for real. */
export interface ReplayRequest extends TrialRequest {
  readonly against?: 'record' | 'current' | undefined;
}

/** The traces of a session, in the order in which they began. */
export interface SessionTraces {
  readonly sessionId: string;
  readonly traces: readonly SavedTrace[];
}

export interface Traces {
  /** By its id or that of the answer that it led to; so do `export`, `replay` and `pin`. */
  get(id: string): Promise<SavedTrace>;
  /** Those of a session; `not-found` where there are none. */
  ofSession(sessionId: string): Promise<SessionTraces>;
  list(request: TraceListRequest): Promise<PageOf<TraceSummary>>;
  /** Of a trace or of all of a session: one value that needs no record. */
  export(id: string): Promise<TraceFile>;
  /** Takes in what another record exported, pinned: it is older than it looks. Throws `conflict` where one is there already. */
  import(file: unknown): Promise<readonly TraceSummary[]>;
  /**
   * From its record alone the same answer; against what there is now the difference. Nothing of it is kept but what models cost that were
   * called for real. Throws `conflict` where the trace holds too little, `invalid-request` for settings that may not be changed.
   */
  replay(id: string, request?: ReplayRequest): Promise<Replay | Trial>;
  pin(id: string, isPinned: boolean): Promise<TraceSummary>;
  /** Leaves the trace of what a program asked for itself and its door answered. Absent where a server is asked: its doors leave it. */
  housekeep?(task: Housekeeping, options?: RequestCall): Promise<void>;
}
