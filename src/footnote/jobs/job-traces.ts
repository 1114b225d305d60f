// The traces of jobs: one for each run that has a beginning and an end, and one for what comes in a row (documents handed over one by one,
// calls of an embedding model, deliveries), which is kept open for a moment. Invariants: nobody waits for a trace and none makes its job fail;
// what is open is saved before anybody looks for traces and before the record closes, and is lost with a process that is killed.
import type { Config } from '../../config.ts';
import { toFootnoteError } from '../../core/errors.ts';
import type { Clock, Ids } from '../../core/ids.ts';
import type { JobFacts, JobKind } from '../../core/jobs/job-events.ts';
import type { Scope } from '../../core/scope.ts';
import type { RecordDatabase } from '../../db/record.ts';
import type { TenantRecord } from '../../db/tenant-record.ts';
import { createJobLog, type JobEnd, type JobLog, type OpenJobLog } from '../../trace/jobs/job-log.ts';
import { settingFacts } from './setting-facts.ts';

export interface Job {
  readonly kind: JobKind;
  readonly about: JobFacts;
}

export interface JobTraces {
  /** A job that ends with `work`. What it throws is its end, too. */
  run<T>(scope: Scope, job: Job, { work, told }: JobWork<T>): Promise<T>;
  /** The open log of what comes in a row; write into it at once, and ask again for the next thing. */
  row(scope: Scope, job: Job): JobLog;
  /** Saves what is open. Never rejects. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface JobWork<T> {
  readonly work: (log: JobLog) => Promise<T>;
  readonly told?: (result: T) => JobEnd & { readonly counts?: Readonly<Record<string, number>> };
}

export interface JobTracesOptions {
  readonly tracesOf: (scope: Scope) => Pick<TenantRecord['traces'], 'saveSoon'>;
  /** Version of Footnote, and the hash of its settings. */
  readonly facts: { readonly program: string; readonly config: string };
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits?: Partial<RowLimits>;
  /** Calls `work` every so often until it is told to stop; keeps no process alive. */
  readonly every?: (work: () => void, ms: number) => () => void;
}

export interface RowLimits {
  /** A row that nothing was added to for so long is over. */
  readonly restingMs: number;
  readonly longestMs: number;
  readonly mostUses: number;
}

const ordinary: RowLimits = { restingMs: 2000, longestMs: 60_000, mostUses: 20_000 };

interface Row {
  readonly scope: Scope;
  readonly id: string;
  readonly job: Job;
  readonly log: OpenJobLog;
  readonly startedAt: string;
  readonly from: number;
  lastUses: number;
  lastChange: number;
}

const byTimer = (work: () => void, ms: number): (() => void) => {
  const timer = setInterval(work, ms).unref();
  return () => clearInterval(timer);
};

export function createJobTraces(options: JobTracesOptions): JobTraces {
  const { tracesOf, facts, clock, ids, every = byTimer } = options;
  const { restingMs, longestMs, mostUses } = { ...ordinary, ...options.limits };
  const rows = new Map<string, Row>();
  /** Over, with calls that have not ended. */
  const leaving = new Set<Row>();
  const saving = new Set<Promise<unknown>>();
  let stop: (() => void) | undefined;
  let isClosed = false;

  function begin(scope: Scope, job: Job): Row {
    const startedAt = clock.now();
    const log = createJobLog({ ...job, ...facts, at: startedAt }, clock);
    const from = clock.elapsedMs();
    return { scope, id: ids.next('trc'), job, log, startedAt, from, lastUses: 0, lastChange: from };
  }

  function save(row: Row, end?: JobEnd): Promise<void> {
    const events = row.log.ended(end);
    const summary = {
      id: row.id,
      kind: row.job.kind,
      startedAt: row.startedAt,
      totalMs: clock.elapsedMs() - row.from,
      eventCount: events.length,
    };
    // On a full disk what matters has been told by the job itself.
    const saved = tracesOf(row.scope)
      .saveSoon(summary, events)
      .catch(() => undefined);
    saving.add(saved);
    return saved.finally(() => saving.delete(saved)).then(() => undefined);
  }

  function leave(key: string, row: Row): void {
    rows.delete(key);
    leaving.add(row);
  }

  function saveLeft(): void {
    for (const row of leaving)
      if (row.log.underWay() === 0 || isClosed) {
        leaving.delete(row);
        if (row.log.uses() > 0) void save(row);
      }
  }

  /** Looks which rows are over. */
  function look(): void {
    const now = clock.elapsedMs();
    for (const [key, row] of rows) {
      const uses = row.log.uses();
      if (uses !== row.lastUses || row.log.underWay() > 0) {
        row.lastUses = uses;
        row.lastChange = now;
      }
      if (now - row.lastChange >= restingMs || now - row.from >= longestMs || uses >= mostUses) leave(key, row);
    }
    saveLeft();
    if (rows.size === 0 && leaving.size === 0) {
      stop?.();
      stop = undefined;
    }
  }

  return {
    async run(scope, job, { work, told }) {
      const row = begin(scope, job);
      try {
        const result = await work(row.log);
        const { counts = {}, ...end } = told?.(result) ?? {};
        row.log.count(counts);
        await save(row, end);
        return result;
      } catch (thrown) {
        const { code, message } = toFootnoteError(thrown);
        await save(row, { status: code, detail: message });
        throw thrown;
      }
    },
    row(scope, job) {
      const key = JSON.stringify([scope.tenant, scope.principal.id, job.kind, job.about]);
      let row = rows.get(key);
      if (row === undefined) {
        row = begin(scope, job);
        rows.set(key, row);
        stop ??= isClosed ? undefined : every(look, Math.max(1, restingMs / 2));
      }
      return row.log;
    },
    async flush() {
      for (const [key, row] of rows) if (row.log.underWay() === 0) leave(key, row);
      saveLeft();
      await Promise.all(saving);
    },
    async close() {
      isClosed = true;
      stop?.();
      for (const [key, row] of rows) leave(key, row);
      saveLeft();
      await Promise.all(saving);
    },
  };
}

/** Over the record, with the settings that each trace names. */
export function openJobTraces(
  config: Config,
  {
    database,
    ...given
  }: Pick<JobTracesOptions, 'clock' | 'ids'> & { readonly database: Pick<RecordDatabase, 'forScope'> },
): JobTraces {
  const { program, config: hash } = settingFacts(config);
  return createJobTraces({
    ...given,
    tracesOf: (scope) => database.forScope(scope).traces,
    facts: { program, config: hash },
  });
}
