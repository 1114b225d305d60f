// What the index of a tenant's archive is kept in. Invariant: a piece whose bytes are not what was written is as good as absent, so that it
// is made anew from the turns.
import { sha256 } from '../../../core/ids.ts';
import { notePages } from '../../erasure/erasure-notes.ts';
import type { ArchiveIndexRepository } from '../../repositories/archive.ts';
import { prepared } from '../file/connection.ts';
import type { ArchivePorts } from './archive.ts';
import { type TurnColumns, toTurn, turnColumns } from './rows.ts';

export function createArchiveIndexRepository(tenant: string, { read, write }: ArchivePorts): ArchiveIndexRepository {
  return {
    facts: async (after) =>
      read((database) => {
        const sql =
          'SELECT row, conversation, owner, at_ms, author FROM archive_turn WHERE tenant = ? AND row > ? ORDER BY row LIMIT 20000';
        return prepared(database, sql)
          .all(tenant, after)
          .map((row) => ({
            row: row['row'] as number,
            conversation: row['conversation'] as number,
            owner: row['owner'] as string,
            atMs: (row['at_ms'] as number | null) ?? undefined,
            author: (row['author'] as string | null) ?? undefined,
          }));
      }),
    turnsAfter: async (after, limit) =>
      read((database) => {
        const sql = `SELECT ${turnColumns} FROM archive_turn t JOIN archive_conversation c ON c.row = t.conversation
          WHERE t.tenant = ? AND t.row > ? ORDER BY t.row LIMIT ?`;
        return (prepared(database, sql).all(tenant, after, limit) as unknown as TurnColumns[]).map(toTurn);
      }),
    languages: async () =>
      read((database) => {
        const sql = 'SELECT language, count(*) AS count FROM archive_conversation WHERE tenant = ? GROUP BY language';
        return prepared(database, sql)
          .all(tenant)
          .map((row) => [row['language'] as string, row['count'] as number] as const);
      }),
    segments: async () =>
      read((database) =>
        prepared(database, 'SELECT id, hash, bytes FROM archive_segment WHERE tenant = ? ORDER BY id')
          .all(tenant)
          .map(({ id, hash, bytes }) => ({
            id: id as number,
            ...(hash === sha256(bytes as Uint8Array) && { bytes: bytes as Uint8Array }),
          })),
      ),
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
  };
}
