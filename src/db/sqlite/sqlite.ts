// The record on node:sqlite, as the product opens it. Invariant: always with synchronous=FULL, asserted at every open; there
// is no option to open it any other way.
import { openRecordAt, type SqliteRecordDatabase, type SqliteRecordOptions } from './sqlite-record.ts';

export { withReserve } from '../erasure/ballast.ts';
export type { SqliteRecordDatabase, SqliteRecordOptions } from './sqlite-record.ts';

/**
 * Opens the record of a data folder, making it where it is not there. Throws `storage-denied`, `storage-full`,
 * `data-corrupt`, `migration-needed` (written by a newer version), `not-found` (with `create: false`) or `config-invalid`.
 */
export function openSqliteRecord(options: SqliteRecordOptions): SqliteRecordDatabase {
  return openRecordAt(options, 'FULL');
}
