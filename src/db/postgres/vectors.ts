// Vectors of chunks in PostgreSQL. Whatever changes those of a tenant locks the tenant's row first, then the row of the space, from which blocks take
// their numbers: they have no gaps and become visible in their order.
import { FootnoteError } from '../../core/errors.ts';
import type { IndexedDocument, IndexedSpace } from '../repositories/changes.ts';
import {
  bytesOf,
  type EmbeddedRows,
  type ErasableTexts,
  type PendingRows,
  type RememberedText,
  sealBlock,
  sealText,
  type TextPlace,
  toTextVector,
  type VectorBlock,
  type VectorDelta,
  type VectorMark,
} from '../repositories/vectors.ts';
import type { Connection, PostgresClient } from './client/client.ts';
import { type Columns, insertRows } from './client/insert-rows.ts';
import { lockTenant } from './tenant-lock.ts';

type NewBlock = Omit<VectorBlock, 'sequence' | 'seal'>;

const blockColumns: Columns = {
  tenant: 'text',
  space: 'text',
  sequence: 'bigint',
  document_id: 'text',
  first_row: 'bigint',
  last_row: 'bigint',
  seal: 'text',
  bytes: 'bytea',
};
const memoColumns: Columns = { tenant: 'text', space: 'text', text_hash: 'bytea', seal: 'bytea', bytes: 'bytea' };

const hexOf = (hashes: readonly string[]): readonly Uint8Array[] => hashes.map((hash) => Buffer.from(hash, 'hex'));

/** Whether the space is there. */
async function insertBlocks(
  connection: Connection,
  { tenant, space }: TextPlace,
  blocks: readonly NewBlock[],
): Promise<boolean> {
  const sql =
    'UPDATE vector_space SET revision = revision + $3 WHERE tenant = $1 AND space = $2 RETURNING revision - $3 AS last';
  const [found] = await connection.rows<{ readonly last: number }>(sql, [tenant, space, blocks.length]);
  if (!found) return false;
  const sealed = blocks.map((block, at) => ({
    ...block,
    tenant,
    space,
    sequence: found.last + at + 1,
    seal: sealBlock(tenant, space, block),
  }));
  await insertRows(connection, { table: 'vector_block', columns: blockColumns }, sealed);
  return true;
}

/** Takes the vectors of documents out of every space; asks once where there are none. */
export async function removeVectors(
  connection: Connection,
  tenant: string,
  documentIds: readonly string[],
): Promise<void> {
  const sql = `DELETE FROM vector_block WHERE tenant = $1 AND document_id = ANY($2) AND bytes IS NOT NULL
    RETURNING space, document_id, first_row, last_row`;
  const taken = await connection.rows<NewBlock & { readonly space: string }>(sql, [tenant, documentIds]);
  for (const [space, blocks] of Map.groupBy(taken, (block) => block.space))
    await insertBlocks(
      connection,
      { tenant, space },
      blocks.map(({ document_id, first_row, last_row }) => ({ document_id, first_row, last_row, bytes: null })),
    );
}

/** Vectors that documents brought with them, in the commit that indexed their chunks. */
export async function putVectors(
  connection: Connection,
  tenant: string,
  { space, documents }: { readonly space: IndexedSpace; readonly documents: readonly IndexedDocument[] },
): Promise<void> {
  const { name, dimensions, metric } = space;
  // What is left of a space of this name that was dropped goes first: its numbers come again.
  const put = `WITH gone AS (DELETE FROM vector_block WHERE tenant = $1 AND space = $2
      AND NOT EXISTS (SELECT 1 FROM vector_space AS s WHERE s.tenant = $1 AND s.space = $2))
    INSERT INTO vector_space (tenant, space, dimensions, metric, revision) VALUES ($1, $2, $3, $4, 0) ON CONFLICT DO NOTHING`;
  await connection.rows(put, [tenant, name, dimensions, metric]);
  const given = documents.filter(({ vectors, chunks }) => vectors && chunks.length > 0);
  const rows = await rowsOfDocuments(
    connection,
    tenant,
    given.map(({ document }) => document.id),
  );
  const blocks = given.flatMap(({ document, chunks, vectors = new Float32Array() }) => {
    if (vectors.length !== chunks.length * dimensions)
      throw new FootnoteError(
        'invalid-request',
        `Document ${document.id} has ${chunks.length} chunks, but ${vectors.length / dimensions} vectors of ${dimensions} dimensions.`,
      );
    const document_id = document.id.toWellFormed();
    const held = rows.get(document_id);
    return held ? [{ document_id, ...held, bytes: bytesOf(vectors) }] : [];
  });
  await insertBlocks(connection, { tenant, space: name }, blocks);
}

