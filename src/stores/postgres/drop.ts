// Takes away what the store holds of a tenant, and with the last one its tables and their schema.
import { type Connection, takeAlone } from '../../db/postgres/client/client.ts';
import { tenantIn } from './seeing.ts';
import type { Tables } from './tables.ts';
import { spacesOf } from './vectors.ts';

export async function dropTenant(connection: Connection, tables: Tables, name: string): Promise<void> {
  await takeAlone(connection, `store ${tables.schema}`);
  const [there] = await connection.rows<{ readonly found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [
    tables.named('about'),
  ]);
  if (there?.found !== true) return;
  const tenant = await tenantIn(connection, tables, name);
  if (tenant) {
    for (const space of await spacesOf(connection, tables, tenant.number))
      await connection.rows(`DROP TABLE ${tables.named(space)}`);
    for (const table of [tables.posting, tables.chunk, tables.document, tables.space])
      await connection.rows(`DELETE FROM ${table} WHERE tenant = $1`, [tenant.number]);
    await connection.rows(`DELETE FROM ${tables.tenant} WHERE number = $1`, [tenant.number]);
  }
  const [left] = await connection.rows(`SELECT 1 FROM ${tables.tenant} LIMIT 1`);
  if (left) return;
  const own = [tables.named('about'), tables.tenant, tables.document, tables.chunk, tables.posting, tables.space];
  await connection.rows(`DROP TABLE ${own.join(', ')}`);
  const [other] = await connection.rows(`SELECT 1 FROM pg_class WHERE relnamespace = to_regnamespace($1) LIMIT 1`, [
    tables.schema,
  ]);
  if (!other) await connection.rows(`DROP SCHEMA ${tables.schema}`);
}
