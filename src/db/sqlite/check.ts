// The whole record, checked: the pages by SQLite, and every text, chunk, structure, file and trace by its own hash, because
// SQLite finds few of the bits that rot. Yields to the event loop as it goes.

import type { DatabaseSync } from 'node:sqlite';
import { FootnoteError } from '../../core/errors.ts';
import { sha256 } from '../../core/ids.ts';
import { nextTurn } from '../../core/waiting/pieces.ts';
import { leanedOn, type PackedTrace, unpackTrace } from '../both/packed-traces.ts';
import {
  type ChunkRow,
  chunkColumns,
  type DocumentRow,
  documentColumns,
  toChunk,
  toDocument,
} from '../document-rows.ts';
import { unpackJson } from '../packed.ts';
import { isSound, type SealedTable, sealColumns, sealedTables } from '../sealed-rows.ts';
import { checkDuplicates } from './documents/duplicates.ts';
import { prepared } from './file/connection.ts';
import { toRecordError } from './file/sqlite-errors.ts';
import { runSteps } from './file/statements.ts';

const batch = 50;
const maximumProblems = 1000;

interface BodyRow {
  readonly text: string;
  readonly structure: Uint8Array;
  readonly file: Uint8Array | null;
  readonly file_hash: string | null;
}

/** What is wrong, in words; empty: sound. Never throws for damage. */
export async function checkRecord(database: DatabaseSync): Promise<readonly string[]> {
  const problems: string[] = [];
  const attempt = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      if (problems.length < maximumProblems) problems.push(toRecordError(error).message);
      return undefined;
    }
  };

  attempt(() => {
    for (const row of database.prepare('PRAGMA integrity_check').all()) {
      const line = String(Object.values(row)[0]);
      if (line !== 'ok') problems.push(`integrity_check: ${line}`);
    }
  });
  attempt(() => {
    for (const row of database.prepare('PRAGMA foreign_key_check').all())
      problems.push(`A row of ${String(row['table'])} belongs to nothing.`);
  });

  await eachRow(database, attempt, 'document', (row) => checkDocument(database, row, problems));
  problems.push(...(attempt(() => checkDuplicates(database)) ?? []).slice(0, maximumProblems));
  await eachRow(database, attempt, 'trace', (row) => checkTrace(database, row));
  for (const [table, column, name] of [
    ['answer', 'answer', 'Answer'],
    ['turn', 'answer', 'The answer of turn'],
  ] as const)
    await eachRow(database, attempt, table, (row) => {
      const found = prepared(database, `SELECT id, ${column} AS packed FROM ${table} WHERE rowid = ?`).get(row);
      unpackJson(found?.['packed'] as Uint8Array, `${name} ${String(found?.['id'])}`);
    });
  for (const table of sealedTables)
    await eachRow(database, attempt, table, (row) => {
      const sql = `SELECT ${sealColumns(table)} FROM ${table} WHERE rowid = ?`;
      const found = prepared(database, sql).get(row);
      if (found && !isSound(table, found))
        problems.push(`${sealedNames[table]} ${String(found['id'])} is not what was recorded.`);
    });
  return problems.slice(0, maximumProblems);
}

const sealedNames = { archive_turn: 'Turn of the archive', memory: 'Memory', trace: 'The entry of trace' } as const;

/** Visits the rows of `table` in batches by rowid. */
async function eachRow(
  database: DatabaseSync,
  attempt: <T>(work: () => T) => T | undefined,
  table: 'document' | 'answer' | 'turn' | SealedTable,
  visit: (row: number) => void,
): Promise<void> {
  let after = 0;
  for (;;) {
    const rows = attempt(() =>
      prepared(database, `SELECT rowid AS row FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ?`).all(after, batch),
    );
    for (const { row } of (rows ?? []) as unknown as { row: number }[]) {
      attempt(() => visit(row));
      after = row;
    }
    if (rows === undefined || rows.length < batch) return;
    await nextTurn();
  }
}

/** One that leans on what was deleted a moment ago will be swept: that is no damage. */
function checkTrace(database: DatabaseSync, row: number): void {
  const sql = 'SELECT id, events AS packed, chunks FROM trace WHERE rowid = ?';
  const trace = prepared(database, sql).get(row) as unknown as PackedTrace & { readonly id: string };
  const { id, packed, chunks } = trace;
  if (chunks === null) unpackJson(packed, `Trace ${id}`);
  else if (runSteps(database, unpackTrace(trace)) === undefined && runSteps(database, leanedOn(chunks)) !== undefined)
    throw new FootnoteError(
      'data-corrupt',
      `Trace ${id} is damaged in the record and is not served. Restore a backup.`,
    );
}

function checkDocument(database: DatabaseSync, row: number, problems: string[]): void {
  const entry = prepared(database, `SELECT ${documentColumns} FROM document AS d WHERE d.rowid = ?`).get(row);
  const document = toDocument(entry as unknown as DocumentRow);
  const tenant = String(entry?.['tenant']);
  const body = prepared(database, 'SELECT * FROM document_body WHERE tenant = ? AND document_id = ?').get(
    tenant,
    document.id,
  ) as unknown as BodyRow | undefined;
  const report = (what: string): void =>
    void problems.push(`${what} of document ${document.id} is not what was recorded.`);
  if (body === undefined) {
    report('The text');
    return;
  }
  if (sha256(body.text) !== document.textHash || body.text.length !== document.textLength) report('The text');
  if (body.file !== null && sha256(body.file) !== body.file_hash) report('The original file');
  unpackJson(body.structure, `The structure of document ${document.id}`);
  const rows = prepared(
    database,
    `SELECT ${chunkColumns} FROM chunk AS c WHERE c.tenant = ? AND c.document_id = ? ORDER BY c.ordinal`,
  ).all(tenant, document.id) as unknown as ChunkRow[];
  if (rows.length !== document.chunkCount) report('The list of chunks');
  for (const chunk of rows.map(toChunk))
    if (body.text.slice(chunk.start, chunk.end).toWellFormed() !== chunk.text) report(`Chunk ${chunk.id}`);
}
