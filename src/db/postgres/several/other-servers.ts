// What other servers of the record did, as its tables tell it.
import type { OtherServers } from '../../servers/servers.ts';
import type { PostgresClient, Value } from '../client/client.ts';

/** Longer than a reply is kept for whoever comes back for it. */
const deletedSql = `SELECT 1 FROM erasure WHERE tenant = $1 AND at > clock_timestamp() - interval '15 minutes' LIMIT 1`;
const cancelSql = `UPDATE ingestion SET is_cancelled = true WHERE tenant = $1 AND state = 'running' AND (id = $2 OR source = $3) RETURNING id`;
/** Those that run have an index. */
const cancelledSql = `SELECT id FROM ingestion WHERE state = 'running' AND is_cancelled AND id = ANY($1)`;

const loginSql = `INSERT INTO browser_login (id, owner, sealed, until)
  VALUES ($1, $2, $3, clock_timestamp() + $4::float8 * interval '1 second') ON CONFLICT (id) DO NOTHING`;
const olderSql = `DELETE FROM browser_login WHERE until < clock_timestamp()
  OR id IN (SELECT id FROM browser_login WHERE owner = $1 ORDER BY begun_at DESC OFFSET $2)`;

export function createOtherServers(client: PostgresClient): OtherServers {
  const idsOf = async (sql: string, ...values: readonly Value[]): Promise<readonly string[]> =>
    (await client.rows<{ readonly id: string }>(sql, values)).map(({ id }) => id);
  return {
    logins: {
      async find(id) {
        const sql = 'SELECT sealed FROM browser_login WHERE id = $1 AND until > clock_timestamp()';
        return (await client.rows<{ readonly sealed: Uint8Array }>(sql, [id]))[0]?.sealed;
      },
      keep: ({ id, owner, sealed, lastsSeconds, mostOfOwner }) =>
        client.write(async (connection) => {
          await connection.rows(loginSql, [id, owner, sealed, lastsSeconds]);
          await connection.rows(olderSql, [owner, mostOfOwner]);
        }),
      drop: async (id) => void (await client.rows('DELETE FROM browser_login WHERE id = $1', [id])),
    },
    revoked: (ids) => idsOf('SELECT id FROM api_key WHERE id = ANY($1) AND revoked_at IS NOT NULL', ids),
    deletedLately: async (tenant) => (await client.rows(deletedSql, [tenant])).length > 0,
    async cancelRuns(tenant, which) {
      const [id, source] = 'id' in which ? [which.id, null] : [null, which.source];
      return (await idsOf(cancelSql, tenant, id, source)).length;
    },
    cancelled: (ids) => idsOf(cancelledSql, ids),
  };
}
