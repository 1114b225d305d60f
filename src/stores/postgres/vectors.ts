// Vectors of a tenant: a table for each model whose vectors it was given, made with the first of them and gone with the last. Beyond some rows it gets an
// index of neighbours (HNSW), which is not needed before: everything is compared then.
import { sha256 } from '../../core/ids.ts';
import { type Connection, type PostgresClient, tryAlone } from '../../db/postgres/client/client.ts';
import type { GivenVectors } from '../check-query.ts';
import type { Tables, VectorTypes } from './tables.ts';

/** An index holds no longer vectors of two bytes a number. */
export const longestIndexed = 4000;
/** An index of some million vectors is made in hours. */
const buildingMs = 6 * 3_600_000;

/** A model's table of a tenant, by its plain name. */
export const spaceName = (tenant: number, { space, dimensions }: GivenVectors): string =>
  `vector_${tenant}_${sha256(`${space}\u0000${dimensions}`).slice(0, 12)}`;

/** Plain names of all there are of a tenant. */
export async function spacesOf(connection: Connection, tables: Tables, tenant: number): Promise<readonly string[]> {
  const sql = `SELECT name FROM ${tables.space} WHERE tenant = $1 ORDER BY name`;
  return (await connection.rows<{ readonly name: string }>(sql, [tenant])).map(({ name }) => name);
}

export interface OwnSpace {
  readonly given: GivenVectors;
  readonly types: VectorTypes;
}

/** Makes it where it is missing; its name, quoted. The tenant's row is locked. */
export async function makeSpace(
  connection: Connection,
  tables: Tables,
  { tenant, given, types }: OwnSpace & { readonly tenant: number },
): Promise<string> {
  const name = spaceName(tenant, given);
  const { changes } = await connection.ask(
    `INSERT INTO ${tables.space} (tenant, space, dimensions, name) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
    [tenant, given.space, given.dimensions, name],
  );
  if (changes > 0) {
    await connection.rows(
      `CREATE TABLE ${tables.named(name)} (chunk int PRIMARY KEY, document int NOT NULL, vector ${types.type}(${given.dimensions}) NOT NULL)`,
    );
    await connection.rows(`CREATE INDEX ON ${tables.named(name)} (document)`);
  }
  return tables.named(name);
}

/** Takes vectors of chunks away, whichever model made them, and the tables of models that have none left. The tenant's row is locked. */
export async function removeVectors(
  connection: Connection,
  tables: Tables,
  { tenant, chunks, keep }: { readonly tenant: number; readonly chunks: readonly number[]; readonly keep?: string },
): Promise<void> {
  for (const name of await spacesOf(connection, tables, tenant)) {
    const table = tables.named(name);
    await connection.rows(`DELETE FROM ${table} WHERE chunk = ANY($1::int[])`, [chunks]);
    if (name === keep) continue;
    const [left] = await connection.rows(`SELECT 1 FROM ${table} LIMIT 1`);
    if (left) continue;
    await connection.rows(`DROP TABLE ${table}`);
    await connection.rows(`DELETE FROM ${tables.space} WHERE name = $1`, [name]);
  }
}

export interface Indexing extends OwnSpace {
  readonly tenant: number;
}

/** Makes the index of neighbours where so many chunks are there that it is needed. Nothing is written to the tenant's vectors meanwhile. */
export async function indexNeighbours(
  client: PostgresClient,
  tables: Tables,
  { tenant, given, types }: Indexing,
): Promise<void> {
  if (given.dimensions > longestIndexed) return;
  const name = spaceName(tenant, given);
  const index = `${name}_near`;
  const isThere = async (connection: Connection): Promise<boolean> => {
    const sql = 'SELECT to_regclass($1) IS NOT NULL AS found';
    return (await connection.rows<{ readonly found: boolean }>(sql, [tables.named(index)]))[0]?.found === true;
  };
  if (await client.read(isThere)) return;
  await client.write(
    async (connection) => {
      // Another server is at it, or was.
      if (!(await tryAlone(connection, `index ${tables.named(index)}`)) || (await isThere(connection))) return;
      await connection.rows(`SET LOCAL statement_timeout = ${buildingMs}`);
      await connection.rows(`SET LOCAL lock_timeout = ${buildingMs}`);
      // Before 0.8.2 one that is built by several processes may be damaged (CVE-2026-3172).
      await connection.rows('SET LOCAL max_parallel_maintenance_workers = 0');
      await connection.rows(
        `CREATE INDEX "${index}" ON ${tables.named(name)} USING hnsw (vector ${types.operators}) WITH (m = 16, ef_construction = 64)`,
      );
    },
    { answerMs: buildingMs, isDone: isThere },
  );
}
