// The record in PostgreSQL, read whole and in order as it was at one moment, or made anew from another one.
import { FootnoteError } from '../../core/errors.ts';
import { type Connection, createPostgresClient, type PostgresClient } from '../postgres/client/client.ts';
import { runSteps } from '../postgres/client/statements.ts';
import { assertCurrent, migrate } from '../postgres/migrations.ts';
import { createServers } from '../postgres/servers.ts';
import { run, runEach, type StatementValue } from '../statements.ts';
import { type Column, type Columns, keyRows, type MovedRow, type MovedTable, quoted } from './moved-tables.ts';
import { makeProgress, progressTable, type Side, type Target } from './sides.ts';
import { tablesMoved } from './sqlite-side.ts';

/** A statement may sort a whole table. */
const answerMs = 24 * 3_600_000;
const sliceBytes = 2 * 1024 * 1024;
const mostRows = 1000;
/** Rows that are asked for at once. */
const someRows = 100;

const columnsSql = `SELECT c.relname AS "table", a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, a.attidentity <> '' AS "isCounted",
  array_position(i.indkey::int2[], a.attnum) AS key FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
  LEFT JOIN pg_index AS i ON i.indrelid = c.oid AND i.indisprimary WHERE c.relnamespace = current_schema()::regnamespace
  AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped ORDER BY c.relname, a.attnum`;
const countersSql = `SELECT c.relname AS name, pg_sequence_last_value(pg_get_serial_sequence(c.relname, a.attname)::regclass) AS last
  FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid WHERE c.relnamespace = current_schema()::regnamespace AND a.attidentity <> ''`;

export async function postgresColumns(connection: Pick<Connection, 'rows'>): Promise<Columns> {
  const rows = await connection.rows<Column & { readonly table: string }>(columnsSql);
  return new Map([...Map.groupBy(rows, ({ table }) => table)].filter(([table]) => table !== progressTable));
}

/** A row as SQLite gives it. */
function toMoved(row: Readonly<Record<string, unknown>>, { bytes, lists }: MovedTable['postgres']): MovedRow {
  if (bytes.size + lists.size === 0) return row as MovedRow;
  const moved: Record<string, unknown> = { ...row };
  for (const name of bytes) moved[name] = (row[name] as Buffer | null)?.toString() ?? null;
  for (const name of lists) moved[name] = row[name] === null ? null : JSON.stringify(row[name]);
  return moved as MovedRow;
}

const sizeOf = (rows: readonly object[]): number => {
  let size = 0;
  for (const row of rows)
    for (const value of Object.values(row))
      size += typeof value === 'string' || value instanceof Uint8Array ? value.length : 8;
  return size;
};

/** How many rows to ask for next, of a few megabytes unless it is one: bytes are twice their size on the way, and their size is known without them. */
async function createCounts(
  connection: Connection,
  { key, postgres, large }: MovedTable,
): Promise<() => Promise<number>> {
  if (large.length === 0) return () => Promise.resolve(someRows);
  const size = large.map((name) => `coalesce(octet_length("${name}"), 0)::bigint`).join(' + ');
  const sql = `SELECT ${size} AS size FROM ${postgres.from} ORDER BY ${quoted(key)}`;
  await connection.rows(`DECLARE sizes NO SCROLL CURSOR FOR ${sql}`);
  let ahead: number[] = [];
  return async () => {
    if (ahead.length < someRows) {
      const more = await connection.rows<{ readonly size: number }>(`FETCH ${mostRows} FROM sizes`);
      ahead = [...ahead, ...more.map((row) => row.size)];
    }
    let count = 0;
    for (let bytes = 0; count < Math.min(ahead.length, someRows); count++) {
      bytes += ahead[count] ?? 0;
      if (count > 0 && bytes > sliceBytes) break;
    }
    ahead = ahead.slice(count);
    return Math.max(1, count);
  };
}

function sideOn(connection: Connection): Side {
  return {
    async *slices(table) {
      const { columns, key, postgres, large } = table;
      const sql = `SELECT ${quoted(columns)} FROM ${postgres.from} ORDER BY ${quoted(key)}`;
      await connection.rows(`DECLARE moved NO SCROLL CURSOR FOR ${sql}`);
      const next = await createCounts(connection, table);
      let slice: MovedRow[] = [];
      for (let size = 0, isMore = true; isMore; ) {
        const together = await next();
        const rows = await connection.rows(`FETCH ${together} FROM moved`);
        isMore = rows.length === together;
        slice.push(...rows.map((row) => toMoved(row, postgres)));
        size += sizeOf(rows);
        if (slice.length === 0 || (isMore && slice.length < mostRows && size < sliceBytes)) continue;
        yield slice;
        slice = [];
        size = 0;
      }
      await connection.rows('CLOSE moved');
      if (large.length > 0) await connection.rows('CLOSE sizes');
    },
    read: (work) => runSteps(connection, work()),
    async counters() {
      const rows = await connection.rows<{ readonly name: string; readonly last: number | null }>(countersSql);
      return new Map(rows.map(({ name, last }) => [name, last ?? 0]));
    },
  };
}

