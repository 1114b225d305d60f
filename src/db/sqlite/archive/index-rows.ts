// What the index of a tenant's archive is kept in. Invariant: a piece whose bytes are not what was written is as good as absent, so that it
// is made anew from the turns.
import { sha256 } from '../../../core/ids.ts';
import { notePages } from '../../erasure/erasure-notes.ts';
import type { ArchiveIndexRepository, ArchiveTurnRow } from '../../repositories/archive.ts';
import { prepared } from '../file/connection.ts';
import type { ArchivePorts } from './archive.ts';
import { soundTurns, type TurnColumns, turnColumns } from './rows.ts';

/** Of turns that are read at once: some 10 ms. */
const charactersTogether = 1_000_000;

export function createArchiveIndexRepository(tenant: string, { read, write }: ArchivePorts): ArchiveIndexRepository {
  return {
    facts: async (after) =>
      read((database) => {
        const sql =
          'SELECT row, conversation, owner, at_ms, author FROM archive_turn WHERE tenant = ? AND row > ? ORDER BY row LIMIT 5000';
        return prepared(database, sql)
          .all(tenant, after)
          .map((row) => ({
            row: row['row'] as number,
            conversation: row['conversation'] as number,
            owner: row['owner'] as string,
            // Damage may have made anything of them.
            atMs: typeof row['at_ms'] === 'number' ? row['at_ms'] : undefined,
            author: typeof row['author'] === 'string' ? row['author'] : undefined,
          }));
      }),
    turnsAfter: async (after, limit) =>
      read((database) => {
        const sql = `SELECT ${turnColumns} FROM archive_turn t JOIN archive_conversation c ON c.row = t.conversation
          WHERE t.tenant = ? AND t.row > ? ORDER BY t.row LIMIT ?`;
        const turns: ArchiveTurnRow[] = [];
        let characters = 0;
        for (const row of prepared(database, sql).iterate(tenant, after, limit) as Iterable<unknown>) {
          turns.push(...soundTurns([row]));
          characters += (row as TurnColumns).messages.length;
          if (characters > charactersTogether) break;
        }
        return turns;
      }),
    languages: async () =>
      read((database) => {
        const sql = 'SELECT language, count(*) AS count FROM archive_conversation WHERE tenant = ? GROUP BY language';
        return prepared(database, sql)
          .all(tenant)
          .map((row) => [row['language'] as string, row['count'] as number] as const);
      }),
    segmentAfter: async (after) =>
      read((database) => {
        const sql = 'SELECT id, hash, bytes FROM archive_segment WHERE tenant = ? AND id > ? ORDER BY id LIMIT 1';
        const found = prepared(database, sql).get(tenant, after);
        if (!found) return undefined;
        const bytes = found['bytes'] as Uint8Array;
        return { id: found['id'] as number, ...(found['hash'] === sha256(bytes) && { bytes }) };
      }),
    putSegment: (bytes, replaced) =>
      write((database) => {
        if (replaced !== undefined) {
          const sql = 'UPDATE archive_segment SET hash = ?, bytes = ? WHERE tenant = ? AND id = ?';
          prepared(database, sql).run(sha256(bytes), bytes, tenant, replaced);
          notePages(database, tenant);
          return replaced;
        }
        const sql = 'INSERT INTO archive_segment (tenant, hash, bytes) VALUES (?, ?, ?)';
        return Number(prepared(database, sql).run(tenant, sha256(bytes), bytes).lastInsertRowid);
      }),
    deleteSegment: (id) =>
      write((database) => {
        prepared(database, 'DELETE FROM archive_segment WHERE tenant = ? AND id = ?').run(tenant, id);
        notePages(database, tenant);
      }),
    vectorsAfter: async (encoder, after, limit) =>
      read((database) => {
        const sql =
          'SELECT turn, hash, vectors FROM archive_vector WHERE tenant = ? AND encoder = ? AND turn > ? ORDER BY turn LIMIT ?';
        return prepared(database, sql)
          .all(tenant, encoder, after, limit)
          .map(({ turn, hash, vectors }) => {
            const bytes = vectors as Uint8Array;
            return { row: turn as number, bytes: hash === sha256(bytes) ? bytes : new Uint8Array() };
          });
      }),
    putVectors: (encoder, rows) =>
      write((database) => {
        const insert = prepared(
          database,
          `INSERT OR REPLACE INTO archive_vector (turn, tenant, encoder, hash, vectors)
            SELECT row, tenant, ?, ?, ? FROM archive_turn WHERE row = ? AND tenant = ?`,
        );
        for (const { row, bytes } of rows) insert.run(encoder, sha256(bytes), bytes, row, tenant);
      }),
  };
}
