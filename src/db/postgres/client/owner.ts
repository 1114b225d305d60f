// One Footnote at a time works on a database for now: what a process that ended left open is closed at the start of the next, which must not be
// somebody else's that still runs. Only the database's clock counts; one that was killed is waited for until its lease ends.
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { FootnoteError } from '../../../core/errors.ts';
import { type PostgresClient, takeAlone } from './client.ts';

const leaseMs = 15_000;
const renewedEveryMs = 5000;
const lookedEveryMs = 500;

const name = 'owner of the record';
const heldSql = "SELECT 1 FROM lease WHERE name = 'record' AND expires_at >= clock_timestamp()";
const takeSql = `INSERT INTO lease (name, owner, fence, expires_at) VALUES ('record', $1, 1, clock_timestamp() + $2 * interval '1 ms')
  ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, expires_at = excluded.expires_at, fence = lease.fence + 1
  WHERE lease.expires_at < clock_timestamp() RETURNING fence`;
const renewSql = `UPDATE lease SET expires_at = clock_timestamp() + $2 * interval '1 ms' WHERE name = 'record' AND owner = $1`;

/**
 * Takes the database for this process; returns how to give it back. From now on each transaction that writes asks whether it is still the owner, and
 * holds off whoever would be the next until it ends: where another took the database meanwhile it throws `already-running`. Throws `already-running`.
 */
export async function own(client: PostgresClient, longestMs = leaseMs + 1000): Promise<() => Promise<void>> {
  const owner = randomUUID();
  // Nobody is kept waiting by one who only looks.
  const take = async (): Promise<boolean> =>
    (await client.rows(heldSql)).length === 0 &&
    client.write(async (connection) => {
      await takeAlone(connection, name);
      return (await connection.rows(takeSql, [owner, leaseMs])).length > 0;
    });
  const untilMs = performance.now() + longestMs;
  while (!(await take())) {
    if (performance.now() > untilMs)
      throw new FootnoteError(
        'already-running',
        'Another Footnote works on the database of the record (FOOTNOTE_DATABASE_URL), and one at a time can for now. Stop it, or ask through it.',
      );
    await wait(lookedEveryMs);
  }
  client.fence({
    shares: name,
    sql: `SELECT 1 FROM lease WHERE name = 'record' AND owner = '${owner}'`,
    lost: () =>
      new FootnoteError(
        'already-running',
        'Another Footnote took the database of the record while this one could not reach it. This one writes nothing any more: end it.',
      ),
  });
  // A database that is away is asked again, and whoever took the lease meanwhile is left alone.
  const timer = setInterval(
    () => void client.rows(renewSql, [owner, leaseMs]).catch(() => undefined),
    renewedEveryMs,
  ).unref();
  return async () => {
    clearInterval(timer);
    await client.rows('DELETE FROM lease WHERE name = $1 AND owner = $2', ['record', owner]).catch(() => undefined);
  };
}
