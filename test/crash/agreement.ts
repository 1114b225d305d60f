// The record and the index of the store must agree after every crash: this is what agreeing means.
import { expect } from 'vitest';
import type { SqliteRecordDatabase } from '../../src/db/sqlite.ts';
import { createTenantIndex } from '../../src/stores/embedded-index.ts';

/** The index of the embedded store and the chunks of the record are the same set, and FTS5 agrees with its content. */
export async function expectAgreement(database: SqliteRecordDatabase, tenant = 'default'): Promise<void> {
  const index = createTenantIndex(tenant);
  const exists = database.read((connection) => index.exists(connection));
  if (!exists) {
    expect(database.read((connection) => connection.prepare('SELECT id FROM chunk').all())).toEqual([]);
    return;
  }
  database.read((connection) => {
    const apart = (left: string, right: string): unknown[] => connection.prepare(`${left} EXCEPT ${right}`).all();
    const entries = `SELECT chunk_id AS id, document_id FROM ${index.entry}`;
    const chunks = `SELECT id, document_id FROM chunk WHERE tenant = '${tenant}'`;
    expect(apart(entries, chunks), 'index entries without a chunk').toEqual([]);
    expect(apart(chunks, entries), 'chunks that the index lacks').toEqual([]);
  });
  await database.write((connection) =>
    connection.exec(`INSERT INTO ${index.index} (${index.index}, rank) VALUES ('integrity-check', 1)`),
  );
}
