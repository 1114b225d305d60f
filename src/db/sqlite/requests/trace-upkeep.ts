// Traces that nobody reads any more: the oldest go, and those that stay are packed anew onto the texts that the record holds anyway.
import type { DatabaseSync } from 'node:sqlite';
import { constants, zstdCompressSync } from 'node:zlib';
import { dictionaryOf, type LeanRow, type PackedTrace, unpackTrace } from '../../both/packed-traces.ts';
import type { TraceUpkeep } from '../../repositories/traces.ts';
import { prepared, type Reader } from '../file/connection.ts';
import { runSteps } from '../file/statements.ts';
import type { Writer } from './sessions.ts';

/** Ids of chunks as they stand in logs. */
const chunkIdPattern = /"(chk_[0-9a-f]{24})"/gu;
/** Chunks that one trace may lean on. */
const mostChunks = 1000;

/** Chunks that are in the record now. */
function chunksOf(database: DatabaseSync, tenant: string, ids: readonly string[]): readonly LeanRow[] {
  const find = prepared(
    database,
    'SELECT row, id, document_id AS documentId, text FROM chunk WHERE tenant = ? AND id = ?',
  );
  return ids.flatMap((id) => {
    const row = find.get(tenant, id) as LeanRow | undefined;
    return row ? [row] : [];
  });
}

/** `chunks`: as it stands in the column. */
type CompactTrace = PackedTrace & { readonly chunks: string };

/** Nobody waits for it: well packed. */
const compactLevel = 12;

/** Packs a log onto the chunks that it names and the record holds. Call in the transaction that writes it. */
function compactTrace(database: DatabaseSync, tenant: string, json: Buffer): CompactTrace {
  const ids = new Set<string>();
  for (const [, id] of json.toString('utf8').matchAll(chunkIdPattern)) {
    ids.add(id as string);
    if (ids.size === mostChunks) break;
  }
  const rows = chunksOf(database, tenant, [...ids]);
  const packed = zstdCompressSync(json, {
    params: { [constants.ZSTD_c_compressionLevel]: compactLevel, [constants.ZSTD_c_checksumFlag]: 1 },
    pledgedSrcSize: json.length,
    dictionary: dictionaryOf(rows),
  });
  return { packed, chunks: JSON.stringify(rows.map(({ row }) => row)) };
}

/** The edition of what packed traces take for granted (packed-traces.ts); 2: as it was saved, because packing did not help. */
const editions = { compact: 1, asSaved: 2 } as const;

interface LooseRow {
  readonly row: number;
  readonly tenant: string;
  readonly packed: Uint8Array;
}

/** Old traces go, and those that nobody reads now are packed. Each call does a little in one transaction, so that no request waits for it. */
export function createTraceUpkeep(
  read: Reader,
  { write, free }: { readonly write: Writer; readonly free: Writer },
): TraceUpkeep {
  return {
    prune: (before, limit) =>
      free((database) => {
        const sql =
          'DELETE FROM trace WHERE rowid IN (SELECT rowid FROM trace WHERE is_pinned = 0 AND started_at < ? ORDER BY started_at LIMIT ?)';
        return Number(prepared(database, sql).run(before, limit).changes);
      }),
    async compact(before, limit) {
      const rows = (await read((database) =>
        prepared(
          database,
          'SELECT rowid AS row, tenant, events AS packed FROM trace WHERE is_compact = 0 AND started_at < ? ORDER BY started_at LIMIT ?',
        ).all(before, limit),
      )) as unknown as readonly LooseRow[];
      if (rows.length === 0) return 0;
      await write((database) => {
        const put = prepared(
          database,
          'UPDATE trace SET events = ?, chunks = ?, is_compact = ? WHERE rowid = ? AND is_compact = 0 AND events = ?',
        );
        const leave = prepared(database, 'UPDATE trace SET is_compact = ? WHERE rowid = ?');
        for (const { row, tenant, packed } of rows) {
          const json = runSteps(database, unpackTrace({ packed, chunks: null }));
          const compact = json && compactTrace(database, tenant, json);
          // Read back before it takes the place of what is there.
          const isSound =
            compact !== undefined && runSteps(database, unpackTrace(compact))?.equals(json as Buffer) === true;
          if (isSound && compact.packed.byteLength < packed.byteLength)
            put.run(compact.packed, compact.chunks, editions.compact, row, packed);
          else leave.run(editions.asSaved, row);
        }
      });
      return rows.length;
    },
  };
}
