// Runs statements that both databases take on SQLite: all of a work in one turn.
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import {
  type Outcome,
  rememberTexts,
  rows,
  type Statement,
  type Statements,
  type StatementValue,
  type Steps,
} from '../../statements.ts';
import { prepared, type Reader } from './connection.ts';

const textOf = rememberTexts((sql) => sql.replaceAll(/= ANY\((\?\d*)\)/gu, 'IN (SELECT value FROM json_each($1))'));
const isRead = /^\s*SELECT/u;
const givesRows = (sql: string): boolean => isRead.test(sql) || sql.includes(' RETURNING ');

const toBound = (value: StatementValue): SQLInputValue =>
  Array.isArray(value) ? JSON.stringify(value) : (value as SQLInputValue);

function perform(database: DatabaseSync, { sql, values, each }: Statement): Outcome {
  const statement = prepared(database, textOf(sql));
  if (each) {
    const found: object[] = [];
    if (givesRows(sql)) for (const one of each) found.push(...statement.all(...one.map(toBound)));
    else for (const one of each) statement.run(...one.map(toBound));
    return { rows: found, changes: each.length };
  }
  const given = values.map(toBound);
  if (givesRows(sql)) return { rows: statement.all(...given), changes: 0 };
  return { rows: [], changes: Number(statement.run(...given).changes) };
}

/** What the work returns; it is told what its statements throw. */
export function runSteps<T>(database: DatabaseSync, steps: Steps<T>): T {
  for (let next = steps.next(); ; ) {
    if (next.done === true) return next.value;
    let outcome: Outcome;
    try {
      outcome = perform(database, next.value);
    } catch (error) {
      next = steps.throw(error);
      continue;
    }
    next = steps.next(outcome);
  }
}

export interface StatementPorts {
  readonly read: Reader;
  readonly write: Reader;
  readonly free: Reader;
}

export const createStatements = ({ read, write, free }: StatementPorts): Statements => ({
  read: (work) => read((database) => runSteps(database, work())),
  rows: <Row>(sql: string, ...values: Statement['values']) =>
    read((database) => runSteps(database, rows<Row>(sql, ...values))),
  write: (work) => write((database) => runSteps(database, work())),
  free: (work) => free((database) => runSteps(database, work())),
});
