// The index of a tenant's archive where several servers have one in memory: each follows what the others wrote, by the rows of turns and by the list of
// those that were taken away. Invariants: a segment goes in the transaction that takes one of its turns away, so that of its words nothing is
// left whichever server wrote it; segments do not reach over each other, so that no turn stands in two; who did not follow for so long that the list
// no longer tells what went opens its index anew, and writes no segment before.

import { sha256 } from '../../../core/ids.ts';
import type { ArchivePorts } from '../../both/archive/archive.ts';
import { createArchiveIndexRepository } from '../../both/archive/index-rows.ts';
import type { ArchiveIndexRepository } from '../../repositories/archive.ts';
import { first, run, type Steps } from '../../statements.ts';

/** The last one of those that are told no longer is the mark of them. */
const lastOldSql = `SELECT max(seq) FROM archive_removed WHERE tenant = ?1 AND at < clock_timestamp() - interval '1 hour'`;
const markSql = `UPDATE archive_removed SET is_mark = true WHERE tenant = ?1 AND seq = (${lastOldSql}) AND NOT is_mark`;
const forgetSql = `DELETE FROM archive_removed WHERE tenant = ?1 AND seq < (SELECT max(seq) FROM archive_removed WHERE tenant = ?1 AND is_mark)`;

/** Turns were taken away in this transaction, which no other one that writes turns of the tenant runs beside. */
export function* noteRemoved(tenant: string, removed: readonly string[]): Steps<void> {
  yield* run('INSERT INTO archive_removed (tenant, row) SELECT ?1, unnest(?2::bigint[])', tenant, removed);
  const sql = `DELETE FROM archive_segment AS s USING unnest(?2::bigint[]) AS r (row)
    WHERE s.tenant = ?1 AND r.row BETWEEN s.first_row AND s.last_row`;
  yield* run(sql, tenant, removed);
  if ((yield* run(markSql, tenant)) > 0) yield* run(forgetSql, tenant);
}

const putSql = `INSERT INTO archive_segment (tenant, hash, bytes, first_row, last_row) SELECT ?1::text, ?2, ?3::bytea, ?4::bigint, ?5::bigint
  WHERE NOT EXISTS (SELECT 1 FROM archive_segment WHERE tenant = ?1::text AND first_row <= ?5::bigint AND last_row >= ?4::bigint)
  AND NOT EXISTS (SELECT 1 FROM archive_removed WHERE tenant = ?1::text AND seq > ?6::bigint
    AND (is_mark OR row BETWEEN ?4::bigint AND ?5::bigint))
  RETURNING id`;
const standingSql = `SELECT (SELECT max(row) FROM archive_turn WHERE tenant = ?1) AS "lastRow",
  (SELECT max(seq) FROM archive_removed WHERE tenant = ?1) AS mark`;
const removedSql =
  'SELECT seq, row, is_mark AS "isMark" FROM archive_removed WHERE tenant = ? AND seq > ? ORDER BY seq';

export function createFollowedArchiveIndex(tenant: string, ports: ArchivePorts): ArchiveIndexRepository {
  const { statements } = ports;
  return {
    ...createArchiveIndexRepository(tenant, ports),
    putSegment: (bytes, { firstRow, lastRow, mark, replaced }) =>
      statements.write(function* () {
        if (replaced !== undefined)
          yield* run('DELETE FROM archive_segment WHERE tenant = ? AND id = ?', tenant, replaced);
        const values = [tenant, sha256(bytes), bytes, firstRow, lastRow, mark] as const;
        return (yield* first<{ readonly id: number }>(putSql, ...values))?.id;
      }),
    async changes(since) {
      type Standing = { readonly lastRow: number | null; readonly mark: number | null };
      const [standing] = await statements.rows<Standing>(standingSql, tenant);
      const now = { lastRow: standing?.lastRow ?? 0, mark: standing?.mark ?? 0 };
      if (now.mark <= since) return { ...now, removed: [], isWhole: true };
      type Removed = { readonly seq: number; readonly row: number; readonly isMark: boolean };
      const found = await statements.rows<Removed>(removedSql, tenant, since);
      const isWhole = !found.some(({ isMark }) => isMark);
      const removed = found.map(({ row }) => row);
      return { lastRow: now.lastRow, mark: found.at(-1)?.seq ?? now.mark, removed, isWhole };
    },
  };
}
