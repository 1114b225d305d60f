// Vectors that were paid for, by the text that they are of: kept for ever beside the vectors of documents, so that a text that was
// deleted and came back, moved, or stands in two documents costs one call. Invariant: bytes that are not as they were written are
// not given out; a vector is found under its own model and tenant alone.
import type { DatabaseSync } from 'node:sqlite';
import { bytesOf, type RememberedText, sealText, type TextPlace, toTextVector } from '../../db/repositories/vectors.ts';
import { prepared } from '../../db/sqlite/file/connection.ts';

/** Which of the texts have a vector here; whether it is sound shows when it is read. */
export function knownTexts(
  database: DatabaseSync,
  { tenant, space }: TextPlace,
  hashes: readonly string[],
): ReadonlySet<string> {
  const rows = prepared(
    database,
    `SELECT lower(hex(m.text_hash)) AS hash FROM json_each(?3) AS wanted CROSS JOIN embedding_memo AS m
     ON m.tenant = ?1 AND m.space = ?2 AND m.text_hash = unhex(wanted.value)`,
  ).all(tenant, space, JSON.stringify(hashes));
  return new Set(rows.map((row) => String(row['hash'])));
}

export function recallTexts(
  database: DatabaseSync,
  place: TextPlace,
  hashes: readonly string[],
): ReadonlyMap<string, Float32Array> {
  const find = prepared(
    database,
    'SELECT seal, bytes FROM embedding_memo WHERE tenant = ? AND space = ? AND text_hash = ?',
  );
  const found = new Map<string, Float32Array>();
  for (const hash of hashes) {
    const row = find.get(place.tenant, place.space, Buffer.from(hash, 'hex'));
    const vector = row && toTextVector(place, hash, row as Record<'seal' | 'bytes', Uint8Array>);
    if (vector) found.set(hash, vector);
  }
  return found;
}

/** In the place of what was there: damaged bytes are not kept. */
export function cacheTexts(database: DatabaseSync, place: TextPlace, texts: readonly RememberedText[]): void {
  const put = prepared(database, 'INSERT OR REPLACE INTO embedding_memo VALUES (?, ?, ?, ?, ?)');
  for (const { hash, vector, space = place.space } of texts) {
    const bytes = bytesOf(vector);
    const seal = sealText({ ...place, space }, hash, bytes);
    put.run(place.tenant, space, Buffer.from(hash, 'hex'), seal, bytes);
  }
}
