// Many rows in one statement: a list for each column, whatever the number of rows.
import type { Connection, Value } from './client.ts';

/** The columns that are written, with the type of their lists; those that are lists themselves come as JSON. */
export type Columns = Readonly<Record<string, 'text' | 'bigint' | 'double precision' | 'bytea' | 'list'>>;
export type InsertedRow = Readonly<Record<string, string | number | null | Uint8Array>>;

/** `suffix`: what is to be done about rows that are there. */
export async function insertRows(
  connection: Connection,
  { table, columns, suffix = '' }: { readonly table: string; readonly columns: Columns; readonly suffix?: string },
  rows: readonly InsertedRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const names = Object.keys(columns);
  const types = names.map((name) => (columns[name] === 'list' ? 'text' : columns[name]));
  const given = names.map((name) =>
    columns[name] === 'list'
      ? `CASE WHEN given.${name} IS NOT NULL THEN ARRAY(SELECT jsonb_array_elements_text(given.${name}::jsonb)) END`
      : `given.${name}`,
  );
  const values: Value[] = names.map((name) => rows.map((row) => row[name] ?? null));
  const lists = types.map((type, at) => `$${at + 1}::${type}[]`);
  await connection.rows(
    `INSERT INTO ${table} (${names.join(', ')}) SELECT ${given.join(', ')} FROM unnest(${lists.join(', ')}) AS given (${names.join(', ')}) ${suffix}`,
    values,
  );
}
