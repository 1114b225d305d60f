// Azure AI Search as a store: an index for each tenant, made and brought up to date with its first use; searched by words (BM25 over terms of
// this program), by given vectors, by both, and ranked by the service where that is configured. Handles of one opening share what
// was learnt of the indexes. Invariant: what is known of an index that went away is forgotten with the first call that misses it.

import { FootnoteError, isFootnoteError, toFootnoteError } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import type { Degradation } from '../../core/search.ts';
import { abortError, untilAborted } from '../../core/waiting/until-aborted.ts';
import { guessLanguage } from '../../text/language/language.ts';
import { type GivenVectors, givenBy, type VectorsSetting } from '../check-query.ts';
import { hashOfRows, heldByRows } from '../inventory.ts';
import type { Store, StoreHealth } from '../store.ts';
import { type AzureIndex, openConnection } from './connection.ts';
import { indexNameOf, wantedIndex } from './definition.ts';
import { deleteFrom, listedOf, type PendingMarkers, upsertInto } from './deliver.ts';
import { failed } from './errors.ts';
import { literal } from './odata.ts';
import { rowsOf } from './rows.ts';
import { checkQuery, searchIn } from './search.ts';

export interface AzureStoreOptions {
  /** `https://<service>.search.windows.net` */
  readonly endpoint: string;
  /** Absent: Entra ID. */
  readonly apiKey?: string;
  /** Of the default tenant; those of others begin with it. */
  readonly index?: string;
  /** Of the fixed embedding model whose vectors come with documents and queries; absent: the store is searched by words alone. */
  readonly vectors?: VectorsSetting;
  /** Whether mode hybrid is ordered by the service's semantic ranker, which costs. */
  readonly semantic?: boolean;
  readonly callTimeoutMs?: number;
  /** How long the index may take to show what it took. */
  readonly settleMs?: number;
  readonly pollMs?: number;
}

export interface AzureStores {
  store(scope: Scope): Store;
  /** Takes the index of a tenant away: for scratch places alone. */
  drop(tenant: string, signal?: AbortSignal): Promise<void>;
  close(): void;
}

const changesTried = 3;
/** How long the languages of an index are taken as known: other programs may write too. */
const languagesForMs = 300_000;

interface Writing {
  readonly tenant: string;
  readonly vectors: GivenVectors | undefined;
  readonly signal: AbortSignal | undefined;
}

interface TenantIndex {
  readonly index: AzureIndex;
  /** True: it was made just now. Undefined while nothing is known. */
  ready: Promise<boolean> | undefined;
  /** The model that it was made ready for; undefined: for none. */
  readyFor: string | undefined;
  readonly markers: PendingMarkers;
  readonly languages: Set<string>;
  languagesAt: number | undefined;
}

