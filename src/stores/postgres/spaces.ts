// Vectors that are not where they should be: tables of them that somebody dropped, or that lost their column with pgvector, and chunks whose vectors could not be kept.
// Invariant: what lacks a vector is told, until it is delivered anew.
import type { Degradation } from '../../core/search.ts';
import type { Connection, PostgresClient } from '../../db/postgres/client/client.ts';
import { notDeliveredCode } from '../store.ts';
import type { Tables } from './tables.ts';

/** Chunks of a whole tenant are marked in one statement. */
const markingMs = 600_000;

const lostSql = ({ schema, space }: Tables): string =>
  `FROM ${space} s WHERE NOT EXISTS (SELECT 1 FROM pg_attribute
    WHERE attrelid = to_regclass('${schema.replaceAll("'", "''")}.' || quote_ident(s.name)) AND attname = 'vector' AND NOT attisdropped)`;

/** Forgets tables of vectors that are not there any more, or hold none; the next delivery of what was in them makes them again. */
export async function forgetSpaces(client: PostgresClient, tables: Tables): Promise<void> {
  const lost = await client.read((connection) =>
    connection.rows<{ readonly tenant: number; readonly name: string }>(`SELECT tenant, name ${lostSql(tables)}`),
  );
  for (const { tenant, name } of lost)
    await client.write(
      async (connection) => {
        await connection.rows(`SELECT 1 FROM ${tables.tenant} WHERE number = $1 FOR UPDATE`, [tenant]);
        const { changes } = await connection.ask(`DELETE ${lostSql(tables)} AND s.name = $1`, [name]);
        if (changes === 0) return;
        await connection.rows(`SET LOCAL statement_timeout = ${markingMs}`);
        await connection.rows(`DROP TABLE IF EXISTS ${tables.named(name)}`);
        await connection.rows(
          `UPDATE ${tables.chunk} SET has_vector = NULL, stamp = '' WHERE tenant = $1 AND has_vector`,
          [tenant],
        );
      },
      { answerMs: markingMs, isDone: async () => false },
    );
}

/** How many chunks lack the vector that came with them. */
export async function countBare(connection: Pick<Connection, 'rows'>, tables: Tables, tenant: number): Promise<number> {
  const [row] = await connection.rows<{ readonly many: number }>(
    `SELECT count(*) AS many FROM ${tables.chunk} WHERE tenant = $1 AND has_vector IS NULL`,
    [tenant],
  );
  return row?.many ?? 0;
}

export const bareSql = (tables: Tables): string =>
  `EXISTS (SELECT 1 FROM ${tables.chunk} WHERE tenant = $1 AND has_vector IS NULL)`;

export const toldOfBare = (many: number | 'Some'): string =>
  `${many} chunks came without a place for their vectors, or lost them. "footnote stores reconcile postgres" brings them.`;

export const bare: Degradation = {
  component: 'store.postgres',
  code: notDeliveredCode,
  detail: toldOfBare('Some'),
  effect: 'They are found by their words alone.',
};
