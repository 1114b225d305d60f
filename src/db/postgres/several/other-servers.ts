// What other servers of the record did, as its tables tell it.
import type { OtherServers } from '../../repositories/servers.ts';
import type { PostgresClient, Value } from '../client/client.ts';

/** Longer than a reply is kept for whoever comes back for it. */
const deletedSql = `SELECT 1 FROM erasure WHERE tenant = $1 AND at > clock_timestamp() - interval '15 minutes' LIMIT 1`;
const cancelSql = `UPDATE ingestion SET is_cancelled = true WHERE tenant = $1 AND state = 'running' AND (id = $2 OR source = $3) RETURNING id`;

export function createOtherServers(client: PostgresClient): OtherServers {
  const idsOf = async (sql: string, ...values: readonly Value[]): Promise<readonly string[]> =>
    (await client.rows<{ readonly id: string }>(sql, values)).map(({ id }) => id);
  return {
    revoked: (ids) => idsOf('SELECT id FROM api_key WHERE id = ANY($1) AND revoked_at IS NOT NULL', ids),
    deletedLately: async (tenant) => (await client.rows(deletedSql, [tenant])).length > 0,
    async cancelRuns(tenant, which) {
      const [id, source] = 'id' in which ? [which.id, null] : [null, which.source];
      return (await idsOf(cancelSql, tenant, id, source)).length;
    },
    cancelled: (ids) => idsOf('SELECT id FROM ingestion WHERE is_cancelled AND id = ANY($1)', ids),
  };
}
