// Brings the tables of a database up to this program's, and refuses a database that it cannot work on before it reads anything else. Servers that
// start together do not get in each other's way: one of them migrates, the others wait and find it done.
import { FootnoteError } from '../../core/errors.ts';
import type { Connection, PostgresClient } from './client/client.ts';
import { oldestReader, schemaVersion, steps } from './tables/schema.ts';

/** One for all migrations of Footnote in a database. */
const lockKey = 4_618_303_557;
const oldestServer = 150_000;
/** Of a step over large tables. */
const longestStepMs = 3_600_000;

interface Found {
  readonly version: number;
  readonly oldest: number;
}

type Asked = Pick<Connection, 'rows'>;

const isMovingSql =
  "SELECT to_regclass('moving') IS NOT NULL AS moving, to_regclass('schema_version') IS NOT NULL AS found";

/** Throws `migration-needed` for a record that is still being carried into the database. */
export async function assertWhole(connection: Asked): Promise<boolean> {
  const [there] = await connection.rows<{ moving: boolean; found: boolean }>(isMovingSql);
  if (there?.moving === true)
    throw new FootnoteError(
      'migration-needed',
      'A record is being moved into this database and is not whole. Go on with "footnote move --to postgres --resume", or name a new database.',
    );
  return there?.found === true;
}

async function find(connection: Connection, isMoving = false): Promise<Found | undefined> {
  const [there] = isMoving
    ? await connection.rows<{ found: boolean }>(isMovingSql)
    : [{ found: await assertWhole(connection) }];
  if (there?.found !== true) return undefined;
  const [row] = await connection.rows<{ version: number; oldest: number }>(
    'SELECT version, min_reader AS oldest FROM schema_version ORDER BY version DESC LIMIT 1',
  );
  return row;
}

function assertReadable(found: Found | undefined): void {
  if (found && found.oldest > schemaVersion)
    throw new FootnoteError(
      'migration-needed',
      `The database of the record has version ${found.version}, and this program knows ${schemaVersion}. Use the program that wrote it, or a newer one.`,
    );
}

/** Throws `config-invalid` for a server that does not keep what it acknowledged, or is too old. */
async function assertServer(connection: Connection): Promise<void> {
  const sql = `SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding,
    current_setting('synchronous_commit') AS durable`;
  const [found] = await connection.rows<{ version: number; encoding: string; durable: string }>(sql);
  const refuse = (what: string): never => {
    throw new FootnoteError('config-invalid', `The database of the record cannot be used: ${what}.`);
  };
  if (!found || found.version < oldestServer) refuse('it has to be PostgreSQL 15 or newer');
  if (found?.encoding !== 'UTF8') refuse('its encoding has to be UTF8');
  if (!['on', 'remote_apply'].includes(found?.durable ?? ''))
    refuse('synchronous_commit has to be on (or remote_apply), or acknowledged writes could be lost');
}

/** For who changes nothing. Throws `migration-needed` where the tables are not this program's, or not whole. */
export async function assertCurrent(client: PostgresClient): Promise<void> {
  const found = await client.read((connection) => find(connection));
  assertReadable(found);
  if (found?.version !== schemaVersion)
    throw new FootnoteError(
      'migration-needed',
      `The database of the record has version ${found?.version ?? 0}, and this program ${schemaVersion}. Start this program over it once (footnote doctor).`,
    );
}

/** Throws `migration-needed`, `config-invalid`, `storage-busy`, `storage-denied`. `isMoving`: for who carries a record into it. */
export async function migrate(client: PostgresClient, { isMoving = false } = {}): Promise<void> {
  const before = await client.read(async (connection) => {
    await assertServer(connection);
    return find(connection, isMoving);
  });
  assertReadable(before);
  if (before && before.version >= schemaVersion) return;
  const bring = async (connection: Connection): Promise<void> => {
    // Of this transaction alone, so that a pooler may stand before the database. How long a statement may take is looked at as it begins.
    await connection.rows("SELECT set_config('statement_timeout', '0', true)");
    await connection.rows("SELECT set_config('lock_timeout', '60s', true), pg_advisory_xact_lock($1)", [lockKey]);
    const found = await find(connection, isMoving);
    assertReadable(found);
    if (!found)
      await connection.rows(
        'CREATE TABLE schema_version (version int PRIMARY KEY, min_reader int NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp())',
      );
    for (const [at, step] of steps.entries()) {
      if (at < (found?.version ?? 0)) continue;
      await connection.rows(step);
      await connection.rows('INSERT INTO schema_version (version, min_reader) VALUES ($1, $2)', [at + 1, oldestReader]);
    }
  };
  await client.write(bring, { answerMs: longestStepMs });
}