const look = <T>(client: PostgresClient, use: (side: Side) => Promise<T>): Promise<T> =>
  client.read(async (connection) => {
    // Of this transaction alone: it lasts as long as the other side takes.
    const longer = ['statement_timeout', 'idle_in_transaction_session_timeout'];
    await connection.rows(`SELECT ${longer.map((name) => `set_config('${name}', '0', true)`).join(', ')}`);
    return use(sideOn(connection));
  });

async function withClient<T>(address: string, work: (client: PostgresClient) => Promise<T>): Promise<T> {
  const client = createPostgresClient(address, { answerMs });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/** Runs `work` while no server uses the database, and none can begin to. Throws `already-running`. */
async function unused<T>(client: PostgresClient, work: () => Promise<T>): Promise<T> {
  const servers = createServers(client);
  await servers.joinAlone({ version: 'move' });
  try {
    const done = await work();
    // Paused for so long that a server was let in, which may have written since.
    servers.lost.throwIfAborted();
    return done;
  } finally {
    await servers.leave();
  }
}

export interface ReadOptions {
  /** Whether servers go on with it meanwhile. */
  readonly isServed: boolean;
}

/** Reads a record as it is now. Throws `migration-needed`, `storage-busy`, and where no server may use it `already-running`. */
export const readPostgres = <T>(
  address: string,
  { isServed }: ReadOptions,
  use: (side: Side, tables: readonly MovedTable[]) => Promise<T>,
): Promise<T> =>
  withClient(address, async (client) => {
    await assertCurrent(client);
    const tables = tablesMoved(await postgresColumns(client));
    const read = () => look(client, (side) => use(side, tables));
    return isServed ? read() : unused(client, read);
  });

function* insertInto({ name, columns, postgres }: MovedTable, rows: readonly MovedRow[]): ReturnType<Target['insert']> {
  const { made, bytes, lists, counted } = postgres;
  const all = [...columns, ...Object.keys(made)];
  const boundOf = (row: MovedRow, column: string): StatementValue => {
    const value = row[column] ?? null;
    if (value === null) return null;
    if (bytes.has(column)) return Buffer.from(String(value));
    return lists.has(column) ? (JSON.parse(String(value)) as string[]) : value;
  };
  const values = rows.map((row) => [
    ...columns.map((column) => boundOf(row, column)),
    ...Object.values(made).map((make) => make(row)),
  ]);
  const overriding = counted === undefined ? '' : 'OVERRIDING SYSTEM VALUE ';
  yield* runEach(`INSERT INTO ${name} (${quoted(all)}) ${overriding}VALUES (${all.map(() => '?').join(', ')})`, values);
  if (name === 'fingerprint')
    yield* runEach('INSERT INTO fingerprint_key (tenant, key, row, document_id) VALUES (?, ?, ?, ?)', keyRows(rows));
}

const isThere = async (client: PostgresClient, from: string): Promise<boolean> =>
  (await client.rows(`SELECT 1 FROM ${from} LIMIT 1`)).length > 0;

/** Begins a record in an empty database, or goes on with one. Throws `conflict` where it is not empty, `already-running`, and what `migrate` throws. */
export const writePostgres = <T>(
  address: string,
  { isResumed }: { readonly isResumed: boolean },
  use: (target: Target, tables: readonly MovedTable[]) => Promise<T>,
): Promise<T> =>
  withClient(address, async (client) => {
    await migrate(client, { isMoving: true });
    return unused(client, async () => {
      const columns = await postgresColumns(client);
      const tables = tablesMoved(columns);
      const isBegun = await isThere(
        client,
        `(SELECT to_regclass('${progressTable}') AS found) AS t WHERE found IS NOT NULL`,
      );
      if (isBegun && !isResumed)
        throw new FootnoteError(
          'conflict',
          'A move into this database was interrupted. Go on with it by --resume, or name a new database.',
        );
      if (!isBegun)
        for (const { name } of tables)
          if (await isThere(client, name))
            throw new FootnoteError(
              'conflict',
              `The database of FOOTNOTE_DATABASE_URL is not empty (${name} has rows), and was left alone. ${isResumed ? 'If it is the one that the record was moved into, the move had ended, and its record is whole; else name' : 'Name'} a new database.`,
            );
      if (!isBegun) await client.write((connection) => connection.rows(makeProgress));
      return use(
        {
          look: (see) => look(client, see),
          write: (work) => client.write((connection) => runSteps(connection, work()), { answerMs }),
          insert: insertInto,
          async count(counters) {
            for (const [name, list] of columns) {
              const counted = list.find(({ isCounted }) => isCounted)?.name;
              if (counted === undefined) continue;
              const last = `greatest(${counters.get(name) ?? 0}, (SELECT coalesce(max("${counted}"), 0) FROM ${name}))`;
              await client.rows(
                `SELECT setval(pg_get_serial_sequence('${name}', '${counted}'), greatest(${last}, 1), ${last} > 0)`,
              );
            }
          },
          async complete() {
            await client.rows('ANALYZE');
            await client.write((connection) => runSteps(connection, run(`DROP TABLE ${progressTable}`)));
          },
          index: {
            log: 'ix_log',
            entries: 'ix_document',
            languages: 'ix_language',
            state: 'SELECT tenant FROM tenant_state WHERE index_version = ?',
          },
        },
        tables,
      );
    });
  });
