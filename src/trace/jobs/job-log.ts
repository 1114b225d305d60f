// The log of one job: what went in and what became of it, and each call of a provider with what was sent. Invariants: it stays small however
// much goes through it — the first calls and all kinds of failures stand whole, the others are counted — and who writes into it never waits,
// never fails because of it, and pays a count for most of what it says.
import type { Clock } from '../../core/ids.ts';
import type { JobFacts, JobKind, NamedDocument } from '../../core/jobs/job-events.ts';
import { toRecordedError } from '../record-stream.ts';
import { type CallOutcome, createEventLog, type EventLog, recordCall } from '../recorder.ts';

/** `request` is what was sent, as facts that hold no text of a document: JSON that nobody changes later. */
export interface JobCall {
  readonly port: string;
  readonly method: string;
  readonly request: unknown;
}

export interface JobItem {
  readonly outcome: string;
  readonly reason?: string | undefined;
  readonly document?: NamedDocument | undefined;
}

export interface JobLog {
  /** Does the work, timed as a call. `told` says what of the result the trace keeps. */
  during<T>(call: JobCall, work: () => Promise<T>, told?: (result: T) => unknown): Promise<T>;
  /** A call that somebody else timed. */
  noted(call: JobCall, outcome: CallOutcome & { readonly latencyMs: number }): void;
  item(item: JobItem): void;
  /** Adds up. */
  count(counts: Readonly<Record<string, number>>): void;
}

/** What the log keeps whole. */
export interface JobLimits {
  readonly calls: number;
  readonly failedCalls: number;
  /** Different ends, and names of each. */
  readonly outcomes: number;
  readonly names: number;
}

const ordinary: JobLimits = { calls: 24, failedCalls: 48, outcomes: 32, names: 12 };
const longestDetail = 300;

export interface JobHead {
  readonly kind: JobKind;
  readonly about: JobFacts;
  readonly at: string;
  readonly program: string;
  readonly config: string;
}

export interface JobEnd {
  /** Default: `done`, or the code that the last call failed with where none went well. */
  readonly status?: string | undefined;
  readonly detail?: string | undefined;
}

export interface OpenJobLog extends JobLog {
  /** How much was said until now. */
  uses(): number;
  /** Calls that have not ended. */
  underWay(): number;
  /** Ends it: nothing is written afterwards. */
  ended(end?: JobEnd): EventLog['events'];
}

interface CallTotals {
  readonly port: string;
  readonly method: string;
  count: number;
  failed: number;
  totalMs: number;
  lastCode: string | undefined;
}

interface ItemTotals {
  readonly outcome: string;
  readonly reason: string | undefined;
  count: number;
  readonly documents: NamedDocument[];
}

const shortened = ({ detail, ...document }: NamedDocument): NamedDocument => ({
  ...document,
  ...(detail !== undefined && { detail: detail.slice(0, longestDetail) }),
});

/** `clock` is of the log alone: nobody replays a job. */
export function createJobLog(
  { kind, about, at, program, config }: JobHead,
  clock: Clock,
  limits: JobLimits = ordinary,
): OpenJobLog {
  const log = createEventLog(clock);
  log.sink({ type: 'job', kind, about, at, version: 1, program, config });
  const recording = { sink: log.sink, clock };
  const calls = new Map<string, CallTotals>();
  const items = new Map<string, ItemTotals>();
  const counts: Record<string, number> = {};
  let [uses, underWay, kept, keptFailed] = [0, 0, 0, 0];
  let isEnded = false;

  function totalsOf({ port, method }: JobCall): CallTotals {
    const key = `${port}.${method}`;
    let totals = calls.get(key);
    if (totals === undefined) {
      totals = { port, method, count: 0, failed: 0, totalMs: 0, lastCode: undefined };
      calls.set(key, totals);
    }
    return totals;
  }

  function add(call: JobCall, latencyMs: number, code: string | undefined): void {
    const totals = totalsOf(call);
    totals.count += 1;
    totals.totalMs += latencyMs;
    totals.lastCode = code;
    if (code !== undefined) totals.failed += 1;
  }

  /** Whether a call is kept whole that has not failed. */
  function takesOne(): boolean {
    kept += 1;
    return kept <= limits.calls;
  }

  function end(call: JobCall, outcome: CallOutcome & { readonly latencyMs: number }, isKept: boolean): void {
    if (isEnded) return;
    const { error, latencyMs } = outcome;
    add(call, latencyMs, error?.code);
    if (error) keptFailed += 1;
    if (error ? keptFailed <= limits.failedCalls : isKept) recordCall(call, recording)(outcome);
  }

  return {
    uses: () => uses,
    underWay: () => underWay,
    async during(call, work, told) {
      uses += 1;
      underWay += 1;
      const isKept = takesOne();
      const from = clock.elapsedMs();
      try {
        const result = await work();
        const response = isKept && told ? told(result) : undefined;
        end(call, { ...(response !== undefined && { response }), latencyMs: clock.elapsedMs() - from }, isKept);
        return result;
      } catch (thrown) {
        end(call, { error: toRecordedError(thrown), latencyMs: clock.elapsedMs() - from }, isKept);
        throw thrown;
      } finally {
        underWay -= 1;
      }
    },
    noted(call, outcome) {
      uses += 1;
      end(call, outcome, takesOne());
    },
    item({ outcome, reason, document }) {
      if (isEnded) return;
      uses += 1;
      const key = reason === undefined ? outcome : `${outcome}\u0000${reason}`;
      let totals = items.get(key);
      if (totals === undefined) {
        const isOther = items.size >= limits.outcomes;
        const other = isOther ? items.get('other') : undefined;
        totals = other ?? {
          outcome: isOther ? 'other' : outcome,
          reason: isOther ? undefined : reason,
          count: 0,
          documents: [],
        };
        items.set(isOther ? 'other' : key, totals);
      }
      totals.count += 1;
      if (document && totals.documents.length < limits.names) totals.documents.push(shortened(document));
    },
    count(more) {
      for (const [name, value] of Object.entries(more)) counts[name] = (counts[name] ?? 0) + value;
    },
    ended({ status, detail } = {}) {
      isEnded = true;
      for (const { outcome, reason, count, documents } of items.values())
        log.sink({ type: 'items', outcome, ...(reason !== undefined && { reason }), count, documents });
      const all = [...calls.values()];
      for (const { lastCode: _, ...totals } of all) log.sink({ type: 'calls', ...totals });
      const failed = all.every((one) => one.failed === one.count)
        ? all.findLast(({ lastCode }) => lastCode)
        : undefined;
      log.sink({
        type: 'ended',
        status: status ?? failed?.lastCode ?? 'done',
        ...(detail !== undefined && { detail: detail.slice(0, longestDetail) }),
        counts: { ...counts },
      });
      return log.events;
    },
  };
}