interface HeldRows {
  readonly first_row: number;
  readonly last_row: number;
}

async function rowsOfDocuments(
  connection: Connection,
  tenant: string,
  documentIds: readonly string[],
): Promise<ReadonlyMap<string, HeldRows>> {
  const sql =
    'SELECT document_id, first_row, last_row FROM ix_document WHERE tenant = $1 AND document_id = ANY($2) AND last_row >= first_row';
  const found = await connection.rows<HeldRows & { readonly document_id: string }>(sql, [tenant, documentIds]);
  return new Map(found.map(({ document_id, ...rows }) => [document_id, rows]));
}

const blocksSql = `SELECT sequence, document_id, first_row, last_row, seal, bytes FROM vector_block
  WHERE tenant = $1 AND space = $2 AND sequence > $3 AND (bytes IS NOT NULL OR sequence > $4) ORDER BY sequence LIMIT $5`;
/** Blocks that are read at a time. */
const blocksTogether = 100;

export interface SpaceRow {
  readonly born: string;
  readonly dimensions: number;
  readonly metric: string;
  readonly revision: number;
}

export const isNewer = ({ born, revision }: SpaceRow, mark: VectorMark): boolean =>
  born !== mark.born || revision > mark.sequence;

/** What came since a mark; undefined where it has all. */
export async function vectorsSince(
  connection: Pick<Connection, 'rows'>,
  { tenant, space }: { readonly tenant: string; readonly space: SpaceRow },
  mark: VectorMark,
): Promise<VectorDelta> {
  const { born, dimensions, revision } = space;
  const metric = space.metric === 'dot' ? 'dot' : 'cosine';
  const told = { born, revision, space: { name: mark.space, dimensions, metric } as const };
  if (!isNewer(space, mark)) return { ...told, blocks: [], isMore: false };
  const isAnother = born !== mark.born;
  const [after, upTo] = isAnother ? [0, revision] : [mark.sequence, mark.upTo];
  const values = [tenant, mark.space, after, upTo, blocksTogether];
  const blocks = await connection.rows<VectorBlock>(blocksSql, values);
  return { ...told, blocks, isMore: blocks.length === blocksTogether };
}

