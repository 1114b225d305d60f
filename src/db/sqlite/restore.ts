// Puts damaged rows right where the record itself has what they were: a text in its chunks, a chunk in its text, an answer with its turn.
// Invariant: nothing is written that is not proven to be what was recorded, by its hash or checksum.

import type { DatabaseSync } from 'node:sqlite';
import { nextTurn } from '../../core/waiting/pieces.ts';
import {
  type ChunkRow,
  chunkColumns,
  type DocumentRow,
  documentColumns,
  isSealed,
  isText,
  sealOfChunk,
} from '../document-rows.ts';
import { unpackAnswer } from '../session-rows.ts';
import { damagedFingerprints } from './documents/duplicates.ts';
import { damagedParts, isFile } from './documents/sound-documents.ts';
import { prepared } from './file/connection.ts';

const chunksOf = `SELECT ${chunkColumns} FROM chunk AS c WHERE c.tenant = ? AND c.document_id = ? ORDER BY c.ordinal`;
const bodyOf = 'SELECT text FROM document_body WHERE tenant = ? AND document_id = ?';

/** Restores the text and the chunks of a document from each other; true if anything was. Its entry must be sound. */
export function restoreTexts(database: DatabaseSync, document: DocumentRow): boolean {
  if (!isSealed(document)) return false;
  const { tenant, id } = document;
  const found: unknown = prepared(database, bodyOf).get(tenant, id)?.['text'];
  const rows = prepared(database, chunksOf).all(tenant, id) as unknown as ChunkRow[];
  const sealed = rows.filter((row) => sealOfChunk(row) === row.seal);
  const isWhole = isText(found, document.text_hash);
  const text = isWhole ? found : fromChunks(found, document, sealed);
  if (text === undefined) return false;
  if (!isWhole)
    prepared(database, 'UPDATE document_body SET text = ? WHERE tenant = ? AND document_id = ?').run(text, tenant, id);
  let restored = isWhole ? 0 : 1;
  for (const row of sealed) {
    const piece = text.slice(row.start_offset, row.end_offset).toWellFormed();
    if (isText(row.text, row.hash) || !isText(piece, row.hash)) continue;
    prepared(database, 'UPDATE chunk SET text = ? WHERE tenant = ? AND id = ?').run(piece, tenant, row.id);
    restored += 1;
  }
  return restored > 0;
}

/** The text with every sound chunk laid over it, if that is the one that was recorded. */
function fromChunks(found: unknown, document: DocumentRow, rows: readonly ChunkRow[]): string | undefined {
  const { text_length: length, text_hash: hash } = document;
  const under = typeof found === 'string' && found.length === length ? found : undefined;
  let text = '';
  for (const row of rows) {
    if (!isText(row.text, row.hash) || row.start_offset < text.length) continue;
    if (row.start_offset > text.length) {
      if (under === undefined) return undefined;
      text += under.slice(text.length, row.start_offset);
    }
    text += row.text;
  }
  if (text.length < length && under !== undefined) text += under.slice(text.length);
  return isText(text, hash) ? text : undefined;
}

const isAnswer = (bytes: unknown): bytes is Uint8Array => {
  try {
    unpackAnswer(bytes as Uint8Array, '');
    return true;
  } catch {
    return false;
  }
};

/** Restores answers from their turns and turns from their answers; returns how many. */
export function restoreAnswers(database: DatabaseSync): number {
  const pairs = prepared(
    database,
    'SELECT t.rowid AS turn, a.rowid AS answer FROM turn AS t JOIN answer AS a ON a.tenant = t.tenant AND a.principal = t.principal AND a.id = t.answer_id',
  ).all() as unknown as readonly { readonly turn: number; readonly answer: number }[];
  let restored = 0;
  for (const { turn, answer } of pairs) {
    const kept = prepared(database, 'SELECT answer FROM turn WHERE rowid = ?').get(turn)?.['answer'];
    const copy = prepared(database, 'SELECT answer FROM answer WHERE rowid = ?').get(answer)?.['answer'];
    const [one, other] = [isAnswer(kept), isAnswer(copy)];
    if (one === other) continue;
    if (one) prepared(database, 'UPDATE answer SET answer = ? WHERE rowid = ?').run(kept as Uint8Array, answer);
    else prepared(database, 'UPDATE turn SET answer = ? WHERE rowid = ?').run(copy as Uint8Array, turn);
    restored += 1;
  }
  return restored;
}

