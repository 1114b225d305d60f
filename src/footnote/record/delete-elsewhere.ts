// Which deletions hold the event loop for so long that a thread makes them: what is deleted is overwritten on the disk, page by page.
import type { Scope } from '../../core/scope.ts';
import { prepared } from '../../db/sqlite/file/connection.ts';
import type { SqliteRecordDatabase } from '../../db/sqlite/sqlite.ts';
import type { DeleteElsewhere } from '../../ingest/write/writer.ts';
import { engineOf } from '../../stores/embedded/shared.ts';
import { notDone, type RecordThread } from './record-thread.ts';

/** Fewer chunks in less text and files take some 20 ms. */
const fewChunks = 250;
const fewBytes = 1_000_000;

// The length of a file stands before it: the file itself is not read.
const sizes = `SELECT coalesce(sum(d.chunk_count), 0) AS chunks, coalesce(sum(d.text_length + coalesce(length(b.file), 0)), 0) AS bytes
FROM json_each(?) AS wanted CROSS JOIN document AS d ON d.tenant = ? AND d.id = wanted.value
LEFT JOIN document_body AS b ON b.tenant = d.tenant AND b.document_id = d.id`;

export function createDeleteElsewhere(
  database: SqliteRecordDatabase,
  thread: RecordThread,
  scope: Scope,
): DeleteElsewhere {
  return async (ids) => {
    const { chunks, bytes } = database.read((connection) => {
      const row = prepared(connection, sizes).get(JSON.stringify(ids), scope.tenant);
      return { chunks: Number(row?.['chunks']), bytes: Number(row?.['bytes']) };
    });
    if (chunks <= fewChunks && bytes <= fewBytes) return undefined;
    const deleted = await thread.delete(scope, ids);
    if (deleted === notDone) return undefined;
    database.erasures.notedElsewhere(scope.tenant);
    engineOf(database, scope.tenant).upkeep.schedule();
    return deleted;
  };
}
