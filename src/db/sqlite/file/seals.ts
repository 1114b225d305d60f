// Seals rows where they stand. Invariant: a row that was damaged is never sealed again as it is now.
import type { DatabaseSync } from 'node:sqlite';
import { type SealedTable, sealColumns, sealedTables, sealOfRow } from '../../sealed-rows.ts';
import { prepared } from './connection.ts';

const rowOf = (database: DatabaseSync, table: SealedTable, rowid: number): object | undefined =>
  prepared(database, `SELECT ${sealColumns(table)} FROM ${table} WHERE rowid = ?`).get(rowid);

/** Call in the transaction that wrote the row. */
export function seal(database: DatabaseSync, table: SealedTable, rowid: number): void {
  const row = rowOf(database, table, rowid);
  if (row) prepared(database, `UPDATE ${table} SET seal = ? WHERE rowid = ?`).run(sealOfRow(table, row), rowid);
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
