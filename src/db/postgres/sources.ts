// Sources in PostgreSQL: the declaration of each, and how many documents stand in it.

import type { Source, SourceType } from '../../core/document.ts';
import { sourceTypes } from '../../core/document.ts';
import { hasSource, type Scope } from '../../core/scope.ts';
import { readingTables } from '../both/readings.ts';
import type { SourceKind, SourceRepository } from '../repositories/sources.ts';
import { printUpkeep, type SourceRow, soundConnector, toSource } from '../source-rows.ts';
import { stillHolds } from '../write-rules.ts';
import type { Connection, PostgresClient } from './client/client.ts';
import { accessCondition } from './document-reads.ts';
import type { TenantStates } from './tenant-states.ts';

/** A source that is there already keeps its connector, and how it is kept fresh, where nothing is said of where its documents come from. */
export async function putSource(connection: Connection, tenant: string, source: Source): Promise<boolean> {
  const name = source.name.toWellFormed();
  const [present] = await connection.rows<Pick<SourceRow, 'connector' | 'upkeep'>>(
    'SELECT connector, upkeep FROM source WHERE tenant = $1 AND name = $2',
    [tenant, name],
  );
  const isKept = source.connector === undefined;
  const connector = isKept ? soundConnector(present?.connector) : JSON.stringify(source.connector);
  const upkeep = printUpkeep(source) ?? (isKept ? present?.upkeep : undefined) ?? null;
  await connection.rows(
    `INSERT INTO source (tenant, name, type, authority, ttl_seconds, connector, upkeep) VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (tenant, name) DO UPDATE SET type = excluded.type, authority = excluded.authority, ttl_seconds = excluded.ttl_seconds,
     connector = excluded.connector, upkeep = excluded.upkeep`,
    [tenant, name, source.type, source.authority ?? null, source.ttlSeconds ?? null, connector, upkeep],
  );
  return true;
}

export async function deleteSource(connection: Connection, tenant: string, name: string): Promise<boolean> {
  const held = await connection.rows('SELECT 1 FROM document WHERE tenant = $1 AND source = $2 LIMIT 1', [
    tenant,
    name,
  ]);
  if (held.length > 0) throw stillHolds(name);
  const values = [tenant, name.toWellFormed()];
  const parts = [...readingTables, 'attached_file', 'collection'].map(
    (table) => `${table}_gone AS (DELETE FROM ${table} WHERE tenant = $1 AND source = $2)`,
  );
  const sql = `WITH ${parts.join(', ')} DELETE FROM source WHERE tenant = $1 AND name = $2 RETURNING name`;
  return (await connection.rows(sql, values)).length === 1;
}

/** Sources of all tenants that are kept fresh. */
export async function keptSources(client: PostgresClient) {
  const rows = await client.rows<SourceRow & { readonly tenant: string }>(
    'SELECT * FROM source WHERE upkeep IS NOT NULL ORDER BY tenant, name',
  );
  return rows.map((row) => ({ tenant: row.tenant, source: toSource(row) }));
}

export function createSourceRepository(client: PostgresClient, states: TenantStates, scope: Scope): SourceRepository {
  const { tenant, principal } = scope;
  const access = accessCondition(scope);
  return {
    async get(name) {
      const [row] = await client.rows<SourceRow>('SELECT * FROM source WHERE tenant = $1 AND name = $2', [
        tenant,
        name,
      ]);
      return row && hasSource(principal, name) ? toSource(row) : undefined;
    },
    async besideOthers(name, options) {
      const sql = `SELECT id, chunk_count AS chunks, $3 OR EXISTS (SELECT 1 FROM document WHERE tenant = $1 AND source <> $2) AS others
        FROM document WHERE tenant = $1 AND source = $2
        AND ($3 OR EXISTS (SELECT 1 FROM source WHERE tenant = $1 AND name = $2 AND connector IS NOT NULL))`;
      type Row = { readonly id: string; readonly chunks: number; readonly others: boolean };
      const isAlone = options !== undefined;
      const read = () => client.rows<Row>(sql, [tenant, name, isAlone]);
      const rows = await states.ofCorpus(tenant, `beside ${name} ${isAlone}`, read);
      const [found] = rows;
      if (found === undefined) return undefined;
      // These come and go without a revision of the corpus.
      const said = `SELECT 1 WHERE EXISTS (SELECT 1 FROM archive_turn WHERE tenant = $1)
        OR EXISTS (SELECT 1 FROM memory_owner WHERE tenant = $1 AND memories > 0)`;
      if (!found.others && (await client.rows(said, [tenant])).length === 0) return undefined;
      return { documentIds: rows.map(({ id }) => id), chunks: rows.reduce((sum, { chunks }) => sum + chunks, 0) };
    },
    async list() {
      const sql = `SELECT s.*, coalesce(n.documents, 0) AS documents FROM source AS s LEFT JOIN
        (SELECT d.source, count(*) AS documents FROM document AS d WHERE ${access.sql} GROUP BY d.source) AS n ON n.source = s.name
        WHERE s.tenant = $1 ORDER BY s.name`;
      const rows = await client.rows<SourceRow & { readonly documents: number }>(sql, access.values);
      return rows
        .filter(({ name }) => hasSource(principal, name))
        .map((row) => ({ ...toSource(row), documents: row.documents }));
    },
    async kinds() {
      const sql = `SELECT k.source AS name, k.source_type AS type, s.authority, s.ttl_seconds AS ttl FROM
        (SELECT d.source_type, d.source FROM document AS d WHERE ${access.sql} GROUP BY d.source_type, d.source) AS k
        LEFT JOIN source AS s ON s.tenant = $1 AND s.name = k.source ORDER BY k.source_type, k.source`;
      type Row = { name: string; type: string; authority: number | null; ttl: number | null };
      const read = () => client.rows<Row>(sql, access.values);
      const rows = await states.ofCorpus(tenant, `kinds ${JSON.stringify(access)}`, read);
      return rows.flatMap(({ name, type: given, authority, ttl }): SourceKind[] => {
        const type: SourceType | undefined = sourceTypes.find((one) => one === given);
        const declared = { ...(authority !== null && { authority }), ...(ttl !== null && { ttlSeconds: ttl }) };
        return type === undefined ? [] : [{ name, type, ...declared }];
      });
    },
  };
}
