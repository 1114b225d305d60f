// Questions to the archive with their answers, of one principal. Each is bound to the conversations that were read for it, and goes with them.
import { chatTraces } from '../../../core/archive.ts';
import { hasRole, type Scope, sharesIn } from '../../../core/scope.ts';
import { noteSession } from '../../erasure/erasure-notes.ts';
import type { ArchiveChatRepository } from '../../repositories/archive.ts';
import { prepared } from '../file/connection.ts';
import type { ArchivePorts } from './archive.ts';

export function createArchiveChatRepository(
  { tenant, principal }: Scope,
  { read, write }: ArchivePorts,
): ArchiveChatRepository {
  const by = (id: string) =>
    [tenant, id, principal.id, sharesIn(principal), hasRole(principal, 'admin') ? 1 : 0] as const;
  return {
    add: ({ id, question, answer, conversations, at }) =>
      write((database) => {
        const find = prepared(
          database,
          "SELECT row FROM archive_conversation WHERE tenant = ? AND id = ? AND (owner = ? OR (owner = '' AND ?) OR ?)",
        );
        const rows = new Set(conversations.flatMap((one) => find.all(...by(one)).map(({ row }) => Number(row))));
        // One that was removed while the answer was made takes it along.
        if (conversations.some((one) => find.get(...by(one)) === undefined)) return;
        const chat = prepared(
          database,
          'INSERT INTO archive_chat (tenant, principal, id, question, answer, created_at) VALUES (?, ?, ?, ?, ?, ?)',
        ).run(tenant, principal.id, id, question, JSON.stringify(answer), at).lastInsertRowid;
        const bind = prepared(database, 'INSERT INTO archive_chat_source (chat, conversation) VALUES (?, ?)');
        for (const row of rows) bind.run(Number(chat), row);
      }),
    lastQuestion: async (id) =>
      read((database) => {
        const sql =
          'SELECT question FROM archive_chat WHERE tenant = ? AND principal = ? AND id = ? ORDER BY row DESC LIMIT 1';
        return prepared(database, sql).get(tenant, principal.id, id)?.['question'] as string | undefined;
      }),
    delete: (id) =>
      write((database) => {
        const sql = 'DELETE FROM archive_chat WHERE tenant = ? AND principal = ? AND id = ?';
        const { changes } = prepared(database, sql).run(tenant, principal.id, id);
        // Its traces go with it, as those of a session do.
        if (changes > 0) noteSession(database, { tenant, principal: principal.id, id: chatTraces(id) });
        return changes > 0;
      }),
  };
}