/** Parts that belong to no document any more: nothing reads them, and their document cannot be written while they are there. */
export function dropOrphans(database: DatabaseSync): number {
  let dropped = 0;
  // What stores beside the record are still to drop is no orphan.
  const parts = ['chunk', 'document_body', 'fingerprint', 'duplicate_link'];
  for (const [table, also] of [
    ...parts.map((name) => [name, ''] as const),
    ['delivery', 'operation IS NULL AND '] as const,
  ])
    dropped += Number(
      prepared(
        database,
        `DELETE FROM ${table} WHERE ${also}NOT EXISTS (SELECT 1 FROM document AS d WHERE d.tenant = ${table}.tenant AND d.id = ${table}.document_id)`,
      ).run().changes,
    );
  return dropped;
}

/** A document of which something is damaged; what stands here of an entry that is not sound may be wrong. */
export interface FoundDamage {
  readonly entry: DocumentRow;
  readonly isEntrySound: boolean;
  /** Names of the stores that it is meant for. Absent: all. */
  readonly stores?: readonly string[];
  /** What of it is damaged, as people call it. */
  readonly parts: readonly string[];
}

const rowsTogether = 50;

/** Every damaged document of every tenant. Lets others have their turn. */
export async function findDamage(read: <T>(work: (database: DatabaseSync) => T) => T): Promise<readonly FoundDamage[]> {
  const found: FoundDamage[] = [];
  for (let after = 0; ; ) {
    const rows = read((database) =>
      prepared(database, 'SELECT rowid AS row FROM document WHERE rowid > ? ORDER BY rowid LIMIT ?').all(
        after,
        rowsTogether,
      ),
    );
    for (const { row } of rows as unknown as readonly { readonly row: number }[]) {
      after = row;
      const damage = read((database) => lookAt(database, row));
      if (damage) found.push(damage);
    }
    if (rows.length < rowsTogether) return found;
    await nextTurn();
  }
}

function lookAt(database: DatabaseSync, row: number): FoundDamage | undefined {
  const sql = `SELECT ${documentColumns}, iif(json_valid(d.stores), d.stores, iif(d.stores IS NULL, NULL, '[]')) AS meant FROM document AS d WHERE d.rowid = ?`;
  const found = prepared(database, sql).get(row) as unknown as (DocumentRow & { meant: string | null }) | undefined;
  if (found === undefined) return undefined;
  const { meant, ...entry } = found;
  const stores = meant === null ? {} : { stores: JSON.parse(meant) as readonly string[] };
  if (!isSealed(entry)) return { entry, ...stores, isEntrySound: false, parts: ['entry'] };
  const rows = prepared(database, chunksOf).all(entry.tenant, entry.id) as unknown as ChunkRow[];
  const areWhole =
    rows.length === entry.chunk_count &&
    rows.every((chunk) => sealOfChunk(chunk) === chunk.seal && isText(chunk.text, chunk.hash));
  const parts = [...damagedParts(database, entry), ...(areWhole ? [] : ['chunks'])];
  return parts.length === 0 ? undefined : { entry, ...stores, isEntrySound: true, parts };
}

export interface KeptBytes {
  readonly bytes: Uint8Array;
  /** Of a text that is its own original. */
  readonly isText: boolean;
}

/** The bytes that a document was made of, if they are still what they were. */
export function keptBytes(database: DatabaseSync, { tenant, id, text_hash: hash }: DocumentRow): KeptBytes | undefined {
  const sql = 'SELECT text, file, file_hash FROM document_body WHERE tenant = ? AND document_id = ?';
  const body = prepared(database, sql).get(tenant, id);
  if (body === undefined) return undefined;
  const { text, file, file_hash: fileHash } = body;
  if (isFile(file, fileHash)) return { bytes: file, isText: false };
  if (file !== null || fileHash !== null) return undefined;
  return isText(text, hash) ? { bytes: new TextEncoder().encode(text), isText: true } : undefined;
}

/** Fingerprints and links are made anew from the texts: damaged ones only stand in the way. Returns the tenants and sources concerned. */
export function dropDamagedLinks(
  database: DatabaseSync,
): readonly { readonly tenant: string; readonly source: string }[] {
  const sources = new Map<string, { tenant: string; source: string }>();
  for (const { tenant, documentId } of damagedFingerprints(database)) {
    prepared(database, 'DELETE FROM fingerprint WHERE tenant = ? AND document_id = ?').run(tenant, documentId);
    const row = prepared(database, 'SELECT source FROM document WHERE tenant = ? AND id = ?').get(tenant, documentId);
    const source = String(row?.['source'] ?? '');
    if (row) sources.set(JSON.stringify([tenant, source]), { tenant, source });
  }
  return [...sources.values()];
}