export function openAzureStores(options: AzureStoreOptions): AzureStores {
  const { endpoint, apiKey, index: base = 'footnote', semantic = false } = options;
  const { callTimeoutMs = 10_000, settleMs = 30_000, pollMs = 100 } = options;
  const vectorsGiven = givenBy(options.vectors);
  /** As far as it is known, the index is made ready for it at once, whatever is asked first. */
  let known = typeof options.vectors === 'object' ? options.vectors : undefined;
  const given = vectorsGiven && (async () => (known = await vectorsGiven()));
  const connection = openConnection({ endpoint, callTimeoutMs, ...(apiKey !== undefined && { apiKey }) });
  const tenants = new Map<string, TenantIndex>();

  function tenantIndex(tenant: string): TenantIndex {
    const present = tenants.get(tenant);
    if (present) return present;
    const index = connection.index(indexNameOf(base, tenant));
    const made: TenantIndex = {
      index,
      ready: undefined,
      readyFor: undefined,
      markers: new Map(),
      languages: new Set(),
      languagesAt: undefined,
    };
    tenants.set(tenant, made);
    return made;
  }

  async function prepare(name: string, index: AzureIndex, vectors: GivenVectors | undefined): Promise<boolean> {
    for (let tried = 0; tried < changesTried; tried += 1) {
      const present = await index.read();
      const wanted = wantedIndex({ name, semantic, ...(vectors && { vectors }) }, present);
      if (wanted === undefined) return false;
      if (await index.write(wanted)) return present === undefined;
    }
    throw failed('upstream-unavailable', 'is having its index changed by somebody else. Try again later.');
  }

  /** Waits until the index serves us, also with these vectors; true if it was made for this. */
  async function ready(
    tenant: string,
    vectors: GivenVectors | undefined,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const one = tenantIndex(tenant);
    const isFirst = one.ready === undefined || (vectors !== undefined && one.readyFor !== vectors.space);
    const present = isFirst ? undefined : one.ready;
    const preparing = present ?? prepare(indexNameOf(base, tenant), one.index, vectors);
    one.ready = preparing;
    if (isFirst) one.readyFor = vectors?.space;
    try {
      const made = await (signal ? untilAborted(preparing, signal) : preparing);
      return isFirst && made;
    } catch (thrown) {
      // What failed, or was too slow for whoever waited, is begun anew by the next call.
      preparing.catch(() => undefined);
      if (one.ready === preparing) one.ready = undefined;
      throw thrown;
    }
  }

  function forgetMissing(tenant: string, thrown: unknown): boolean {
    const isMissing = isFootnoteError(thrown) && thrown.details['missing'] === 'index';
    if (isMissing) tenants.delete(tenant);
    return isMissing;
  }

  /** Writes begin again, once, where the index went away under them. */
  async function writing<T>({ tenant, vectors, signal }: Writing, work: (one: TenantIndex) => Promise<T>): Promise<T> {
    await ready(tenant, vectors, signal);
    try {
      return await work(tenantIndex(tenant));
    } catch (thrown) {
      if (!forgetMissing(tenant, thrown)) throw thrown;
    }
    await ready(tenant, vectors, signal);
    return work(tenantIndex(tenant));
  }

  async function languagesOf(tenant: string, signal: AbortSignal | undefined): Promise<readonly string[]> {
    const one = tenantIndex(tenant);
    if (one.languagesAt === undefined || performance.now() - one.languagesAt > languagesForMs) {
      const filter = `tenant eq ${literal(tenant)}`;
      const { facets } = await one.index.search(
        { text: '*', filter, facets: ['termsLanguage,count:50'], top: 0 },
        signal,
      );
      for (const { value } of facets['termsLanguage'] ?? []) if (typeof value === 'string') one.languages.add(value);
      one.languagesAt = performance.now();
    }
    return [...one.languages];
  }

  function store(scope: Scope): Store {
    const { tenant } = scope;
    const delivery = { tenant, settleMs, pollMs };
    return {
      name: 'azure',
      capabilities: {
        lexical: true,
        vector: given !== undefined,
        hybrid: given !== undefined,
        vectors: given === undefined ? 'none' : 'given',
        counts: true,
        explain: false,
      },

      async search(query, signal) {
        if (signal?.aborted) throw abortError(signal);
        const isNear = query.mode === 'vector' || (query.mode === 'hybrid' && query.vector !== undefined);
        const vectors = isNear ? await given?.() : known;
        checkQuery(query, { isGiven: given !== undefined, vectors });
        try {
          const isNew = await ready(tenant, vectors, signal);
          const languages = query.mode === 'vector' ? [] : await languagesOf(tenant, signal);
          const { index } = tenantIndex(tenant);
          const page = await searchIn({ scope, index, languages, vectors, semantic }, query, signal);
          return isNew ? { ...page, degraded: [...page.degraded, newIndex] } : page;
        } catch (thrown) {
          forgetMissing(tenant, thrown);
          throw toFootnoteError(thrown);
        }
      },

      async upsert(batch, signal) {
        if (signal?.aborted) throw abortError(signal);
        const vectors = await given?.();
        return writing({ tenant, vectors, signal }, async ({ index, markers, languages }) => {
          const outcomes = await upsertInto(index, batch, { ...delivery, markers, vectors, signal });
          for (const { document, chunks } of batch)
            for (const language of document.language === undefined
              ? new Set(chunks.map(({ text }) => guessLanguage(text)))
              : [document.language])
              languages.add(language);
          return outcomes;
        });
      },

      async delete(batch, signal) {
        if (signal?.aborted) throw abortError(signal);
        return writing({ tenant, vectors: known, signal }, ({ index, markers }) =>
          deleteFrom(index, batch, { ...delivery, markers, signal }),
        );
      },

      inventory: {
        async held(signal) {
          if (signal?.aborted) throw abortError(signal);
          return writing({ tenant, vectors: known, signal }, async ({ index }) =>
            heldByRows(await listedOf(index, tenant, signal)),
          );
        },
        hashOf: async (document) => hashOfRows(rowsOf(document, { tenant, vectors: await given?.() })),
      },

      async health(signal) {
        if (signal?.aborted) throw abortError(signal);
        try {
          await ready(tenant, known, signal);
          return await healthOf(tenantIndex(tenant).index, tenant, signal);
        } catch (thrown) {
          forgetMissing(tenant, thrown);
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
    async drop(tenant, signal) {
      const { index, ready: preparing } = tenantIndex(tenant);
      // One that is being made would be there afterwards.
      await preparing?.catch(() => undefined);
      await index.drop(signal);
      tenants.delete(tenant);
    },
    close: connection.close,
  };
}

const newIndex: Degradation = {
  component: 'store.azure',
  code: 'index-new',
  detail: 'The index was not there and has been created.',
  effect: 'Nothing is found in it until documents are delivered.',
};

async function healthOf(index: AzureIndex, tenant: string, signal: AbortSignal | undefined): Promise<StoreHealth> {
  const count = async (condition: string): Promise<number> => {
    const filter = `(tenant eq ${literal(tenant)}) and ${condition}`;
    const found = await index.search({ text: '*', filter, top: 0, count: true }, signal);
    if (found.count === undefined) throw new FootnoteError('upstream-invalid', 'Azure AI Search told no count.');
    return found.count;
  };
  // Every document has one first chunk.
  const [chunks, documents] = await Promise.all([count('ordinal ge 0'), count('ordinal eq 0')]);
  return { status: 'ok', detail: 'Azure AI Search answers', documents, chunks };
}
