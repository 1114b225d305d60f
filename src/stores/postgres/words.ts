// The best chunks by words: BM25 (k1 1.2, b 0.75) with Lucene's idf over the packed postings of the query's terms, as the store inside the record ranks. Invariants:
// frequencies are those of the tenant alone; who may see a chunk is decided before any cut; sums are of whole numbers, so that the same
// chunks score the same to the last digit, whatever way the database takes.
import type { Connection } from '../../db/postgres/client/client.ts';
import type { WeightedTerm } from '../terms.ts';
import { blockSize, packedSql } from './pack.ts';
import { behindSql, bestSql, type Found, type Reach, type Seeing } from './seeing.ts';

const [k1, b] = [1.2, 0.75];
/** Candidates that a filter is tried on first. */
const lookedFirst = 1000;
/** Contributions of a term are whole numbers below two to the power of this. */
const unitBits = 30;

export interface WordsQuery {
  readonly terms: readonly WeightedTerm[];
}

/** The scored chunks, as tables of a statement: `scored (number, total)` and `measure (unit)`. */
function scoredSql({ tables, tenant, values: { bind } }: Seeing, { terms }: WordsQuery): string {
  const number = bind(tenant.number);
  const names = `${bind(terms.map(({ term }) => term))}::text[]`;
  const weights = `${bind(terms.map(({ weight }) => weight))}::float8[]`;
  const all = `${bind(tenant.chunks)}::float8`;
  const average = tenant.length / Math.max(1, tenant.chunks);
  const slope = `${bind((k1 * b) / Math.max(average, 1e-9))}::float8`;
  const { place, frequency, length } = packedSql('one');
  return `found AS MATERIALIZED (
      SELECT term, block, packed, cardinality(packed) AS many FROM ${tables.posting} WHERE tenant = ${number} AND term = ANY(${names})),
    weighed AS MATERIALIZED (
      SELECT term, asked.weight * ${k1 + 1} * ln(1 + (${all} - known.many + 0.5) / (known.many + 0.5)) AS impact
      FROM unnest(${names}, ${weights}) AS asked (term, weight)
      JOIN (SELECT term, sum(many)::float8 AS many FROM found GROUP BY term) AS known USING (term)),
    measure AS MATERIALIZED (
      SELECT power(2::float8, floor(${unitBits} - ln(max(impact)) / ln(2::float8))) AS unit FROM weighed WHERE impact > 0),
    scaled AS MATERIALIZED (SELECT term, impact * unit AS impact FROM weighed CROSS JOIN measure),
    scored AS (
      SELECT block * ${blockSize} + ${place} AS number,
        sum((impact * ${frequency} / (${frequency} + ${k1 * (1 - b)}::float8 + ${slope} * ${length}))::int) AS total
      FROM found JOIN scaled USING (term) CROSS JOIN LATERAL unnest(packed) AS one
      GROUP BY 1)`;
}

/** Best first. */
export async function bestByWords(
  connection: Connection,
  see: () => Seeing,
  query: WordsQuery & Reach,
): Promise<readonly Found[]> {
  if (query.terms.length === 0) return [];
  const seeing = see();
  const isAll = seeing.condition === undefined;
  // Most filters let enough of the best through; where one does not, all that hold a word are looked at.
  const found = await bestAmong(connection, seeing, {
    ...query,
    most: isAll ? query.wanted : lookedFirst + query.wanted,
  });
  return isAll || found.length >= query.wanted ? found : bestAmong(connection, see(), query);
}

/** Among the best `most` of where the page begins, before anything is left out, and all that score as the last of them. */
async function bestAmong(
  connection: Connection,
  seeing: Seeing,
  { terms, after, wanted, most }: WordsQuery & Reach & { readonly most?: number },
): Promise<readonly Found[]> {
  const { tables, tenant, condition, values } = seeing;
  const scored = scoredSql(seeing, { terms });
  const number = values.bind(tenant.number);
  const from = 'scored CROSS JOIN measure';
  const candidates =
    most === undefined
      ? `(SELECT * FROM ${from})`
      : bestSql(values, { from, score: 'total::float8 / unit', after, most });
  return connection.rows<Found>(
    `WITH ${scored}
    SELECT "chunkId", "documentId", score FROM (
      SELECT c.id AS "chunkId", d.id AS "documentId", candidate.total::float8 / unit AS score
      FROM ${candidates} AS candidate
      JOIN ${tables.chunk} c ON c.tenant = ${number} AND c.number = candidate.number
      JOIN ${tables.document} d ON d.tenant = ${number} AND d.number = c.document
      ${condition === undefined ? '' : `WHERE ${condition}`}) AS seen
    ${behindSql(values, after)} ORDER BY score DESC, "chunkId" LIMIT ${values.bind(wanted)}::int`,
    values.all,
  );
}

/** How many chunks that may be seen hold a word of the query. */
export async function countByWords(connection: Connection, seeing: Seeing, { terms }: WordsQuery): Promise<number> {
  if (terms.length === 0) return 0;
  const { tables, tenant, condition, values } = seeing;
  const scored = scoredSql(seeing, { terms });
  const seen =
    condition === undefined
      ? ''
      : `JOIN ${tables.chunk} c ON c.tenant = ${values.bind(tenant.number)} AND c.number = scored.number
         JOIN ${tables.document} d ON d.tenant = c.tenant AND d.number = c.document WHERE ${condition}`;
  const [row] = await connection.rows<{ readonly many: number }>(
    `WITH ${scored} SELECT count(*) AS many FROM scored ${seen}`,
    values.all,
  );
  return row?.many ?? 0;
}