/** Vectors behind the documents of a tenant, beside the models that they are of. */
export interface VectorRows {
  missing(space: string, page: { readonly after?: string; readonly limit: number }): Promise<readonly PendingRows[]>;
  /** Of documents that still have these rows and no vectors yet: how many were written. Texts are remembered in any case. */
  write(space: string, batch: readonly EmbeddedRows[], texts: readonly RememberedText[]): Promise<number>;
  recall(space: string, hashes: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>;
  known(space: string, hashes: readonly string[]): Promise<ReadonlySet<string>>;
  /** Drops blocks by sequence: their chunks then count as without vectors. */
  drop(space: string, sequences: readonly number[]): Promise<void>;
  /** Drops the vectors of spaces that are gone, in pieces. */
  dropLeft(): Promise<void>;
  rowsOf(chunkIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  readonly texts: ErasableTexts<string, string>;
}

const hashDigits = 32;
/** A text is remembered under its space and hash. */
const placeSql = `space || ' ' || encode(text_hash, 'hex')`;

function createTexts(client: PostgresClient, tenant: string, write: PostgresClient['write']): VectorRows['texts'] {
  return {
    hasRemembered: async () =>
      (await client.rows('SELECT 1 FROM embedding_memo WHERE tenant = $1 LIMIT 1', [tenant])).length > 0,
    chunks: (after = '', limit) =>
      client.rows(
        `SELECT c.id AS place, c.heading_path AS headings, c.text, d.title FROM chunk AS c
         JOIN document AS d ON d.tenant = c.tenant AND d.id = c.document_id WHERE c.tenant = $1 AND c.id > $2 ORDER BY c.id LIMIT $3`,
        [tenant, after, limit],
      ),
    remembered(after = '', limit) {
      const [space, hash] = [after.slice(0, -hashDigits - 1), after.slice(-hashDigits)];
      return client.rows(
        `SELECT ${placeSql} AS place, encode(text_hash, 'hex') AS hash FROM embedding_memo
         WHERE tenant = $1 AND (space, text_hash) > ($2, $3) ORDER BY space, text_hash LIMIT $4`,
        [tenant, space, Buffer.from(hash, 'hex'), limit],
      );
    },
    forget: (places) =>
      write((connection) =>
        connection.rows(`DELETE FROM embedding_memo WHERE tenant = $1 AND ${placeSql} = ANY($2)`, [tenant, places]),
      ),
  };
}

const missingSql = `SELECT e.document_id AS "documentId", e.first_row AS "firstRow", e.last_row AS "lastRow" FROM ix_document AS e
  WHERE e.tenant = $1 AND e.document_id > $2 AND e.last_row >= e.first_row AND NOT EXISTS (SELECT 1 FROM vector_block AS b
    WHERE b.tenant = e.tenant AND b.document_id = e.document_id AND b.space = $3 AND b.bytes IS NOT NULL)
  ORDER BY e.document_id LIMIT $4`;
const putText = 'ON CONFLICT (tenant, space, text_hash) DO UPDATE SET seal = excluded.seal, bytes = excluded.bytes';
/** Pieces of a space that is gone. */
const droppedTogether = 400;
const dropLeftSql = `DELETE FROM vector_block WHERE tenant = $1 AND (space, sequence) IN (
  SELECT b.space, b.sequence FROM vector_block AS b WHERE b.tenant = $1
  AND NOT EXISTS (SELECT 1 FROM vector_space AS s WHERE s.tenant = $1 AND s.space = b.space) LIMIT ${droppedTogether})`;
const rowsSql = `SELECT c.id, c.ordinal + e.first_row AS row FROM chunk AS c
  JOIN ix_document AS e ON e.tenant = c.tenant AND e.document_id = c.document_id WHERE c.tenant = $1 AND c.id = ANY($2)`;

export function createVectorRows(client: PostgresClient, tenant: string): VectorRows {
  const write: PostgresClient['write'] = (work) => client.write(work, { alone: `vectors ${tenant}` });
  const memo = (columns: string, space: string, hashes: readonly string[]) =>
    client.rows<{ readonly hash: string; readonly seal: Uint8Array; readonly bytes: Uint8Array }>(
      `SELECT encode(text_hash, 'hex') AS hash${columns} FROM embedding_memo WHERE tenant = $1 AND space = $2 AND text_hash = ANY($3)`,
      [tenant, space, hexOf(hashes)],
    );
  return {
    missing: (space, { after = '', limit }) => client.rows<PendingRows>(missingSql, [tenant, after, space, limit]),
    write: (space, batch, texts) =>
      write(async (connection) => {
        const place = { tenant, space };
        const remembered = texts.map(({ hash, vector, space: own = space }) => {
          const bytes = bytesOf(vector);
          const of = { tenant, space: own };
          return { ...of, text_hash: Buffer.from(hash, 'hex'), seal: sealText(of, hash, bytes), bytes };
        });
        await insertRows(connection, { table: 'embedding_memo', columns: memoColumns, suffix: putText }, remembered);
        if (batch.length === 0) return 0;
        await lockTenant(connection, tenant);
        const ids = batch.map(({ documentId }) => documentId.toWellFormed());
        const held = await rowsOfDocuments(connection, tenant, ids);
        const sql =
          'SELECT document_id AS id FROM vector_block WHERE tenant = $1 AND document_id = ANY($2) AND space = $3 AND bytes IS NOT NULL';
        const there = await connection.rows<{ readonly id: string }>(sql, [tenant, ids, space]);
        const embedded = new Set(there.map(({ id }) => id));
        const blocks = batch.flatMap(({ documentId, firstRow, lastRow, vectors }) => {
          const document_id = documentId.toWellFormed();
          const rows = held.get(document_id);
          // Replaced or deleted meanwhile: rows are never used twice.
          const isSame = rows?.first_row === firstRow && rows.last_row === lastRow;
          return isSame && !embedded.has(document_id) ? [{ document_id, ...rows, bytes: bytesOf(vectors) }] : [];
        });
        return blocks.length > 0 && (await insertBlocks(connection, place, blocks)) ? blocks.length : 0;
      }),
    async recall(space, hashes) {
      const found = (await memo(', seal, bytes', space, hashes)).flatMap(({ hash, ...row }) => {
        const vector = toTextVector({ tenant, space }, hash, row);
        return vector ? [[hash, vector] as const] : [];
      });
      return new Map(found);
    },
    known: async (space, hashes) => new Set((await memo('', space, hashes)).map(({ hash }) => hash)),
    async drop(space, sequences) {
      const sql = 'DELETE FROM vector_block WHERE tenant = $1 AND space = $2 AND sequence = ANY($3)';
      await write((connection) => connection.rows(sql, [tenant, space, sequences]));
    },
    async dropLeft() {
      for (;;) {
        const { changes } = await write((connection) => connection.ask(dropLeftSql, [tenant]));
        if (changes < droppedTogether) return;
      }
    },
    texts: createTexts(client, tenant, write),
    async rowsOf(chunkIds) {
      const found = await client.rows<{ readonly id: string; readonly row: number }>(rowsSql, [tenant, chunkIds]);
      return new Map(found.map(({ id, row }) => [id, row]));
    },
  };
}
