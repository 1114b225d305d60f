// Questions to the archive with their answers, of one principal. Each is bound to the conversations that were read for it, and goes with them.
import { chatTraces } from '../../../core/archive.ts';
import { hasRole, type Scope, sharesIn } from '../../../core/scope.ts';
import type { ArchiveChatRepository } from '../../repositories/archive.ts';
import { first, rows, run, runEach } from '../../statements.ts';
import type { ArchivePorts } from './archive.ts';

export function createArchiveChatRepository(
  { tenant, principal }: Scope,
  { statements, noteSession }: ArchivePorts,
): ArchiveChatRepository {
  const isAll = hasRole(principal, 'admin') ? 1 : 0;
  return {
    add: ({ id, question, answer, conversations, at }) =>
      statements.write(function* () {
        const found = yield* rows<{ readonly row: number; readonly id: string }>(
          `SELECT row, id FROM archive_conversation WHERE tenant = ? AND id = ANY(?)
           AND (owner = ? OR (owner = '' AND ? = 1) OR ? = 1)`,
          ...[tenant, conversations, principal.id, sharesIn(principal), isAll],
        );
        const there = new Set(found.map((one) => one.id));
        // One that was removed while the answer was made takes it along.
        if (conversations.some((one) => !there.has(one))) return;
        const chat = yield* first<{ readonly row: number }>(
          `INSERT INTO archive_chat (tenant, principal, id, question, answer, created_at) VALUES (?, ?, ?, ?, ?, ?) RETURNING row`,
          ...[tenant, principal.id, id, question, JSON.stringify(answer), at],
        );
        yield* runEach(
          'INSERT INTO archive_chat_source (chat, conversation) VALUES (?, ?)',
          found.map(({ row }) => [chat?.row ?? 0, row]),
        );
      }),
    async lastQuestion(id) {
      const sql =
        'SELECT question FROM archive_chat WHERE tenant = ? AND principal = ? AND id = ? ORDER BY row DESC LIMIT 1';
      return (await statements.rows<{ readonly question: string }>(sql, tenant, principal.id, id))[0]?.question;
    },
    delete: (id) =>
      statements.free(function* () {
        const sql = 'DELETE FROM archive_chat WHERE tenant = ? AND principal = ? AND id = ?';
        const changes = yield* run(sql, tenant, principal.id, id);
        // Its traces go with it, as those of a session do.
        if (changes > 0) yield* noteSession({ tenant, principal: principal.id, id: chatTraces(id) });
        return changes > 0;
      }),
  };
}
