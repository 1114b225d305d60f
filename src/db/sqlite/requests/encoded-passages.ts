// Vectors of passages in SQLite: read and written many at once.
import { deletedSince } from '../../erasure/erasure-notes.ts';
import type { EncodedPassageRepository } from '../../repositories/encoded-passages.ts';
import { dayOf, goTogether, mostPassages, sealBytes, sealed, unsealed } from '../../sealed-passages.ts';
import { prepared, type Reader } from '../file/connection.ts';
import type { Writer } from './sessions.ts';

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
        prepared(database, drop).run(tenant, count - most + goTogether(most));
      }),
  };
}
