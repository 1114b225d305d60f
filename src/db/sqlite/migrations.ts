// The schema, as numbered steps forward. Invariant: a step that was released is never edited; `user_version` counts the
// steps a database has had, and each step commits with its number, so that a kill between steps is harmless. A new database gets all of them at once.
import { DatabaseSync } from 'node:sqlite';
import { FootnoteError } from '../../core/errors.ts';
import { pragma } from './file/connection.ts';
import { steps, unreleased } from './schema-steps.ts';

/** `FNTE`: tells our files from other SQLite databases. */
export const applicationId = 0x464e5445;

export const schemaVersion = unreleased + steps.length;

const tableCount = (database: DatabaseSync): number =>
  Number(Object.values(database.prepare('SELECT count(*) FROM sqlite_schema').get() ?? {})[0]);

/** Whether anything was ever made in the database. */
export function hasSchema(database: DatabaseSync): boolean {
  return tableCount(database) > 0 || Number(pragma(database, 'user_version')) > 0;
}

/** Brings the database to this build's schema; true if steps were missing. Throws `migration-needed` for a newer one, `data-corrupt` for a foreign one. */
export function migrate(database: DatabaseSync, path: string): boolean {
  const version = Number(pragma(database, 'user_version'));
  const owner = Number(pragma(database, 'application_id'));
  if (owner !== applicationId && hasSchema(database))
    throw new FootnoteError(
      'data-corrupt',
      `${path} is a database of another program. Choose another data folder with --data or FOOTNOTE_DATA.`,
    );
  if (version > schemaVersion)
    throw new FootnoteError(
      'migration-needed',
      `${path} was written by a newer Footnote (schema ${version}; this one knows ${schemaVersion}). Update Footnote, or choose another data folder.`,
      { details: { found: version, known: schemaVersion } },
    );
  if (hasSchema(database) && version <= unreleased)
    throw new FootnoteError(
      'migration-needed',
      `${path} was written by a build of Footnote before its first release (schema ${version}). Ingest into another data folder.`,
      { details: { found: version, known: schemaVersion } },
    );
  const had = Math.max(0, version - unreleased);
  // Each commit waits for the disk, and a new database has nothing that a long transaction would hold up.
  const atOnce = had > 0 ? 1 : steps.length;
  for (let step = had; step < steps.length; step += atOnce) {
    database.exec('BEGIN IMMEDIATE');
    try {
      for (const statements of steps.slice(step, step + atOnce)) database.exec(statements);
      database.exec(`PRAGMA application_id = ${applicationId}`);
      database.exec(`PRAGMA user_version = ${unreleased + step + atOnce}`);
      database.exec('COMMIT');
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  }
  return version < schemaVersion;
}

/** Throws `data-corrupt` where a table or index of ours is not as the steps made it (a damaged page, a foreign hand). */
export function assertSchema(database: DatabaseSync, path: string): void {
  const present = statementsOf(database);
  made ??= madeBySteps();
  for (const [name, statement] of made)
    if (present.get(name) !== statement)
      throw new FootnoteError(
        'data-corrupt',
        `${path}: the definition of ${name} is not what this version made. Stop the server, move the data folder away (keep it), and restore a backup or ingest the sources again.`,
      );
}

/** The same in every database, and made once in a process. */
let made: ReturnType<typeof statementsOf> | undefined;

function madeBySteps(): ReturnType<typeof statementsOf> {
  const blank = new DatabaseSync(':memory:');
  for (const step of steps) blank.exec(step);
  const statements = statementsOf(blank);
  blank.close();
  return statements;
}

function statementsOf(database: DatabaseSync): ReadonlyMap<string, string> {
  const rows = database
    .prepare("SELECT type || ' ' || name AS name, coalesce(sql, '') AS sql FROM sqlite_schema")
    .all();
  // Comments and blanks say nothing: SQLite keeps them as they were written.
  const plain = (sql: string): string =>
    sql
      .replace(/--[^\n]*|"/gu, ' ')
      .replace(/\s+/gu, ' ')
      .replace(/ (?=[,)])/gu, '');
  return new Map(rows.map((row) => [String(row['name']), plain(String(row['sql']))]));
}
