// Vectors of passages in PostgreSQL: read and written many at once.
import type { EncodedPassageRepository } from '../repositories/encoded-passages.ts';
import { dayOf, goTogether, mostPassages, sealed, unsealed } from '../sealed-passages.ts';
import type { PostgresClient } from './client/client.ts';
import { type Columns, insertRows } from './client/insert-rows.ts';
import { runSteps } from './client/statements.ts';
import { deletionGuard, saversOf } from './erased.ts';

const columns: Columns = { tenant: 'text', key: 'text', used: 'text', vector: 'bytea' };
const suffix = 'ON CONFLICT (tenant, key) DO UPDATE SET used = excluded.used, vector = excluded.vector';
/** Those that were not used for longest, where there are more than there may be. */
const dropSql = `WITH held AS (SELECT count(*) AS count FROM encoded_passage WHERE tenant = $1)
  DELETE FROM encoded_passage WHERE tenant = $1 AND key IN (SELECT key FROM encoded_passage WHERE tenant = $1 ORDER BY used, key
    LIMIT (SELECT CASE WHEN count > $2 THEN count - $2 + $3 ELSE 0 END FROM held))`;

export const forgetPassages = (client: PostgresClient, tenant: string): Promise<unknown> =>
  client.write(
    (connection) => connection.rows('DELETE FROM encoded_passage WHERE tenant = $1', [tenant]),
    about(tenant),
  );

const about = (tenant: string) => ({ alone: `passages ${tenant}`, shares: saversOf(tenant) });

export const createEncodedPassageRepository = (
  client: PostgresClient,
  tenant: string,
  most = mostPassages,
): EncodedPassageRepository => ({
  async read(keys) {
    const sql = 'SELECT key, used, vector FROM encoded_passage WHERE tenant = $1 AND key = ANY($2)';
    const rows = await client.rows<{ key: string; used: string; vector: Uint8Array }>(sql, [tenant, keys]);
    const found = rows.flatMap(({ key, used, vector }) => {
      const sound = unsealed(key, vector);
      return sound ? [{ key, used, sound }] : [];
    });
    return {
      vectors: new Map(found.map(({ key, sound }) => [key, sound])),
      usedBefore: (at) => found.flatMap(({ key, used }) => (used === dayOf(at) ? [] : [key])),
    };
  },
  async keep(vectors, used, at) {
    const day = dayOf(at);
    await client.write(async (connection) => {
      const touch = 'UPDATE encoded_passage SET used = $1 WHERE tenant = $2 AND key = ANY($3)';
      await connection.rows(touch, [day, tenant, [...used]]);
      if (vectors.size === 0 || (await runSteps(connection, deletionGuard.deletedSince(tenant)))) return;
      const rows = [...vectors].map(([key, vector]) => ({ tenant, key, used: day, vector: sealed(key, vector) }));
      await insertRows(connection, { table: 'encoded_passage', columns, suffix }, rows);
      await connection.rows(dropSql, [tenant, most, goTogether(most)]);
    }, about(tenant));
  },
});
