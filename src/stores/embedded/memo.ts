// Vectors that were paid for, by the text that they are of: kept for ever beside the vectors of documents, so that a text that was
// deleted and came back, moved, or stands in two documents costs one call. Invariant: bytes that are not as they were written are
// not given out; a vector is found under its own model and tenant alone.
import type { DatabaseSync } from 'node:sqlite';
import { sha256 } from '../../core/ids.ts';
import { prepared } from '../../db/sqlite/file/connection.ts';
import type { RememberedText } from './vector-keeping.ts';

/** Half of a SHA-256: among a billion texts two share one by chance with a probability below 10^-20. */
const hashDigits = 32;

interface MemoPlace {
  readonly tenant: string;
  readonly space: string;
}

function sealOf({ tenant, space }: MemoPlace, hash: string, bytes: Uint8Array): Buffer {
  return Buffer.from(sha256(JSON.stringify(['memo', tenant, space, hash, sha256(bytes)])).slice(0, hashDigits), 'hex');
}

/** Which of the texts have a vector here; whether it is sound shows when it is read. */
export function knownTexts(
  database: DatabaseSync,
  { tenant, space }: MemoPlace,
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
  place: MemoPlace,
  hashes: readonly string[],
): ReadonlyMap<string, Float32Array> {
  const find = prepared(
    database,
    'SELECT seal, bytes FROM embedding_memo WHERE tenant = ? AND space = ? AND text_hash = ?',
  );
  const found = new Map<string, Float32Array>();
  for (const hash of hashes) {
    const row = find.get(place.tenant, place.space, Buffer.from(hash, 'hex'));
    const bytes = row?.['bytes'] as Uint8Array | undefined;
    if (!bytes || !sealOf(place, hash, bytes).equals(row?.['seal'] as Uint8Array)) continue;
    const vector = new Float32Array(bytes.byteLength / 4);
    new Uint8Array(vector.buffer).set(bytes);
    found.set(hash, vector);
  }
  return found;
}

/** In the place of what was there: damaged bytes are not kept. */
export function cacheTexts(database: DatabaseSync, place: MemoPlace, texts: readonly RememberedText[]): void {
  const put = prepared(database, 'INSERT OR REPLACE INTO embedding_memo VALUES (?, ?, ?, ?, ?)');
  for (const { hash, vector } of texts) {
    const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
    put.run(place.tenant, place.space, Buffer.from(hash, 'hex'), sealOf(place, hash, bytes), bytes);
  }
}
