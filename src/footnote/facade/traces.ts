// What doors may ask of traces.

import type { TraceFile } from '../../core/trace-file.ts';
import type { PageOf, PageRequest, SavedTrace, TraceFilter, TraceSummary } from '../../db/record.ts';

export type { TraceFilter };

/** The traces of a session, in the order in which they began. */
export interface SessionTraces {
  readonly sessionId: string;
  readonly traces: readonly SavedTrace[];
}

export interface Traces {
  get(id: string): Promise<SavedTrace>;
  /** Those of a session; `not-found` where there are none. */
  ofSession(sessionId: string): Promise<SessionTraces>;
  /** Newest first. */
  list(request: PageRequest & { readonly filter?: TraceFilter }): Promise<PageOf<TraceSummary>>;
  /** Of a trace or of all of a session: one value that needs no record. */
  export(id: string): Promise<TraceFile>;
  /** Takes in what another record exported, pinned: it is older than it looks. Throws `conflict` where one is there already. */
  import(file: unknown): Promise<readonly TraceSummary[]>;
  pin(id: string, isPinned: boolean): Promise<TraceSummary>;
}
