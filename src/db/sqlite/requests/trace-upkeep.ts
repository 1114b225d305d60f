// The upkeep of traces in the record: what is old goes, and what nobody reads now is packed onto the texts of the record. Each call does a
// little in one transaction, so that no request waits for it.
import type { TraceUpkeep } from '../../repositories/traces.ts';
import { prepared, type Reader } from '../file/connection.ts';
import { compactTrace, unpackTrace } from './packed-traces.ts';
import type { Writer } from './sessions.ts';

/** The edition of what packed traces take for granted (packed-traces.ts); 2: as it was saved, because packing did not help. */
const editions = { compact: 1, asSaved: 2 } as const;

interface LooseRow {
  readonly row: number;
  readonly tenant: string;
  readonly packed: Uint8Array;
}

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
          const json = unpackTrace(database, { packed, chunks: null });
          const compact = json && compactTrace(database, tenant, json);
          // Read back before it takes the place of what is there.
          const isSound = compact !== undefined && unpackTrace(database, compact)?.equals(json as Buffer) === true;
          if (isSound && compact.packed.byteLength < packed.byteLength)
            put.run(compact.packed, compact.chunks, editions.compact, row, packed);
          else leave.run(editions.asSaved, row);
        }
      });
      return rows.length;
    },
  };
}
