// Vectors of passages in SQLite: read and written many at once. Invariant: a vector whose bytes have changed is none.
import { crc32 } from 'node:zlib';
import { deletedSince } from '../../erasure/erasure-notes.ts';
import type { EncodedPassageRepository } from '../../repositories/encoded-passages.ts';
import { prepared, type Reader } from '../file/connection.ts';
import type { Writer } from './sessions.ts';

/** Of a tenant: 1.6 KB each. Those that were not used for longest go first, some at once. */
const mostPassages = 20_000;
const goTogether = 1_000;

const sealBytes = 4;

/** The vector and the checksum of its key and bytes, as one piece. */
function sealed(key: string, vector: Float32Array): Uint8Array {
  const bytes = Buffer.alloc(vector.byteLength + sealBytes);
  bytes.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
  bytes.writeUInt32LE(checksum(key, bytes.subarray(0, -sealBytes)), vector.byteLength);
  return bytes;
}

const checksum = (key: string, bytes: Uint8Array): number => crc32(bytes, crc32(key));

function unsealed(key: string, value: unknown): Float32Array | undefined {
  if (!(value instanceof Uint8Array) || value.length % 4 !== 0 || value.length <= sealBytes) return undefined;
  const bytes = value.subarray(0, -sealBytes);
  const seal = new DataView(value.buffer, value.byteOffset).getUint32(bytes.length, true);
  return seal === checksum(key, bytes) ? new Float32Array(Uint8Array.from(bytes).buffer) : undefined;
}

const dayOf = (at: string): string => at.slice(0, 10);

export function createEncodedPassageRepository(
  tenant: string,
  { read, write, most = mostPassages }: { readonly read: Reader; readonly write: Writer; readonly most?: number },
): EncodedPassageRepository {
  return {
    read: (keys) =>
      read((database) => {
        const sql =
          'SELECT key, used, vector FROM encoded_passage WHERE tenant = ? AND key IN (SELECT value FROM json_each(?))';
        const rows = prepared(database, sql).all(tenant, JSON.stringify(keys));
        const found = rows.flatMap(({ key, used, vector }) => {
          const sound = unsealed(String(key), vector);
          return sound ? [{ key: String(key), used, sound }] : [];
        });
        return {
          vectors: new Map(found.map(({ key, sound }) => [key, sound])),
          usedBefore: (at) => found.flatMap(({ key, used }) => (used === dayOf(at) ? [] : [key])),
        };
      }),
    keep: (vectors, used, at) =>
      write((database) => {
        const day = dayOf(at);
        const touched = JSON.stringify([...used]);
        const touch =
          'UPDATE encoded_passage SET used = ? WHERE tenant = ? AND key IN (SELECT value FROM json_each(?))';
        prepared(database, touch).run(day, tenant, touched);
        const [first] = vectors.values();
        if (!first || deletedSince(database, tenant)) return;
        // One space of vectors: all are as long.
        const size = first.byteLength + sealBytes;
        const rows = [...vectors].filter(([, { byteLength }]) => byteLength + sealBytes === size);
        const insert = `INSERT OR REPLACE INTO encoded_passage (tenant, key, used, vector)
          SELECT ?, value, ?, substr(?, key * ? + 1, ?) FROM json_each(?)`;
        const all = Buffer.concat(rows.map(([key, vector]) => sealed(key, vector)));
        prepared(database, insert).run(tenant, day, all, size, size, JSON.stringify(rows.map(([key]) => key)));
        const count = Number(
          prepared(database, 'SELECT count(*) AS count FROM encoded_passage WHERE tenant = ?').get(tenant)?.['count'],
        );
        if (count <= most) return;
        const drop = `DELETE FROM encoded_passage WHERE rowid IN (
          SELECT rowid FROM encoded_passage WHERE tenant = ? ORDER BY used, rowid LIMIT ?)`;
        prepared(database, drop).run(tenant, count - most + Math.min(goTogether, most >> 1));
      }),
  };
}
