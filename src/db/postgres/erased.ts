// The guard at the door of what requests save, whichever server deleted something meanwhile.
import { workspacePrefix } from '../../core/ids.ts';
import { type DeletionGuard, known } from '../both/deletions.ts';
import { first, rows } from '../statements.ts';

/** No request takes longer (10 minutes and what it takes to save). */
const longestRequest = '15 minutes';

export const deletionGuard: DeletionGuard = {
  *isGone({ tenant, principal }, sessionId) {
    if (sessionId === undefined) return false;
    const sql = `SELECT 1 FROM deleted_session AS d WHERE d.tenant = ?1 AND d.principal = ?2 AND d.id = ?3
      AND NOT EXISTS (SELECT 1 FROM session AS s WHERE s.tenant = ?1 AND s.principal = ?2 AND s.id = ?3)`;
    return (yield* first(sql, tenant, principal.id, sessionId)) !== undefined;
  },

  *deletedSince(tenant) {
    const sql = `SELECT 1 FROM erasure WHERE tenant = ? AND kind = 'document'
      AND noted_at::timestamptz > clock_timestamp() - interval '${longestRequest}' LIMIT 1`;
    return (yield* first(sql, tenant)) !== undefined;
  },

  *missing(tenant, ids) {
    const sought = [...new Set(ids)].filter((id) => !id.startsWith(workspacePrefix));
    if (sought.length === 0) return new Set();
    const sql = `SELECT w.id FROM unnest(?2::text[]) AS w (id)
      WHERE NOT EXISTS (SELECT 1 FROM document AS d WHERE d.tenant = ?1 AND d.id = w.id)
      AND NOT EXISTS (SELECT 1 FROM turn AS t WHERE t.tenant = ?1 AND t.id = w.id)`;
    return new Set((yield* rows<{ readonly id: string }>(sql, tenant, sought)).map(({ id }) => id));
  },

  notePages: () => known(undefined),
};
