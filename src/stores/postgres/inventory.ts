// What the store holds of each document, as one hash of its rows, so that it can be compared with what was brought.
import type { Connection } from '../../db/postgres/client/client.ts';
import type { HeldDocument } from '../held.ts';
import type { Tables } from './tables.ts';
import { spacesOf } from './vectors.ts';
import { stampSql } from './write.ts';

const pageDocuments = 2000;

export async function heldIn(connection: Connection, tables: Tables, tenant: number): Promise<readonly HeldDocument[]> {
  const held: HeldDocument[] = [];
  const stamp = stampSql(tables, await spacesOf(connection, tables, tenant));
  for (;;) {
    const page = await connection.rows<HeldDocument>(
      `SELECT d.id AS "documentId", 1 AS copies, encode(sha256(convert_to(concat_ws(E'\\n', d.stamp,
          (SELECT string_agg(c.id || ' ' || ${stamp}, E'\\n' ORDER BY c.id) FROM ${tables.chunk} c
            WHERE c.tenant = $1 AND c.document = d.number)), 'UTF8')), 'hex') AS hash
        FROM ${tables.document} d WHERE d.tenant = $1 AND d.id > $2 ORDER BY d.id LIMIT ${pageDocuments}`,
      [tenant, held.at(-1)?.documentId ?? ''],
    );
    held.push(...page);
    if (page.length < pageDocuments) return held;
  }
}

/** Of how many chunks each of these documents is that it holds. */
export async function sizesIn(
  connection: Connection,
  tables: Tables,
  { tenant, ids }: { readonly tenant: string; readonly ids: readonly string[] },
): Promise<ReadonlyMap<string, number>> {
  const rows = await connection.rows<{ readonly id: string; readonly chunks: number }>(
    `SELECT d.id, d.chunks FROM ${tables.document} d JOIN ${tables.tenant} t ON t.number = d.tenant
      WHERE t.name = $1 AND d.id = ANY($2::text[])`,
    [tenant, ids],
  );
  return new Map(rows.map(({ id, chunks }) => [id, chunks]));
}
