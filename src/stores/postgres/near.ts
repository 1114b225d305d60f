// The chunks nearest to a vector, by cosine. Where the caller may see no more chunks than some thousands each is compared; beyond that the index of neighbours
// serves, which looks on until enough of what it finds may be seen, and what it misses then is told. Invariant: access and filter stand in the query.
import type { Degradation } from '../../core/search.ts';
import type { Connection } from '../../db/postgres/client/client.ts';
import { printVector } from './rows.ts';
import { behindSql, bestSql, type Found, type Reach, type Seeing } from './seeing.ts';
import type { VectorTypes } from './tables.ts';

/** Candidates that the index keeps while it looks; it takes no more. */
const candidates = { least: 100, most: 1000 } as const;
/** What is equally near at the end of a page is told apart by its id. */
const spare = 20;
/** Rows that it looks at for what passes a filter. */
const mostLooked = 20_000;

export interface NearQuery extends Reach {
  /** Of length 1. */
  readonly vector: Float32Array;
  /** Of the vectors, as it is named in a statement. */
  readonly table: string;
  readonly types: VectorTypes;
  /** Whether the table has an index of neighbours. */
  readonly isIndexed: boolean;
  /** So many chunks are compared one by one. */
  readonly exactRows: number;
}

export interface Nearest {
  readonly found: readonly Found[];
  readonly degraded: readonly Degradation[];
}

/** Chunks that may be seen; more than `most` are not counted to the end. */
async function countSeen(
  connection: Connection,
  { tables, tenant, condition, values }: Seeing,
  most: number,
): Promise<number> {
  if (condition === undefined) return tenant.chunks;
  const bound = values.all.length;
  const [row] = await connection.rows<{ readonly many: number }>(
    `SELECT coalesce(sum(chunks), 0) AS many FROM (SELECT d.chunks FROM ${tables.document} d
      WHERE d.tenant = $${bound + 1} AND d.chunks > 0 AND ${condition} LIMIT $${bound + 2}) AS seen`,
    [...values.all, tenant.number, most + 1],
  );
  return row?.many ?? 0;
}

/** Best first. */
export async function nearestTo(connection: Connection, seeing: Seeing, query: NearQuery): Promise<Nearest> {
  const { after, wanted, isIndexed, exactRows } = query;
  const seen = isIndexed ? await countSeen(connection, seeing, exactRows) : 0;
  const isExact = seen <= exactRows;
  if (!isExact) await lookFar(connection, (after?.rank ?? 0) + wanted);
  const found = await connection.rows<Found>(nearestSql(seeing, { ...query, isExact }), seeing.values.all);
  const isShort = !isExact && found.length < wanted && (after?.rank ?? 0) + found.length < seen;
  return { found, degraded: isShort ? [short] : [] };
}

const short: Degradation = {
  component: 'store.postgres',
  code: 'neighbours-cut',
  detail: `The index of neighbours looked at ${mostLooked} chunks, and fewer of them than were asked for may be seen and pass the filter.`,
  effect: 'Chunks that are less near are not found.',
};

/** The order of the index is what is wanted, whatever its price is taken for. */
async function lookFar(connection: Connection, reach: number): Promise<void> {
  const settings = {
    'hnsw.ef_search': Math.min(candidates.most, Math.max(candidates.least, 2 * reach)),
    'hnsw.iterative_scan': 'relaxed_order',
    'hnsw.max_scan_tuples': mostLooked,
    enable_seqscan: 'off',
    enable_hashjoin: 'off',
    enable_mergejoin: 'off',
  };
  const local = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  await connection.rows(`SELECT ${local.join(', ')}`);
}

/**
 * The nearest rows of what may be seen from where the page begins, first by their vectors alone. Compared, with all that are as near as the last, and where
 * not everything may be seen by documents, whatever the database takes a filter for; looked up, in whatever order the index gives them.
 */
function nearestSql(
  { tables, tenant, values, condition }: Seeing,
  query: NearQuery & { readonly isExact: boolean },
): string {
  const { bind } = values;
  const { vector, table, types, after, wanted, isExact } = query;
  const number = bind(tenant.number);
  const distance = `v.vector ${types.distance} ${bind(printVector(vector))}::${types.type}(${vector.length})`;
  const rows = `SELECT v.chunk, 1 - (${distance}) AS score FROM`;
  const documents = `${tables.document} d WHERE d.tenant = ${number}`;
  let near: string;
  if (isExact) {
    const compared =
      condition === undefined
        ? `${rows} ${table} v`
        : `${rows} (SELECT d.number FROM ${documents} AND ${condition}) AS d
            CROSS JOIN LATERAL (SELECT chunk, vector FROM ${table} WHERE document = d.number OFFSET 0) AS v`;
    near = `compared AS (${compared}), near AS MATERIALIZED ${bestSql(values, { from: 'compared', score: 'score', after, most: wanted })}`;
  } else {
    const parts = [
      condition && `EXISTS (SELECT 1 FROM ${documents} AND d.number = v.document AND ${condition})`,
      after && `1 - (${distance}) <= ${bind(after.score)}::float8`,
    ].filter((part) => part !== undefined);
    const where = parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`;
    // What is as near as the last of the page before is at most so many, and spare ones.
    const most = Math.max(candidates.least, (after?.rank ?? 0) + wanted + spare);
    near = `near AS MATERIALIZED (${rows} ${table} v ${where} ORDER BY ${distance} LIMIT ${bind(most)}::int)`;
  }
  return `WITH ${near}
    SELECT "chunkId", "documentId", score FROM (
      SELECT c.id AS "chunkId", d.id AS "documentId", near.score FROM near
      JOIN ${tables.chunk} c ON c.tenant = ${number} AND c.number = near.chunk
      JOIN ${tables.document} d ON d.tenant = ${number} AND d.number = c.document) AS looked
    ${behindSql(values, after)} ORDER BY score DESC, "chunkId" LIMIT ${bind(wanted)}::int`;
}
