// The guard at the door: what a request that was under way when something was deleted saves afterwards does not bring it back, whichever server
// deleted it.
import type { Answer } from '../../core/answer.ts';
import { documentsOf, withoutDocuments } from '../../core/answers/erased-answer.ts';
import { workspacePrefix } from '../../core/ids.ts';
import type { Connection } from './client.ts';

/** No request takes longer (10 minutes and what it takes to save). */
const longestRequest = '15 minutes';

/** Those of these documents, and of the turns that are cited like them, that are not there (any more). */
export async function missingDocuments(
  connection: Connection,
  tenant: string,
  documentIds: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const ids = [...new Set(documentIds)].filter((id) => !id.startsWith(workspacePrefix));
  if (ids.length === 0) return new Set();
  const sql = `SELECT w.id FROM unnest($2::text[]) AS w (id)
    WHERE NOT EXISTS (SELECT 1 FROM document AS d WHERE d.tenant = $1 AND d.id = w.id)
    AND NOT EXISTS (SELECT 1 FROM turn AS t WHERE t.tenant = $1 AND t.id = w.id)`;
  return new Set((await connection.rows<{ readonly id: string }>(sql, [tenant, ids])).map(({ id }) => id));
}

/** Whether a document was deleted while any request that still runs may have begun. */
export async function deletedLately(connection: Connection, tenant: string): Promise<boolean> {
  const sql = `SELECT 1 FROM erasure WHERE tenant = $1 AND kind = 'document'
    AND noted_at::timestamptz > clock_timestamp() - $2::interval LIMIT 1`;
  return (await connection.rows(sql, [tenant, longestRequest])).length > 0;
}

/** The answer as it may be saved: without what was deleted while it was made. Call in the transaction that saves it. */
export async function withoutDeleted(connection: Connection, tenant: string, answer: Answer): Promise<Answer> {
  if (!(await deletedLately(connection, tenant))) return answer;
  const missing = await missingDocuments(connection, tenant, documentsOf(answer));
  return withoutDocuments(answer, missing, new Date().toISOString());
}
