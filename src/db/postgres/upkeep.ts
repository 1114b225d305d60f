// What concerns all tenants of the record: traces that are too old, whether documents are as they were written, and
// what answers of a tenant rest on.

import { tenantScope } from '../../core/scope.ts';
import type { TraceUpkeep } from '../repositories/traces.ts';
import { run, type Statements } from '../statements.ts';
import type { PostgresClient } from './client/client.ts';
import { createDocumentRepository } from './documents.ts';
import type { TenantStates } from './tenant-states.ts';

/** As a database and as a server are told apart. */
export const addressShown = (address: string): string => {
  const { hostname, port, pathname } = new URL(address);
  return `postgres://${hostname}${port === '' ? '' : `:${port}`}${pathname}`;
};

/** Texts stand in each trace: it leans on nothing that could be packed. */
export const createTraceUpkeep = (statements: Statements): TraceUpkeep => ({
  prune: (before, limit) =>
    statements.free(function* () {
      const sql = `DELETE FROM trace WHERE (tenant, id) IN (SELECT tenant, id FROM trace WHERE is_pinned = 0 AND started_at < ?
        ORDER BY started_at LIMIT ?) AND is_pinned = 0`;
      return yield* run(sql, before, limit);
    }),
  compact: async () => 0,
});

/** Documents that are not as they were written, told as sentences. */
export async function checkDocuments(client: PostgresClient): Promise<readonly string[]> {
  const faults: string[] = [];
  const sql = 'SELECT tenant, id FROM document WHERE (tenant, id) > ($1, $2) ORDER BY tenant, id LIMIT 500';
  for (let after: readonly [string, string] = ['', '']; ; ) {
    const some = await client.rows<{ readonly tenant: string; readonly id: string }>(sql, after);
    for (const { tenant, id } of some) {
      const { isSound } = createDocumentRepository(client, tenantScope(tenant, 'check'));
      if (!(await isSound(id))) faults.push(`Document ${id} of tenant ${tenant} is not as it was recorded.`);
    }
    const last = some.at(-1);
    if (!last) return faults;
    after = [last.tenant, last.id];
  }
}

const basisSql = `SELECT
  (SELECT documents_rev FROM tenant_state WHERE tenant = $1) AS documents,
  (SELECT string_agg(concat_ws(' ', name, type, authority), E'\\n' ORDER BY name) FROM source WHERE tenant = $1) AS sources,
  (SELECT string_agg(concat_ws(' ', space, state, seal), E'\\n' ORDER BY space) FROM embedding_model WHERE tenant = $1) AS models,
  (SELECT string_agg(concat_ws(' ', space, revision), E'\\n' ORDER BY space) FROM vector_space WHERE tenant = $1) AS vectors,
  (SELECT concat_ws(' ', count(*), max(created_at::text)) FROM feedback WHERE tenant = $1) AS feedback,
  EXISTS (SELECT 1 FROM archive_turn WHERE tenant = $1) AS archive,
  EXISTS (SELECT 1 FROM memory_owner WHERE tenant = $1 AND memories > 0) AS memories`;

export const createAnswerBasis =
  (client: PostgresClient, states: TenantStates, tenant: string) => async (): Promise<string> => {
    // A database that lost commits may count as far as it had before.
    await states.now(tenant);
    return JSON.stringify((await client.rows(basisSql, [tenant]))[0]);
  };
