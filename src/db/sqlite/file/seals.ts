// Seals rows where they stand. Invariant: a row that was damaged is never sealed again as it is now; whoever changes one goes through here.
import type { DatabaseSync } from 'node:sqlite';
import { isSound, type SealedTable, sealColumns, sealedTables, sealOfRow } from '../../sealed-rows.ts';
import { prepared } from './connection.ts';

const rowOf = (database: DatabaseSync, table: SealedTable, rowid: number): object | undefined =>
  prepared(database, `SELECT ${sealColumns(table)} FROM ${table} WHERE rowid = ?`).get(rowid);

/** Call in the transaction that wrote the row. */
export function seal(database: DatabaseSync, table: SealedTable, rowid: number): void {
  const row = rowOf(database, table, rowid);
  if (row) prepared(database, `UPDATE ${table} SET seal = ? WHERE rowid = ?`).run(sealOfRow(table, row), rowid);
}

/** A damaged row stays known as one, whatever is changed of it. */
export function changeSealed(
  database: DatabaseSync,
  { table, rowid }: { readonly table: SealedTable; readonly rowid: number },
  change: () => void,
): void {
  const before = rowOf(database, table, rowid);
  change();
  if (before && isSound(table, before)) seal(database, table, rowid);
}

/** Rows that were written before there were seals, in tables which later columns are still missing from. */
export function sealAll(database: DatabaseSync): void {
  for (const table of sealedTables) {
    const read = database.prepare(`SELECT * FROM ${table} WHERE rowid = ?`);
    const put = database.prepare(`UPDATE ${table} SET seal = ? WHERE rowid = ?`);
    for (const { place } of database.prepare(`SELECT rowid AS place FROM ${table} WHERE seal IS NULL`).all())
      put.run(sealOfRow(table, read.get(Number(place)) ?? {}), Number(place));
  }
}
