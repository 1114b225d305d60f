// The record and the index of the store must agree after every crash: this is what agreeing means.
import { expect } from 'vitest';
import { localScope } from '../../src/core/scope.ts';
import type { SqliteRecordDatabase } from '../../src/db/sqlite/sqlite.ts';
import { hasBit } from '../../src/engine/bitmap.ts';
import { stringAt } from '../../src/engine/strings.ts';
import { createEngine } from '../../src/stores/embedded/engine.ts';

/** The index of the embedded store and the chunks of the record are the same set, each found once, and nothing is damaged. */
export async function expectAgreement(database: SqliteRecordDatabase, tenant = localScope().tenant): Promise<void> {
  const engine = createEngine(tenant);
  const view = database.read((connection) => engine.sync(connection));
  expect(engine.damage()).toBeUndefined();
  const entries: string[] = [];
  for (const { segment, dead } of view.index.segments())
    for (let slot = 0; slot < segment.sizes.entries; slot++)
      if (!dead || !hasBit(dead, slot))
        entries.push(`${stringAt(segment.keys, slot)} of ${stringAt(segment.groups, segment.groupOf[slot] ?? 0)}`);
  const chunks = database
    .read((connection) => connection.prepare('SELECT id, document_id FROM chunk WHERE tenant = ?').all(tenant))
    .map((row) => `${String(row['id'])} of ${String(row['document_id'])}`);
  const [indexed, recorded] = [new Set(entries), new Set(chunks)];
  expect(entries.length, 'chunks that the index holds twice').toBe(indexed.size);
  expect([...indexed.difference(recorded)], 'index entries without a chunk').toEqual([]);
  expect([...recorded.difference(indexed)], 'chunks that the index lacks').toEqual([]);
  expect(database.read((connection) => engine.tenant.count(connection)).chunks, 'the count of the index').toBe(
    chunks.length,
  );
}
