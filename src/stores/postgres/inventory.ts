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
