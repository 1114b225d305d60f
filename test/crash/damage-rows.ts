// Damages one column of one row of a record, in every way that a disk or a hand can: also with values that the schema forbids.
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

export interface Damage {
  readonly table: string;
  readonly column: string;
  readonly kind: (typeof kinds)[number];
}

export const kinds = ['changed', 'broken', 'missing', 'another type', 'huge'] as const;

/** A value near `value`, or far from it. */
function damagedValue(value: unknown, kind: Damage['kind']): SQLInputValue {
  if (kind === 'missing') return null;
  if (kind === 'another type') return value instanceof Uint8Array ? 'no bytes' : new Uint8Array([0xff, 0, 1]);
  if (kind === 'huge') return 2n ** 62n + 1n;
  if (typeof value === 'number') return kind === 'changed' ? value + 1 : -1;
  if (typeof value === 'string') {
    if (kind === 'broken') return '{"';
    const at = value.length >> 1;
    const changed = String.fromCharCode((value.charCodeAt(at) || 64) ^ 1);
    return value.slice(0, at) + changed + value.slice(at + 1);
  }
  if (value instanceof Uint8Array) {
    if (kind === 'broken') return value.slice(0, value.length >> 1);
    const changed = value.slice();
    const at = changed.length >> 1;
    if (changed.length > 0) changed[at] = (changed[at] ?? 0) ^ 1;
    return changed;
  }
  return kind === 'changed' ? 'x' : '{"';
}

export const tablesOf = (path: string): readonly { readonly table: string; readonly columns: readonly string[] }[] => {
  const database = new DatabaseSync(path);
  const names = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    .all();
  const tables = names.map(({ name }) => ({
    table: String(name),
    columns: database
      .prepare(`PRAGMA table_info(${String(name)})`)
      .all()
      .map((row) => String(row['name'])),
  }));
  database.close();
  return tables;
};

/**
 * Takes the row of the table that `at` gives (0..1). False where there is none, or where the key cannot hold such a value. The schema's
 * checks are taken away meanwhile and put back, as damage asks for none.
 */
export function damageRow(path: string, { table, column, kind }: Damage, at: number): boolean {
  const database = new DatabaseSync(path);
  try {
    database.exec('PRAGMA foreign_keys = OFF; PRAGMA trusted_schema = ON');
    const rows = database.prepare(`SELECT count(*) AS count FROM ${table}`).get() as { count: number };
    if (rows.count === 0) return false;
    const key = keyOf(database, table);
    const offset = Math.floor(at * rows.count);
    const row = database.prepare(`SELECT * FROM ${table} ORDER BY ${key.join(', ')} LIMIT 1 OFFSET ${offset}`).get();
    if (row === undefined) return false;
    const value = damagedValue(row[column], kind);
    loosen(database, table, (loose) => {
      loose
        .prepare(`UPDATE ${table} SET ${column} = ? WHERE ${key.map((name) => `${name} IS ?`).join(' AND ')}`)
        .run(value, ...key.map((name) => row[name] as SQLInputValue));
    });
    return true;
  } catch (error) {
    // A key that is taken, or a table without rowid that holds no NULL in its key.
    if (error instanceof Error && /constraint|datatype/i.test(error.message)) return false;
    throw error;
  } finally {
    database.close();
  }
}

function keyOf(database: DatabaseSync, table: string): readonly string[] {
  const info = database.prepare(`PRAGMA table_info(${table})`).all();
  const key = info.filter((row) => Number(row['pk']) > 0).map((row) => String(row['name']));
  return key.length > 0 ? key : info.map((row) => String(row['name']));
}

function loosen(database: DatabaseSync, table: string, work: (database: DatabaseSync) => void): void {
  const path = database.location() ?? '';
  const { sql } = database.prepare("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table) as {
    sql: string;
  };
  const rewrite = (text: string): void => {
    const writer = new DatabaseSync(path);
    writer.enableDefensive(false);
    writer.exec('PRAGMA writable_schema = ON');
    writer.prepare("UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?").run(text, table);
    writer.close();
  };
  rewrite(
    sql
      .replaceAll(' NOT NULL', '')
      .replace(/\)\s*STRICT,\s*WITHOUT/, ') WITHOUT')
      .replace(/\)\s*STRICT$/, ')'),
  );
  try {
    const loose = new DatabaseSync(path, { enableForeignKeyConstraints: false });
    const triggers = loose
      .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?")
      .all(table);
    try {
      for (const { name } of triggers) loose.exec(`DROP TRIGGER ${String(name)}`);
      work(loose);
    } finally {
      for (const { sql: trigger } of triggers) loose.exec(String(trigger));
      loose.close();
    }
  } finally {
    rewrite(sql);
  }
}
