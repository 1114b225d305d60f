// Segments on disk in parts of a megabyte, each written and deleted in a transaction of its own, so that no other write waits
// for a large one. Invariant: parts count only under a row of lexical_segment, which comes last and goes first; parts
// without one are either being written by this process, or left over and removed.

import type { DatabaseSync } from 'node:sqlite';
import { nextTurn } from '../../core/waiting/pieces.ts';
import type { StoredSegment } from '../../db/repositories/index-log.ts';
import { prepared } from '../../db/sqlite/file/connection.ts';
import type { SqliteRecordDatabase } from '../../db/sqlite/sqlite.ts';

export const partBytes = 1 << 20;

/** Seals whose parts are being written, by database: several upkeeps of one process may work at once. */
const staging = new WeakMap<SqliteRecordDatabase, Map<string, number>>();

const placeOf = (tenant: string, seal: string): string => `${seal} ${tenant}`;

/** Keeps the parts under a seal from being taken for left over until the function that it returns was called. */
export function holdParts(database: SqliteRecordDatabase, tenant: string, seal: string): () => void {
  const held = staging.get(database) ?? new Map<string, number>();
  staging.set(database, held);
  const place = placeOf(tenant, seal);
  held.set(place, (held.get(place) ?? 0) + 1);
  return () => {
    const count = (held.get(place) ?? 1) - 1;
    if (count === 0) held.delete(place);
    else held.set(place, count);
  };
}

/** Writes the parts of a segment, a transaction each. */
export async function writeParts(
  database: SqliteRecordDatabase,
  tenant: string,
  made: { readonly seal: string; readonly bytes: Uint8Array },
): Promise<void> {
  for (let part = 0; part * partBytes < made.bytes.length; part++)
    await database.write((connection) => {
      prepared(connection, 'INSERT OR REPLACE INTO lexical_part VALUES (?, ?, ?, ?)').run(
        tenant,
        made.seal,
        part,
        made.bytes.subarray(part * partBytes, (part + 1) * partBytes),
      );
    });
}

const leftParts = `FROM lexical_part AS p WHERE tenant = ?
    AND NOT EXISTS (SELECT 1 FROM lexical_segment AS s WHERE s.tenant = p.tenant AND s.seal = p.seal)`;

/** Whether there are parts that no segment names. */
export function hasLeftParts(database: DatabaseSync, tenant: string): boolean {
  return prepared(database, `SELECT 1 ${leftParts} LIMIT 1`).get(tenant) !== undefined;
}

/** Deletes the parts that no segment names, a transaction each. */
export async function dropLeftParts(database: SqliteRecordDatabase, tenant: string): Promise<void> {
  const left = database.read((connection) => prepared(connection, `SELECT seal, ordinal ${leftParts}`).all(tenant));
  for (const { seal, ordinal } of left)
    await database.write((connection) => {
      // What was left over a moment ago may be written or named by now.
      if (staging.get(database)?.has(placeOf(tenant, String(seal)))) return;
      prepared(
        connection,
        `DELETE FROM lexical_part WHERE tenant = ?1 AND seal = ?2 AND ordinal = ?3
         AND NOT EXISTS (SELECT 1 FROM lexical_segment WHERE tenant = ?1 AND seal = ?2)`,
      ).run(tenant, seal ?? '', ordinal ?? 0);
    });
}

/** The bytes under a seal in shared memory, read part by part; undefined where parts are missing or of another length. */
export async function readParts(
  database: SqliteRecordDatabase,
  tenant: string,
  { seal, parts }: StoredSegment,
): Promise<Uint8Array | undefined> {
  const lengths = database.read((connection) =>
    prepared(
      connection,
      'SELECT length(bytes) AS length FROM lexical_part WHERE tenant = ? AND seal = ? ORDER BY ordinal',
    )
      .all(tenant, seal)
      .map((row) => Number(row['length'])),
  );
  if (lengths.length !== parts) return undefined;
  const bytes = new Uint8Array(new SharedArrayBuffer(lengths.reduce((sum, length) => sum + length, 0)));
  let at = 0;
  for (let part = 0; part < parts; part++) {
    await nextTurn();
    const found = database.read((connection) =>
      prepared(connection, 'SELECT bytes FROM lexical_part WHERE tenant = ? AND seal = ? AND ordinal = ?').get(
        tenant,
        seal,
        part,
      ),
    )?.['bytes'];
    if (!(found instanceof Uint8Array) || found.length !== lengths[part]) return undefined;
    bytes.set(found, at);
    at += found.length;
  }
  return bytes;
}
