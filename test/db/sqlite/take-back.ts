// A record as an earlier version left it: steps of the schema are taken back, as far as they only add.
import type { DatabaseSync } from 'node:sqlite';
import { steps } from '../../../src/db/sqlite/schema-steps.ts';

/** Takes back what a step of the schema made. */
function takeBack(database: DatabaseSync, step: string): void {
  for (const [, name] of step.matchAll(/CREATE TRIGGER (?:IF NOT EXISTS )?(\w+)/gu))
    database.exec(`DROP TRIGGER IF EXISTS ${name}`);
  for (const [, name] of step.matchAll(/CREATE (?:VIRTUAL )?TABLE (?:IF NOT EXISTS )?(\w+)/gu))
    database.exec(`DROP TABLE IF EXISTS ${name}`);
  for (const [, name] of step.matchAll(/CREATE (?:UNIQUE )?INDEX (?:IF NOT EXISTS )?(\w+)/gu))
    database.exec(`DROP INDEX IF EXISTS ${name}`);
  for (const [, table, column] of step.matchAll(/ALTER TABLE (\w+) ADD COLUMN (\w+)/gu))
    database.exec(`ALTER TABLE ${table} DROP COLUMN ${column}`);
}

export function takeBackFrom(database: DatabaseSync, version: number): void {
  for (const step of steps.slice(version).toReversed()) takeBack(database, step);
  database.exec(`PRAGMA user_version = ${version}`);
}
