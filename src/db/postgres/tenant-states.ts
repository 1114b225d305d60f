// How a tenant stands, asked once for all who want to know it in the same turn, and what was read of its corpus, as long as its revision is the same:
// every commit of the corpus takes another one. Invariant: nothing is told that is older than the question.
import { createRecent } from '../../core/values/recent.ts';
import { nextTurn } from '../../core/waiting/pieces.ts';
import type { IndexState } from '../repositories/index-log.ts';
import type { ActiveModel } from '../repositories/vectors.ts';
import type { Connection, PostgresClient } from './client/client.ts';
import type { SpaceRow } from './vectors.ts';

export type TenantState = IndexState & {
  /** Counts changes to what documents say about themselves. */
  readonly documents: number;
  readonly hasDocuments: boolean;
  /** Of vectors, by name. */
  readonly spaces: Readonly<Record<string, SpaceRow>> | null;
  /** The embedding model that searches use. */
  readonly active: ActiveModel | null;
};

const sql = `SELECT index_version AS version, t.revision, purged, next_row AS "nextRow", rebuild_after AS "rebuildAfter",
  documents_rev AS documents, EXISTS (SELECT 1 FROM document WHERE tenant = $1) AS "hasDocuments",
  (SELECT json_object_agg(v.space, json_build_object('born', v.born, 'dimensions', v.dimensions, 'metric', v.metric, 'revision', v.revision))
   FROM vector_space AS v WHERE v.tenant = $1) AS spaces,
  (SELECT json_build_object('space', m.space, 'seal', m.seal) FROM embedding_model AS m WHERE m.tenant = $1 AND m.state = 'active') AS active
  FROM tenant_state AS t WHERE t.tenant = $1`;

/** Undefined where nothing of the tenant was ever committed. */
export const readState = async (
  connection: Pick<Connection, 'rows'>,
  tenant: string,
): Promise<TenantState | undefined> => (await connection.rows<TenantState>(sql, [tenant]))[0];

export interface TenantStates {
  now(tenant: string): Promise<TenantState | undefined>;
  /** As it was told last; asked where nobody did yet. Every search asks before. */
  lately(tenant: string): Promise<TenantState | undefined>;
  /** The greatest revision of the corpus that was told to anybody here; -1: none. */
  seen(tenant: string): number;
  /** Of a commit of this process. */
  tell(tenant: string, revision: number): void;
  /** What `read` gives of the corpus of a tenant: as it was read before, where nothing was committed since. `of` names it, and whoever may see it. */
  ofCorpus<T>(tenant: string, of: string, read: () => Promise<T>): Promise<T>;
}

/** Of all tenants together. */
const mostKept = 500;

export function createTenantStates(client: PostgresClient): TenantStates {
  const asked = new Map<string, Promise<TenantState | undefined>>();
  const told = new Map<string, { readonly at: number; readonly state: TenantState | undefined }>();
  let asks = 0;
  const greatest = new Map<string, number>();
  const kept = createRecent<string, { readonly revision: number; readonly value: unknown }>(mostKept);

  const tell = (tenant: string, revision: number): void =>
    void greatest.set(tenant, Math.max(greatest.get(tenant) ?? -1, revision));

  function now(tenant: string): Promise<TenantState | undefined> {
    const present = asked.get(tenant);
    if (present) return present;
    const begun = nextTurn().then(async () => {
      asked.delete(tenant);
      const at = ++asks;
      const state = await readState(client, tenant);
      if ((told.get(tenant)?.at ?? 0) < at) told.set(tenant, { at, state });
      if (state) tell(tenant, state.revision);
      return state;
    });
    asked.set(tenant, begun);
    return begun;
  }

  return {
    now,
    async lately(tenant) {
      const last = told.get(tenant);
      return last ? last.state : now(tenant);
    },
    tell,
    seen: (tenant) => greatest.get(tenant) ?? -1,
    async ofCorpus<T>(tenant: string, of: string, read: () => Promise<T>) {
      const revision = (await now(tenant))?.revision ?? 0;
      const key = JSON.stringify([tenant, of]);
      const known = kept.get(key);
      if (known?.revision === revision) return known.value as T;
      const value = await read();
      kept.set(key, { revision, value });
      return value;
    },
  };
}
