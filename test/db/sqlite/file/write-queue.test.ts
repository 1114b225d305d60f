// Where the disk is slow, small works wait for one another and share its commits; where it is fast, or the works are large, nobody waits.
import type { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { toFootnoteError } from '../../../../src/core/errors.ts';
import type { RestingTime } from '../../../../src/db/resting.ts';
import { createWriteQueue } from '../../../../src/db/sqlite/file/write-queue.ts';

/** Time that only the test lets pass: what the machine does meanwhile decides nothing. */
function openTime() {
  let nowMs = 0;
  const time: RestingTime = {
    elapsedMs: () => nowMs,
    async rest(ms) {
      // Others go on meanwhile, a turn of the event loop at a time.
      for (const until = nowMs + ms; nowMs < until; nowMs += 0.1) await new Promise((resolve) => setImmediate(resolve));
    },
  };
  return {
    time,
    busyFor(ms: number): void {
      nowMs += ms;
    },
  };
}

/** A database of which a test says how long its COMMIT keeps the event loop. */
function databaseOf(commitMs: number) {
  let commits = 0;
  const { time, busyFor } = openTime();
  const fake = {
    isTransaction: true,
    exec(sql: string) {
      if (sql !== 'COMMIT') return;
      commits += 1;
      busyFor(commitMs);
    },
  };
  return { database: fake as unknown as DatabaseSync, commits: () => commits, time, busyFor };
}

/** Works submitted one by one, each when the loop has turned a few times since the last; how many commits they took. */
async function commitsOf(works: number, { commitMs, workMs }: { commitMs: number; workMs: number }): Promise<number> {
  const { database, commits, time, busyFor } = databaseOf(commitMs);
  const queue = createWriteQueue(database, { translate: toFootnoteError, time });
  const done: Promise<void>[] = [];
  for (let at = 0; at < works; at++) {
    done.push(queue.submit(() => busyFor(workMs)));
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(done);
  await queue.close();
  return commits();
}

describe('the write queue', () => {
  it('lets small works share the commits of a slow disk', async () => {
    expect(await commitsOf(40, { commitMs: 4, workMs: 0 })).toBeLessThan(10);
  });

  it('makes nobody wait on a fast disk', async () => {
    expect(await commitsOf(40, { commitMs: 0, workMs: 0 })).toBe(40);
  });

  it('makes ingestion wait for nothing: its works take longer than their commits', async () => {
    expect(await commitsOf(8, { commitMs: 2, workMs: 12 })).toBe(8);
  });

  it('acknowledges only what was committed, and ends while it rests', async () => {
    const { database, commits, time } = databaseOf(5);
    const queue = createWriteQueue(database, { translate: toFootnoteError, time });
    await queue.submit(() => 1);
    const second = queue.submit(() => 2);
    const closed = queue.close();
    expect(commits()).toBe(1);
    expect(await second).toBe(2);
    expect(commits()).toBe(2);
    await closed;
    await expect(queue.submit(() => 3)).rejects.toMatchObject({ code: 'internal' });
  });
});
