// A request as it is traced, whatever it asks for: one context, one deadline, one event log, saved as its trace whether it ends well or not.
// What streams, what is saved and what is counted come from that one log.
import type { RequestBudget } from '../../core/budget.ts';
import type { RequestContext } from '../../core/context.ts';
import { createDeadline } from '../../core/deadline.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { type Environment, type EventSink, type LoggedEvent, logVersion, type RequestKind } from '../../core/events.ts';
import type { Clock, Ids } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import type { Degradation } from '../../core/search.ts';
import type { TraceFacts, TraceSummary } from '../../core/trace-file.ts';
import { recordedBudget } from '../../trace/recorded-budget.ts';
import { createEventLog } from '../../trace/recorder.ts';
import { createTape, type Tape, untaped } from '../../trace/tape.ts';
import type { FinishedRequest } from '../../trace/telemetry/finished.ts';
import { createKeeping, type Keeping } from './keep.ts';
import { createWaits } from './waits.ts';
import { withoutTexts } from './without-texts.ts';

export interface RequestCall {
  readonly signal?: AbortSignal;
  readonly onEvent?: EventSink;
  /** Default: the server's; at most 10 minutes. */
  readonly timeoutMs?: number;
  /** Told when a question begins to wait for models or for the disk, and when it goes on: meanwhile the processor is free for others. */
  readonly onWaiting?: (isWaiting: boolean) => void;
}

type SaveTrace = (
  trace: Omit<TraceSummary, keyof TraceFacts | 'pinned'>,
  events: readonly LoggedEvent[],
) => Promise<unknown>;

export interface TraceKeeping {
  save: SaveTrace;
  /** As `save`, with the commit behind the reply and shared with others. */
  saveSoon: SaveTrace;
}

export interface TracingOptions {
  readonly scope: Scope;
  readonly record: { readonly traces: TraceKeeping };
  /** What models may take for one request: of every role, from one budget. */
  readonly openBudget: (sessionId: string | undefined) => Promise<RequestBudget>;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Where each request has its time and its ids from. Default: a new tape of the clock and the ids. */
  readonly openTape?: () => Tape;
  /** What was decided before the request, for its trace; absent where nobody replays it. */
  readonly environment?: () => Omit<Environment, 'timeoutMs'>;
  /** Time that a request may take unless the caller says otherwise. */
  readonly timeoutMs: number;
  /** Told of each request when it has ended, before its reply leaves. Total. */
  readonly onEnded?: (finished: FinishedRequest) => void;
}

/** A request that is under way. */
export interface Run {
  readonly context: RequestContext;
  /** Written before the request ends, together with its trace. */
  readonly keeping: Keeping;
}

export type TracedCall = RequestCall & { readonly sessionId?: string };

export interface TracedRequest<T> {
  readonly kind: RequestKind;
  readonly body: unknown;
  readonly call: TracedCall;
  /** What whoever counts requests is told of a result. */
  readonly told: (result: T) => Pick<FinishedRequest, 'result' | 'outcome'>;
}

export interface TracedResult<T> {
  readonly result: T;
  /** What could not be kept of it. */
  readonly lost: readonly Degradation[];
}

export type Traced = <T>(asked: TracedRequest<T>, work: (run: Run) => Promise<T>) => Promise<TracedResult<T>>;

/** Of these more is kept than their traces. */
const kept: ReadonlySet<RequestKind> = new Set<RequestKind>(['ask', 'message', 'chat', 'analysis']);
const longestTimeoutMs = 600_000;

export function createTracing(options: TracingOptions): Traced {
  const { scope, record } = options;
  const openTape = options.openTape ?? (() => createTape(options));

  return async ({ kind, body, call, told }, work) => {
    const tape = openTape();
    const { clock, ids } = tape;
    const traceId = ids.next('trc');
    const startedAt = clock.now();
    const from = clock.elapsedMs();
    const log = createEventLog({ ...clock, ...untaped(clock) }, (logged) => {
      tape.mark();
      call.onEvent?.(logged.event);
    });
    const timeoutMs = Math.min(call.timeoutMs ?? options.timeoutMs, longestTimeoutMs);
    const deadline = createDeadline(timeoutMs, call.signal, clock);
    log.sink({ type: 'request', kind, body: withoutTexts(body), at: startedAt, version: logVersion });
    if (options.environment) log.sink({ type: 'environment', ...options.environment(), timeoutMs });
    let budget: RequestBudget | undefined;
    const keeping = createKeeping();
    /** Asked for together, they share one commit. */
    const end = ({ hasFailed = false } = {}): Promise<readonly Degradation[]> => {
      const totalMs = clock.elapsedMs() - from;
      log.sink({ type: 'tape', ...tape.written() });
      const trace = {
        id: traceId,
        kind,
        ...(call.sessionId !== undefined && { sessionId: call.sessionId }),
        startedAt,
        totalMs,
        eventCount: log.events.length,
      };
      // Others are worked on meanwhile, and what they leave behind may share the commit, too.
      call.onWaiting?.(true);
      // Of a search, or of what came to nothing, nothing else is kept: nobody should wait for a disk to be told. Where many run out of time at
      // once, packing their traces would make the last of them late.
      const { save, saveSoon } = record.traces;
      keeping.add('trace', (kept.has(kind) && !hasFailed ? save : saveSoon)(trace, log.events));
      if (budget) keeping.add('spending', budget.close());
      return keeping.ended();
    };
    const tell = (outcome: Pick<FinishedRequest, 'result' | 'outcome' | 'error'>): void =>
      options.onEnded?.({
        traceId,
        kind,
        ...(call.sessionId !== undefined && { sessionId: call.sessionId }),
        startedAt,
        totalMs: clock.elapsedMs() - from,
        events: log.events,
        ...outcome,
      });
    let result: Awaited<ReturnType<typeof work>>;
    try {
      budget = await options.openBudget(call.sessionId);
      const waits = call.onWaiting && createWaits(call.onWaiting);
      budget = waits?.budgetOf(budget) ?? budget;
      const recording = { sink: log.sink, clock };
      const own = { traceId, scope, deadline, budget: recordedBudget(budget, recording), ...recording, ids };
      const context = { ...own, ...(waits && { waiting: waits.during }) };
      result = await work({ context, keeping });
    } catch (thrown) {
      const error = deadline.isOver() && !call.signal?.aborted ? expired(thrown) : toFootnoteError(thrown);
      const { status, title } = error.rule;
      log.sink({
        type: 'error',
        problem: { type: 'about:blank', title, status, detail: error.message, code: error.code, requestId: traceId },
      });
      tell({ error });
      await end({ hasFailed: true });
      throw error;
    }
    tell(told(result));
    const lost = await end();
    for (const degradation of lost) call.onEvent?.({ type: 'degraded', degradation });
    return { result, lost };
  };
}

function expired(thrown: unknown): FootnoteError {
  return new FootnoteError(
    'deadline-exceeded',
    'The time allowed for this request ran out. Ask again, or allow more time.',
    {
      cause: thrown,
    },
  );
}
