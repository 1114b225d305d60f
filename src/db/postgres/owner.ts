// One Footnote at a time works on a database for now: what a process that ended left open is closed at the start of the next, which must not be
// somebody else's that still runs. Only the database's clock counts; one that was killed is waited for until its lease ends.
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { FootnoteError } from '../../core/errors.ts';
import type { PostgresClient } from './client.ts';

const leaseMs = 15_000;
const renewedEveryMs = 5000;
const lookedEveryMs = 500;

const takeSql = `INSERT INTO lease (name, owner, fence, expires_at) VALUES ('record', $1, 1, clock_timestamp() + $2 * interval '1 ms')
  ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, expires_at = excluded.expires_at,
    fence = CASE WHEN lease.owner = excluded.owner THEN lease.fence ELSE lease.fence + 1 END
  WHERE lease.owner = excluded.owner OR lease.expires_at < clock_timestamp() RETURNING fence`;

/** Takes the database for this process; returns how to give it back. Throws `already-running`. */
export async function own(client: PostgresClient, longestMs = leaseMs + 1000): Promise<() => Promise<void>> {
  const owner = randomUUID();
  const take = async (): Promise<boolean> => (await client.rows(takeSql, [owner, leaseMs])).length > 0;
  const untilMs = performance.now() + longestMs;
  while (!(await take())) {
    if (performance.now() > untilMs)
      throw new FootnoteError(
        'already-running',
        'Another Footnote works on the database of the record (FOOTNOTE_DATABASE_URL), and one at a time can for now. Stop it, or ask through it.',
      );
    await wait(lookedEveryMs);
  }
  // A database that is away is asked again, and whoever took the lease meanwhile is left alone.
  const timer = setInterval(() => void take().catch(() => undefined), renewedEveryMs).unref();
  return async () => {
    clearInterval(timer);
    await client.rows('DELETE FROM lease WHERE name = $1 AND owner = $2', ['record', owner]).catch(() => undefined);
  };
}
