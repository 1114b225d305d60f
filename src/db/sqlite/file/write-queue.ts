// One writer: works are queued and those that wait together share one commit (group commit), each in a savepoint of its
// own. Invariant: a promise resolves only after its COMMIT returned, and a work that throws leaves nothing behind. The disk
// keeps the event loop waiting in a COMMIT: where it is slow, small works wait for one another.

import type { DatabaseSync } from 'node:sqlite';
import { FootnoteError, isFootnoteError } from '../../../core/errors.ts';
import { nextTurn } from '../../../core/waiting/pieces.ts';
import { ownTime, type RestingTime } from '../../resting.ts';

/** Works stop joining a commit after this long, so that readers of the event loop are not kept waiting. */
const groupMs = 25;
const groupSize = 64;
/** Small works wait this many times as long as the last COMMIT took: the disk then has at most a third of the event loop. */
const restPerCommit = 2;
/** No work waits longer for others. */
const longestRestMs = 10;

interface Job {
  /** Work on another connection: nothing is written here until it has ended. */
  readonly elsewhere?: () => Promise<unknown>;
  readonly work: (database: DatabaseSync) => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: FootnoteError) => void;
}

export interface WriteQueue {
  submit<T>(work: (database: DatabaseSync) => T): Promise<T>;
  /** Runs work that writes on another connection, in its turn and alone: a commit beside it would wait for the lock with the event loop. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when everything submitted so far has ended; later works are refused. */
  close(): Promise<void>;
}

export interface WriteQueueOptions {
  /** Translates what a work or the commit threw. */
  readonly translate: (error: unknown) => FootnoteError;
  /** Called after a commit failed or succeeded, outside of any transaction. */
  readonly committed?: () => void;
  /** Default: the time of this process. */
  readonly time?: RestingTime;
}

export function createWriteQueue(database: DatabaseSync, options: WriteQueueOptions): WriteQueue {
  const { time = ownTime } = options;
  const waiting: Job[] = [];
  let running: Promise<void> | undefined;
  let closed = false;

  /** The next commit is not before. */
  let restsUntilMs = 0;

  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      const [first] = waiting;
      if (first?.elsewhere) {
        waiting.shift();
        await first.elsewhere().then(first.resolve, first.reject);
        continue;
      }
      // One turn of the event loop between commits: what arrives meanwhile joins the next one.
      await nextTurn();
      const restMs = restsUntilMs - time.elapsedMs();
      if (restMs >= 1 && waiting.length < groupSize && !closed) await time.rest(restMs);
      restsUntilMs = time.elapsedMs() + commitGroup(database, waiting, { ...options, time });
      options.committed?.();
    }
    running = undefined;
  };

  return {
    submit<T>(work: (database: DatabaseSync) => T): Promise<T> {
      if (closed) return Promise.reject(new FootnoteError('internal', 'The record is closed: nothing can be written.'));
      return new Promise<T>((resolve, reject) => {
        waiting.push({ work, resolve: resolve as (value: unknown) => void, reject });
        running ??= drain();
      });
    },
    exclusively<T>(elsewhere: () => Promise<T>): Promise<T> {
      if (closed) return Promise.reject(new FootnoteError('internal', 'The record is closed: nothing can be written.'));
      return new Promise<T>((resolve, reject) => {
        waiting.push({ elsewhere, work: () => undefined, resolve: resolve as (value: unknown) => void, reject });
        running ??= drain();
      });
    },
    async close() {
      closed = true;
      await running;
    },
  };
}

/** Returns how long the next commit should wait for works to join it, in milliseconds. */
function commitGroup(
  database: DatabaseSync,
  waiting: Job[],
  options: WriteQueueOptions & { readonly time: RestingTime },
): number {
  const { translate, time } = options;
  const startedAt = time.elapsedMs();
  const ended: (() => void)[] = [];
  const joined: Job[] = [];
  let workedUntil = startedAt;
  try {
    database.exec('BEGIN IMMEDIATE');
    while (
      waiting.length > 0 &&
      joined.length < groupSize &&
      waiting[0]?.elsewhere === undefined &&
      (joined.length === 0 || time.elapsedMs() - startedAt < groupMs)
    ) {
      const job = waiting.shift();
      if (!job) break;
      joined.push(job);
      ended.push(runJob(database, job, translate));
    }
    workedUntil = time.elapsedMs();
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    const failure = translate(error);
    // On a full disk one that needs room must not fail the others, least of all a deletion: each is tried by itself.
    if (joined.length > 1 && isFootnoteError(failure) && failure.code === 'storage-full') {
      for (const job of joined) commitGroup(database, [job], options);
      return 0;
    }
    const first = joined.length === 0 ? waiting.shift() : undefined;
    for (const job of first ? [first] : joined) job.reject(failure);
    return 0;
  }
  const committedAt = time.elapsedMs();
  for (const end of ended) end();
  // Works that took longer than their COMMIT are ingestion's: they come one after another, and gain nothing by waiting.
  const commitMs = committedAt - workedUntil;
  return workedUntil - startedAt > commitMs ? 0 : Math.min(longestRestMs, restPerCommit * commitMs);
}

/** Returns what to do once the commit has succeeded. Throws only when SQLite gave up the whole transaction. */
function runJob(database: DatabaseSync, job: Job, translate: WriteQueueOptions['translate']): () => void {
  database.exec('SAVEPOINT job');
  try {
    const value = job.work(database);
    if (value instanceof Promise) {
      value.catch(() => undefined);
      throw new FootnoteError('internal', 'The work of a transaction must be synchronous: it returned a promise.');
    }
    database.exec('RELEASE job');
    return () => job.resolve(value);
  } catch (error) {
    // A full disk makes SQLite roll back everything by itself; then nothing of the group may be acknowledged.
    if (!database.isTransaction) throw error;
    database.exec('ROLLBACK TO job');
    database.exec('RELEASE job');
    const failure = translate(error);
    return () => job.reject(failure);
  }
}
