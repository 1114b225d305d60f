// Pieces of statements that both databases take.
import type { Principal } from '../../core/scope.ts';

/** That a column names a source which there is for the principal, with what is bound in it; empty where all are. */
export const sourcesCondition = (
  { sources }: Principal,
  column: string,
): readonly [sql: string, ...bound: (readonly string[])[]] =>
  sources === undefined ? [''] : [` AND ${column} = ANY(?)`, sources];

/** Writes a row, or the other columns of the one that has these keys. */
export function upsert(table: string, keys: readonly string[], others: readonly string[]): string {
  const columns = [...keys, ...others];
  const set = others.map((column) => `${column} = excluded.${column}`).join(', ');
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
    ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${set}`;
}

/** Writes a row. */
export const insertion = (table: string, columns: string): string =>
  `INSERT INTO ${table} (${columns.split(' ').join(', ')}) VALUES (${columns.replaceAll(/\w+/gu, '?').replaceAll(' ', ', ')})`;
