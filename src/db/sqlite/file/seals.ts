// Seals rows where they stand, for the step of the schema that brought seals.
import type { DatabaseSync } from 'node:sqlite';
import { sealedTables, sealOfRow } from '../../sealed-rows.ts';

/** Rows that were written before there were seals, in tables which later columns are still missing from. */
export function sealAll(database: DatabaseSync): void {
  for (const table of sealedTables) {
    const read = database.prepare(`SELECT * FROM ${table} WHERE rowid = ?`);
    const put = database.prepare(`UPDATE ${table} SET seal = ? WHERE rowid = ?`);
    for (const { place } of database.prepare(`SELECT rowid AS place FROM ${table} WHERE seal IS NULL`).all())
      put.run(sealOfRow(table, read.get(Number(place)) ?? {}), Number(place));
  }
}
