// What the index of a tenant's archive is kept in. Invariant: a piece whose bytes are not what was written is as good as absent, so that it
// is made anew from the turns.
import { sha256 } from '../../../core/ids.ts';
import type { ArchiveIndexRepository } from '../../repositories/archive.ts';
import { first, rows, run, runEach } from '../../statements.ts';
import type { ArchivePorts } from './archive.ts';
import { soundTurns, type TurnColumns, turnColumns } from './rows.ts';

/** Of turns that are read at once: some 10 ms. */
const charactersTogether = 1_000_000;
const turnsTogether = 50;

const afterSql = `SELECT ${turnColumns} FROM archive_turn t JOIN archive_conversation c ON c.row = t.conversation
  WHERE t.tenant = ? AND t.row > ? ORDER BY t.row LIMIT ?`;

export function createArchiveIndexRepository(
  tenant: string,
  { statements, notePages }: ArchivePorts,
): ArchiveIndexRepository {
  return {
    async facts(after) {
      const sql =
        'SELECT row, conversation, owner, at_ms, author FROM archive_turn WHERE tenant = ? AND row > ? ORDER BY row LIMIT 5000';
      type Row = { readonly row: number; readonly conversation: number; readonly owner: string } & Record<
        'at_ms' | 'author',
        unknown
      >;
      return (await statements.rows<Row>(sql, tenant, after)).map(({ row, conversation, owner, at_ms, author }) => ({
        row,
        conversation,
        owner,
        // Damage may have made anything of them.
        atMs: typeof at_ms === 'number' ? at_ms : undefined,
        author: typeof author === 'string' ? author : undefined,
      }));
    },
    turnsAfter: (after, limit) =>
      statements.read(function* () {
        const read: TurnColumns[] = [];
        for (let characters = 0; characters <= charactersTogether && read.length < limit; ) {
          const together = Math.min(turnsTogether, limit - read.length);
          const some = yield* rows<TurnColumns>(afterSql, tenant, read.at(-1)?.row ?? after, together);
          for (const turn of some) characters += turn.messages.length;
          read.push(...some);
          if (some.length < together) break;
        }
        return soundTurns(read);
      }),
    async languages() {
      const sql = 'SELECT language, count(*) AS count FROM archive_conversation WHERE tenant = ? GROUP BY language';
      const found = await statements.rows<{ readonly language: string; readonly count: number }>(sql, tenant);
      return found.map(({ language, count }) => [language, count] as const);
    },
    async segmentAfter(after) {
      const sql = 'SELECT id, hash, bytes FROM archive_segment WHERE tenant = ? AND id > ? ORDER BY id LIMIT 1';
      type Row = { readonly id: number; readonly hash: string; readonly bytes: Uint8Array };
      const [found] = await statements.rows<Row>(sql, tenant, after);
      return found && { id: found.id, ...(found.hash === sha256(found.bytes) && { bytes: found.bytes }) };
    },
    putSegment: (bytes, { replaced }) =>
      statements.write(function* () {
        if (replaced !== undefined) {
          const sql = 'UPDATE archive_segment SET hash = ?, bytes = ? WHERE tenant = ? AND id = ?';
          yield* run(sql, sha256(bytes), bytes, tenant, replaced);
          yield* notePages(tenant);
          return replaced;
        }
        const sql = 'INSERT INTO archive_segment (tenant, hash, bytes) VALUES (?, ?, ?) RETURNING id';
        return (yield* first<{ readonly id: number }>(sql, tenant, sha256(bytes), bytes))?.id ?? 0;
      }),
    deleteSegment: (id) =>
      statements.write(function* () {
        yield* run('DELETE FROM archive_segment WHERE tenant = ? AND id = ?', tenant, id);
        yield* notePages(tenant);
      }),
    async vectorsAfter(encoder, after, limit) {
      const sql =
        'SELECT turn, hash, vectors FROM archive_vector WHERE tenant = ? AND encoder = ? AND turn > ? ORDER BY turn LIMIT ?';
      type Row = { readonly turn: number; readonly hash: string; readonly vectors: Uint8Array };
      const found = await statements.rows<Row>(sql, tenant, encoder, after, limit);
      return found.map(({ turn, hash, vectors }) => ({
        row: turn,
        bytes: hash === sha256(vectors) ? vectors : new Uint8Array(),
      }));
    },
    putVectors: (encoder, given) =>
      statements.write(function* () {
        const sql = 'SELECT row FROM archive_turn WHERE tenant = ? AND row = ANY(?)';
        const wanted = given.map(({ row }) => String(row));
        const there = new Set((yield* rows<{ readonly row: number }>(sql, tenant, wanted)).map(({ row }) => row));
        yield* runEach(
          `INSERT INTO archive_vector (turn, tenant, encoder, hash, vectors) VALUES (?, ?, ?, ?, ?)
           ON CONFLICT (turn) DO UPDATE SET encoder = excluded.encoder, hash = excluded.hash, vectors = excluded.vectors`,
          given
            .filter(({ row }) => there.has(row))
            .map(({ row, bytes }) => [row, tenant, encoder, sha256(bytes), bytes]),
        );
      }),
  };
}
