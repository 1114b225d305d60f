// Seals of rows: SHA-256 over their facts, as they were when they were written. Invariant: a row that was damaged is never sealed again as it
// is now; whoever changes one goes through here.
import type { DatabaseSync } from 'node:sqlite';
import { sealOf } from '../../seal-of.ts';
import { prepared } from './connection.ts';

/** What is sealed of each table, in the order of the seal; what only counts uses, or is told by itself, is not. */
const sealedColumns = {
  archive_turn: 'tenant owner id key conversation at_ms position sequence author messages',
  memory: 'owner id type text same_key topic terms tags created_at updated_at valid_from valid_until superseded_by',
  trace:
    'tenant id principal kind session_id started_at total_ms event_count status intent mode cost_usd sources answer_id question',
} as const;
/** Columns that came after rows were sealed: they are part of the seal where they hold something. */
const laterColumns: ReadonlySet<string> = new Set(['question']);
export type SealedTable = keyof typeof sealedColumns;
export const sealedTables = Object.keys(sealedColumns) as readonly SealedTable[];

const sealOfRow = (table: SealedTable, row: object): string =>
  sealOf(
    row,
    sealedColumns[table]
      .split(' ')
      .filter((column) => !laterColumns.has(column) || (row as Readonly<Record<string, unknown>>)[column] != null),
  );

/** What has to be read of a row to see that it is sound, behind the name of its table in a query. */
export const sealColumns = (table: SealedTable, prefix = ''): string =>
  [...sealedColumns[table].split(' '), 'seal'].map((column) => `${prefix}${column}`).join(', ');

export const isSound = (table: SealedTable, row: object): boolean =>
  (row as { readonly seal?: unknown }).seal === sealOfRow(table, row);

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
