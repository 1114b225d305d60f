// How a tenant stands, asked once for all who want to know it in the same turn, and what was read of its corpus, as long as its revision is the same:
// every commit of the corpus takes another one. Invariants: nothing is told that is older than the question, and nothing of a database that has lost a
// commit which was told before, as one may that took over from another: what is held in memory would not be of it.
import { createRecent } from '../../core/values/recent.ts';
import { nextTurn } from '../../core/waiting/pieces.ts';
import type { IndexState } from '../repositories/index-log.ts';
import type { ActiveModel } from '../repositories/vectors.ts';
import type { Connection, PostgresClient } from './client/client.ts';
import { type HeldState, isKnownSql, lockTenant } from './tenant-lock.ts';
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
  , t.epoch, ${isKnownSql} AS "isKnown"
  FROM tenant_state AS t WHERE t.tenant = $1`;

/** A commit of a tenant: the last of which something is known here. */
interface KnownCommit {
  readonly revision: number;
  readonly epoch: string;
  /** When it was asked for, in the order of the questions. */
  readonly at: number;
}

export interface TenantStates {
  now(tenant: string): Promise<TenantState | undefined>;
  /**
   * As `now`, of the moment of a connection, which begins after this was called: a commit that is heard of later may not be seen by it. Undefined where
   * nothing of the tenant was ever committed.
   */
  read(tenant: string): (connection: Pick<Connection, 'rows'>) => Promise<TenantState | undefined>;
  /** As `lockTenant`. Throws as `read` does. */
  lock(connection: Connection, tenant: string): Promise<HeldState>;
  /** As it was told last; asked where nobody did yet. Every search asks before. */
  lately(tenant: string): Promise<TenantState | undefined>;
  /** The greatest revision of the corpus that was told to anybody here; -1: none. */
  seen(tenant: string): number;
  /** Of a commit of this process. */
  tell(tenant: string, commit: Omit<KnownCommit, 'at'>): void;
  /** What `read` gives of the corpus of a tenant: as it was read before, where nothing was committed since. `of` names it, and whoever may see it. */
  ofCorpus<T>(tenant: string, of: string, read: () => Promise<T>): Promise<T>;
}

/** Of all tenants together. */
const mostKept = 500;
/** Commits can be looked up for an hour. */
const askedEveryMs = 600_000;

/** `behind`: called where the database has lost a commit; its error is thrown, now and whenever the tenant is asked for again. */
export function createTenantStates(client: PostgresClient, behind: () => Error): TenantStates & { close(): void } {
  const asked = new Map<string, Promise<TenantState | undefined>>();
  const told = new Map<string, { readonly at: number; readonly state: TenantState | undefined }>();
  let asks = 0;
  const commits = new Map<string, KnownCommit>();
  const kept = createRecent<string, { readonly revision: number; readonly value: unknown }>(mostKept);

  function know(tenant: string, commit: KnownCommit): void {
    const { revision, at } = commits.get(tenant) ?? { revision: -1, at: 0 };
    if (commit.revision > revision || (commit.revision === revision && commit.at > at)) commits.set(tenant, commit);
  }

  const read: TenantStates['read'] = (tenant) => {
    const at = ++asks;
    const { epoch: last = null, revision: seen = 0 } = commits.get(tenant) ?? {};
    return async (connection) => {
      type Row = TenantState & { readonly epoch: string; readonly isKnown: boolean | null };
      const [row] = await connection.rows<Row>(sql, [tenant, last]);
      if (seen > 0 && row?.isKnown !== true) throw behind();
      if (!row) return undefined;
      const { epoch, isKnown: _, ...state } = row;
      know(tenant, { revision: state.revision, epoch, at });
      return state;
    };
  };
  const timer = setInterval(() => {
    for (const tenant of commits.keys()) void now(tenant).catch(() => undefined);
  }, askedEveryMs).unref();

  function now(tenant: string): Promise<TenantState | undefined> {
    const present = asked.get(tenant);
    if (present) return present;
    const begun = nextTurn().then(async () => {
      asked.delete(tenant);
      const at = asks + 1;
      const state = await read(tenant)(client);
      if ((told.get(tenant)?.at ?? 0) < at) told.set(tenant, { at, state });
      return state;
    });
    asked.set(tenant, begun);
    return begun;
  }

  return {
    now,
    read,
    async lock(connection, tenant) {
      const { epoch, revision = 0 } = commits.get(tenant) ?? {};
      const state = await lockTenant(connection, tenant, epoch);
      if (revision > 0 && state.isKnown !== true) throw behind();
      return state;
    },
    async lately(tenant) {
      const last = told.get(tenant);
      return last ? last.state : now(tenant);
    },
    tell: (tenant, commit) => know(tenant, { ...commit, at: ++asks }),
    seen: (tenant) => commits.get(tenant)?.revision ?? -1,
    close: () => clearInterval(timer),
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
