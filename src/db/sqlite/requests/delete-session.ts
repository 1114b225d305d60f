// A session with its turns, their answers and traces, and memories of what was said in it alone, deleted in pieces: however long it is, each transaction is short. Invariant:
// the session itself goes with the last piece, so that what was begun is found and ended after a kill.
import type { DatabaseSync } from 'node:sqlite';
import { removeSaidIn } from '../../both/memories/rows.ts';
import { prepared } from '../file/connection.ts';
import { runSteps } from '../file/statements.ts';
import { noteMemoryOf } from './deletion-guard.ts';

/** Turns and traces that are deleted together: some 5 ms. */
const together = 20;

export interface DeletedSession {
  readonly tenant: string;
  readonly principal: string;
  readonly id: string;
}

/** `begin` runs in the first transaction. True if the session was there. */
export async function deleteSession(
  write: <T>(work: (database: DatabaseSync) => T) => Promise<T>,
  { tenant, principal, id }: DeletedSession,
  begin?: (database: DatabaseSync) => void,
): Promise<boolean> {
  const key = [tenant, principal, id] as const;
  for (let first = true; ; first = false) {
    const deleted = await write((database) => {
      if (first) begin?.(database);
      const turns = prepared(
        database,
        'SELECT rowid AS row, answer_id AS answer FROM turn WHERE tenant = ? AND principal = ? AND session_id = ? LIMIT ?',
      ).all(...key, together);
      for (const { row, answer } of turns) {
        prepared(database, 'DELETE FROM answer WHERE tenant = ? AND principal = ? AND id = ?').run(
          tenant,
          principal,
          answer as string,
        );
        prepared(database, 'DELETE FROM turn WHERE rowid = ?').run(row as number);
      }
      const traces = prepared(
        database,
        'DELETE FROM trace WHERE rowid IN (SELECT rowid FROM trace WHERE tenant = ? AND principal = ? AND session_id = ? LIMIT ?)',
      ).run(...key, together);
      const said = removeSaidIn({ tenant, principal, id }, together, noteMemoryOf(database, tenant));
      const mayHaveMore = runSteps(database, said);
      if (turns.length === together || traces.changes === together || mayHaveMore) return undefined;
      const sql = 'DELETE FROM session WHERE tenant = ? AND principal = ? AND id = ?';
      return prepared(database, sql).run(...key).changes === 1;
    });
    if (deleted !== undefined) return deleted;
  }
}
