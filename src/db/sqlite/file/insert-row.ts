// Rows as they go into tables of the record: one statement for each table and way of inserting, its columns named by the row.
import type { DatabaseSync } from 'node:sqlite';
import { prepared } from './connection.ts';

type Column = string | number | bigint | null | Uint8Array;

interface Verb {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}
export const plainly: Verb = { name: 'insert', before: 'INSERT INTO', after: '' };
export const orReplace: Verb = { name: 'replace', before: 'INSERT OR REPLACE INTO', after: '' };
export const unlessThere: Verb = { name: 'unless', before: 'INSERT INTO', after: ' ON CONFLICT DO NOTHING' };

/** Statements by verb and table: all rows of a table have the same columns in the same order. */
const inserts = new Map<string, string>();

/**
 * Returns whether a row was written. `table` and the names of columns come from our own code, never from a request.
 */
export function insert(database: DatabaseSync, table: string, row: object, verb = plainly): boolean {
  const key = `${verb.name} ${table}`;
  let sql = inserts.get(key);
  if (sql === undefined) {
    const names = Object.keys(row);
    sql = `${verb.before} ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})${verb.after}`;
    inserts.set(key, sql);
  }
  return prepared(database, sql).run(...(Object.values(row) as Column[])).changes > 0;
}
