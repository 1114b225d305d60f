// Seals of rows: SHA-256 over their facts, as they were when they were written.
import { sealOf } from './seal-of.ts';

/** What is sealed of each table, in the order of the seal; what only counts uses, or is told by itself, is not. */
const sealedColumns = {
  archive_turn: 'tenant owner id key conversation at_ms position sequence author messages',
  memory: 'owner id type text same_key topic terms tags created_at updated_at valid_from valid_until superseded_by',
  trace:
    'tenant id principal kind session_id started_at total_ms event_count status intent mode cost_usd sources answer_id question doubts',
} as const;
/** Columns that came after rows were sealed: they are part of the seal where they hold something. */
const laterColumns: ReadonlySet<string> = new Set(['question', 'doubts']);
export type SealedTable = keyof typeof sealedColumns;
export const sealedTables = Object.keys(sealedColumns) as readonly SealedTable[];

/** What has to be read of a row to see that it is sound, behind the name of its table in a query. */
export const sealColumns = (table: SealedTable, prefix = ''): string =>
  [...sealedColumns[table].split(' '), 'seal'].map((column) => `${prefix}${column}`).join(', ');

export const sealOfRow = (table: SealedTable, row: object): string =>
  sealOf(
    row,
    sealedColumns[table]
      .split(' ')
      .filter((column) => !laterColumns.has(column) || (row as Readonly<Record<string, unknown>>)[column] != null),
  );

export const isSound = (table: SealedTable, row: object): boolean =>
  (row as { readonly seal?: unknown }).seal === sealOfRow(table, row);
