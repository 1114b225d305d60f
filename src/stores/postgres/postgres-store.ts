// PostgreSQL as a store beside the record: a copy of the words and vectors of chunks in a schema of its own, searched by BM25 over this program's own terms, by given
// vectors where pgvector is there, or by both. Handles of one opening share its connections and what was learnt of the server. Invariant: tenant and
// access stand in every statement; tables that went away are made again by the first call that misses them.
import { type FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { isOutage } from '../../core/outages.ts';
import type { Scope } from '../../core/scope.ts';
import type { Degradation } from '../../core/search.ts';
import { inPieces } from '../../core/waiting/pieces.ts';
import { abortError, untilAborted } from '../../core/waiting/until-aborted.ts';
import { createPostgresClient } from '../../db/postgres/client/client.ts';
import { type GivenVectors, givenBy, type VectorsSetting } from '../check-query.ts';
import type { StoreOutcome } from '../delivered.ts';
import type { Store, StoreHealth } from '../store.ts';
import { dropTenant } from './drop.ts';
import { failed, isMissing, toStoreError } from './errors.ts';
import { createIndexing } from './indexing.ts';
import { heldIn, sizesIn } from './inventory.ts';
import { hashOf, type PreparedDocument, prepareDocument } from './rows.ts';
import { checkQuery, searchIn } from './search.ts';
import { tenantIn } from './seeing.ts';
import { countBare, forgetSpaces, toldOfBare } from './spaces.ts';
import { makeReady, type Readiness, tablesOf, type VectorTypes } from './tables.ts';
import { replaceIn } from './write.ts';

export interface PostgresStoreOptions {
  /** `postgres://USER:PASSWORD@HOST:5432/DATABASE`, which is a secret. */
  readonly address: string;
  /** Made where it is missing. */
  readonly schema?: string;
  /** Of the fixed embedding model whose vectors come with documents and queries; absent: the store is searched by words alone. */
  readonly vectors?: VectorsSetting;
  /** How long a statement may take. */
  readonly answerMs?: number;
  /** So many chunks of a tenant are compared with a vector one by one, which is exact and takes some 20 ms; more get an index of neighbours. */
  readonly exactRows?: number;
}

export interface PostgresStores {
  store(scope: Scope): Store;
  /** Resolves when no index of neighbours is being made any more, whether or not that went well; `health` tells. */
  indexed(): Promise<void>;
  /** Takes away all that stands there of a tenant, and with the last tenant the tables: for scratch places alone. */
  drop(tenant: string, signal?: AbortSignal): Promise<void>;
  close(): void;
}

/** Chunks of one transaction; a document is never parted. */
const mostChunks = 2000;

export function openPostgresStores(options: PostgresStoreOptions): PostgresStores {
  const { address, schema = 'footnote_store', answerMs, exactRows = 20_000 } = options;
  const given = givenBy(options.vectors);
  const tables = tablesOf(schema);
  const client = createPostgresClient(address, {
    setting: 'DATABASE_URL',
    // Compiling a statement takes longer than any of these runs.
    settings: '; SET LOCAL jit = off',
    toError: toStoreError,
    ...(answerMs !== undefined && { answerMs }),
  });
  let preparing: Promise<Readiness> | undefined;
  let known: Readiness | undefined;
  let isClosed = false;
  const indexing = createIndexing(client, tables);

  async function prepare(makesVectors: boolean): Promise<Readiness> {
    const found = await makeReady(client, tables, { makesVectors });
    await forgetSpaces(client, tables);
    return found;
  }

  /** What failed, or was too slow for whoever waited, is begun anew by the next call. */
  async function ready(signal: AbortSignal | undefined, isAnew = false): Promise<Readiness> {
    const isFirst = preparing === undefined || isAnew;
    const makesVectors = given !== undefined && (known === undefined || !isAnew);
    const work = isFirst ? prepare(makesVectors) : preparing;
    preparing = work;
    try {
      const found = await (signal && work ? untilAborted(work, signal) : work);
      known = found as Readiness;
      return isFirst ? known : { ...known, isNew: false };
    } catch (thrown) {
      work?.catch(() => undefined);
      if (preparing === work) preparing = undefined;
      throw thrown;
    }
  }

  /** Begins again, once, where the tables went away under it. */
  async function within<T>(signal: AbortSignal | undefined, work: (found: Readiness) => Promise<T>): Promise<T> {
    if (signal?.aborted) throw abortError(signal);
    const found = await ready(signal);
    try {
      return await work(found);
    } catch (thrown) {
      if (!isMissing(thrown)) throw thrown;
    }
    return work(await ready(signal, true));
  }

  const typesOf = ({ vectors }: Readiness): VectorTypes | undefined =>
    typeof vectors === 'string' ? undefined : vectors;

  /** `vectors`: where they go to; `kept`: what becomes of those that are given. */
  async function keptBy(found: Readiness) {
    const asked = await given?.();
    const vectors = typesOf(found) && asked;
    return { vectors, kept: asked && (vectors ?? ('bare' as const)) };
  }

  function store(scope: Scope): Store {
    const { tenant } = scope;

    async function replaced(
      { put, gone }: { readonly put: readonly PreparedDocument[]; readonly gone: readonly string[] },
      { vectors, signal }: { readonly vectors: GivenVectors | undefined; readonly signal: AbortSignal | undefined },
    ): Promise<void> {
      await within(signal, async (found) => {
        const types = typesOf(found);
        if (vectors && !types) throw failed('upstream-unavailable', 'lost its extension pgvector. Try again.');
        const own = vectors && types && { given: vectors, types };
        const held = await client.write(
          (connection) => replaceIn(connection, tables, { tenant, put, gone, own }),
          // Done again it changes nothing that was done.
          { signal, isDone: async () => false },
        );
        if (own && put.length > 0 && held.chunks > exactRows) indexing.begin({ ...own, tenant: held.tenant });
      });
    }

    return {
      name: 'postgres',
      batches: { documents: 200, atOnce: 1 },
      get capabilities() {
        const isNear = given !== undefined && (known === undefined || typesOf(known) !== undefined);
        const vectors = isNear ? 'given' : 'none';
        return { lexical: true, vector: isNear, hybrid: isNear, vectors, counts: true, explain: false } as const;
      },

      async search(query, signal) {
        return within(signal, async (found) => {
          const own = query.mode === 'lexical' ? undefined : await given?.();
          const types = typesOf(found);
          const context = {
            ...{ tables, scope, given: own, vectors: found.vectors, exactRows },
            // What failed is tried again behind a delivery, not with each search.
            ...(own &&
              types && {
                unindexed: (number: number) =>
                  indexing.failure(number) ?? indexing.begin({ given: own, types, tenant: number }),
              }),
          };
          checkQuery(query, context);
          const page = await client.read((connection) => searchIn(connection, context, query), signal);
          return found.isNew ? { ...page, degraded: [...page.degraded, newTables] } : page;
        });
      },

      async upsert(batch, signal) {
        if (signal?.aborted) throw abortError(signal);
        if (batch.length === 0) return [];
        const found = await ready(signal);
        const { vectors, kept } = await keptBy(found);
        const errors = new Map<string, FootnoteError>();
        const prepared = new Map<string, PreparedDocument>();
        const pause = inPieces();
        for (const one of batch)
          try {
            prepared.set(one.document.id, prepareDocument(one, kept));
            await pause();
          } catch (thrown) {
            errors.set(one.document.id, toFootnoteError(thrown));
          }
        const slices = slicesOf([...prepared.values()]);
        for (const [at, put] of slices.entries())
          try {
            await replaced({ put, gone: [] }, { vectors, signal });
          } catch (thrown) {
            const error = toFootnoteError(thrown);
            // No room, no rights: that concerns the store, and no document is given up for it.
            if (at === 0 || error.code === 'cancelled' || isOutage(error)) throw error;
            for (const { id } of slices.slice(at).flat()) errors.set(id, error);
            break;
          }
        return batch.map(({ document: { id } }): StoreOutcome => {
          const error = errors.get(id);
          return error ? { documentId: id, error } : { documentId: id };
        });
      },

      async delete(batch, signal) {
        const gone = [...new Set(batch.map(({ documentId }) => documentId))];
        const sizes = await within(signal, () =>
          client.read((to) => sizesIn(to, tables, { tenant, ids: gone }), signal),
        );
        const ofSize = gone.map((id) => ({ id, chunks: { length: sizes.get(id) ?? 0 } }));
        for (const slice of slicesOf(ofSize))
          await replaced({ put: [], gone: slice.map(({ id }) => id) }, { vectors: undefined, signal });
        return batch.map(({ documentId }) => ({ documentId }));
      },

      inventory: {
        held: (signal) =>
          within(signal, () =>
            client.read(async (connection) => {
              const found = await tenantIn(connection, tables, tenant);
              return found ? heldIn(connection, tables, found.number) : [];
            }, signal),
          ),
        async hashOf(document) {
          return hashOf(prepareDocument(document, (await keptBy(await ready(undefined))).kept));
        },
      },

      async health(signal): Promise<StoreHealth> {
        if (signal?.aborted) throw abortError(signal);
        try {
          // Whoever looks wants to know how it is now: an extension may have come.
          const { server, vectors } = await ready(signal, true);
          const { documents, chunks, bare, number } = await client.read(async (connection) => {
            const seen = await tenantIn(connection, tables, tenant);
            if (!seen) return { documents: 0, chunks: 0, bare: 0, number: -1 };
            return { ...seen, bare: given ? await countBare(connection, tables, seen.number) : 0 };
          }, signal);
          const lacking = [
            given !== undefined && typeof vectors === 'string' && vectors,
            bare > 0 && toldOfBare(bare),
            indexing.failure(number) ?? false,
          ].filter((part) => part !== false);
          const lacks = lacking.length === 0 ? undefined : lacking.join(' ');
          const detail = `PostgreSQL ${server} answers${lacks === undefined ? '' : `. ${lacks}`}`;
          return { status: lacks === undefined ? 'ok' : 'degraded', detail, documents, chunks };
        } catch (thrown) {
          const error = toFootnoteError(thrown);
          if (signal?.aborted) throw error;
          return { status: 'down', detail: error.message, documents: 0, chunks: 0 };
        }
      },

      close: async () => undefined,
    };
  }

  return {
    store,
    indexed: indexing.ended,
    async drop(tenant, signal) {
      await indexing.ended();
      await client.write((connection) => dropTenant(connection, tables, tenant), { signal, isDone: async () => false });
      preparing = undefined;
    },
    close() {
      if (!isClosed) void client.close();
      isClosed = true;
    },
  };
}

const newTables: Degradation = {
  component: 'store.postgres',
  code: 'index-new',
  detail: 'The tables of the store were not there and have been created.',
  effect: 'Nothing is found in it until documents are delivered.',
};

function slicesOf<T extends { readonly chunks: { readonly length: number } }>(
  documents: readonly T[],
): readonly (readonly T[])[] {
  const slices: T[][] = [];
  let chunks = 0;
  for (const document of documents) {
    const last = slices.at(-1);
    if (last && chunks + document.chunks.length <= mostChunks) last.push(document);
    else {
      slices.push([document]);
      chunks = 0;
    }
    chunks += document.chunks.length;
  }
  return slices;
}
