// Traces as the record keeps them: the whole log of each request, found by what it was about and how it went. Invariant: only who asked, or
// an admin of the tenant, reads one; what is pinned stays until somebody lets it go or deletes what it came from.
import type { Intent } from '../../core/answer.ts';
import type { LoggedEvent } from '../../core/events.ts';
import type { SavedTrace, TraceDoubt, TraceSummary } from '../../core/trace-file.ts';
import type { PageOf, PageRequest } from './page.ts';

export type { SavedTrace, TraceFacts, TraceSummary } from '../../core/trace-file.ts';

/** All that is given must hold. */
export interface TraceFilter {
  readonly sessionId?: string | undefined;
  readonly kind?: TraceSummary['kind'] | undefined;
  /** Begun at or after this instant (RFC 3339). */
  readonly from?: string | undefined;
  /** Begun before this instant. */
  readonly to?: string | undefined;
  /** `done`, `error` (any), or the code of an error. */
  readonly status?: string | undefined;
  readonly intent?: Intent | undefined;
  readonly minMs?: number | undefined;
  readonly maxMs?: number | undefined;
  readonly minCostUsd?: number | undefined;
  readonly maxCostUsd?: number | undefined;
  /** Name of a source that it asked for or cited. */
  readonly source?: string | undefined;
  readonly pinned?: boolean | undefined;
  /** `any`: whatever makes it worth a look. */
  readonly doubt?: TraceDoubt | 'any' | undefined;
  /** Words that the question, as it is listed, holds as they stand here, in either case. */
  readonly question?: string | undefined;
}

export interface TraceListRequest extends PageRequest {
  readonly filter?: TraceFilter;
  /** Which come first; default: the newest. A cursor is of one order. */
  readonly sort?: 'newest' | 'slowest' | undefined;
}

export interface TraceRepository {
  /** Appends a finished or failed request's whole log in one transaction. */
  save(trace: TraceSummary, events: readonly LoggedEvent[]): Promise<void>;
  /**
   * The same behind the reply: from now on it is read as every other, and it is durable a moment later, together with its neighbours. A
   * process that is killed in between loses it. Where writing fails or the disk is nearly full this is `save`.
   */
  saveSoon(trace: TraceSummary, events: readonly LoggedEvent[]): Promise<void>;
  get(id: string): Promise<SavedTrace | undefined>;
  /** The same when what waits at another server is written; absent where there is none. */
  readonly getLater?: (id: string) => Promise<SavedTrace | undefined>;
  list(request: TraceListRequest): Promise<PageOf<TraceSummary>>;
  /** Takes in what another record had. Throws `conflict` where there is a trace of this id. */
  take(trace: TraceSummary, events: readonly LoggedEvent[]): Promise<void>;
  /** False where there is no such trace. */
  pin(id: string, isPinned: boolean): Promise<boolean>;
}

/** What the upkeep of all tenants' traces asks of the record (footnote/traces/upkeep.ts). */
export interface TraceUpkeep {
  /** Deletes up to `limit` traces that began before an instant and are not pinned; how many there were. */
  prune(before: string, limit: number): Promise<number>;
  /** Packs up to `limit` traces that began before an instant anew, onto the texts of the record; how many there were. */
  compact(before: string, limit: number): Promise<number>;
}
