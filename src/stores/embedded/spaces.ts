// The embedding models whose vectors a tenant's embedded store holds, and how those vectors come in behind the searches: a model
// is begun, its vectors are written document by document, and once all are there it takes the place of the one before. Every
// step is a transaction that can be repeated, so a kill between steps costs one batch at most.

import { FootnoteError } from '../../core/errors.ts';
import { nextTurn } from '../../core/waiting/pieces.ts';
import { createEmbeddingModels } from '../../db/both/embedding-models.ts';
import type { EmbeddingModels } from '../../db/repositories/vectors.ts';
import { prepared } from '../../db/sqlite/file/connection.ts';
import { createStatements } from '../../db/sqlite/file/statements.ts';
import type { SqliteRecordDatabase } from '../../db/sqlite/sqlite.ts';
import { engineThreads } from '../../engine/threads/engine-threads.ts';
import { indexedOf, keepModels } from './kept-models.ts';
import { cacheTexts, knownTexts, recallTexts } from './memo.ts';
import { engineOf, vectorsIn } from './shared.ts';
import type { VectorKeeping, VectorSpace } from './vector-keeping.ts';
import { findSpace, insertVectors } from './vectors.ts';

/** Blocks of a dropped space that one transaction deletes. */
const blocksTogether = 400;

// The planner would take the index by space, and read every block of it for each document.
const missingSql = `SELECT e.document_id, e.first_row, e.last_row FROM lexical_document AS e
  WHERE e.tenant = ?1 AND e.document_id > ?2 AND e.last_row >= e.first_row AND NOT EXISTS (
    SELECT 1 FROM vector_block AS b INDEXED BY vector_block_document
    WHERE b.tenant = e.tenant AND b.document_id = e.document_id AND b.space = ?3 AND b.bytes IS NOT NULL)
  ORDER BY e.document_id LIMIT ?4`;

const leftBlocksSql = `SELECT sequence FROM vector_block AS b WHERE tenant = ?1
  AND NOT EXISTS (SELECT 1 FROM vector_space AS s WHERE s.tenant = ?1 AND s.space = b.space) LIMIT ?2`;

/** The embedding models in a record of SQLite. */
export function modelsIn(database: SqliteRecordDatabase, tenant: string): EmbeddingModels {
  const { write } = database;
  return createEmbeddingModels(
    tenant,
    createStatements({ read: async (work) => database.read(work), write, free: write }),
  );
}

/** The spaces of a tenant's embedded store. */
export function openEmbeddedSpaces(database: SqliteRecordDatabase, tenant: string): VectorKeeping {
  const { engine, spaces } = engineOf(database, tenant);
  const models = modelsIn(database, tenant);

  const spaceOf = (name: string): VectorSpace => {
    const space = database.read((connection) => findSpace(connection, tenant, name));
    if (space) return space;
    throw new FootnoteError('conflict', `There is no embedding model ${name}: it was dropped, or never begun.`);
  };

  /** Vectors that no space names any more, a piece at a time. */
  async function dropLeftBlocks(): Promise<void> {
    const some = database.read((connection) => prepared(connection, leftBlocksSql).all(tenant, 1));
    if (some.length === 0) return;
    for (;;) {
      const dropped = await database.write((connection) => {
        const found = prepared(connection, leftBlocksSql).all(tenant, blocksTogether);
        const drop = prepared(connection, 'DELETE FROM vector_block WHERE sequence = ?');
        for (const { sequence } of found) drop.run(sequence ?? 0);
        return found.length;
      });
      if (dropped < blocksTogether) return;
      await nextTurn();
    }
  }

  return {
    ...keepModels(models, {
      forget: (space) => void spaces.delete(space),
      dropLeft: dropLeftBlocks,
      known: (space, hashes) => database.read((connection) => knownTexts(connection, { tenant, space }, hashes)),
    }),
    missing: async (space, { after = '', limit }) =>
      database.read((connection) =>
        prepared(connection, missingSql)
          .all(tenant, after, space, limit)
          .map((row) => ({
            documentId: String(row['document_id']),
            firstRow: Number(row['first_row']),
            lastRow: Number(row['last_row']),
          })),
      ),
    recall: async (space, hashes) => database.read((connection) => recallTexts(connection, { tenant, space }, hashes)),
    async write(name, batch, texts = []) {
      const space = spaceOf(name);
      return database.write((connection) => {
        cacheTexts(connection, { tenant, space: name }, texts);
        // Dropped while the batch waited for its turn.
        if (!findSpace(connection, tenant, name)) return 0;
        return insertVectors(connection, tenant, { space, batch });
      });
    },
    async coverage(name) {
      await engine.opening(database, engineThreads);
      const held = vectorsIn(spaces, tenant, spaceOf(name));
      await held.opening(database);
      return database.read((connection) => {
        const chunks = engine.sync(connection).index.count();
        held.sync(connection);
        return { chunks, embedded: Math.min(chunks, held.index.count()) };
      });
    },
    async indexed() {
      await engine.opening(database, engineThreads);
      return database.read((connection) => {
        const view = engine.sync(connection);
        const row = prepared(connection, 'SELECT revision FROM document_change WHERE tenant = ?').get(tenant);
        return indexedOf(view, Number(row?.['revision'] ?? 0));
      });
    },
  };
}
