// OpenAI's vector stores as stores of ours: one vector store for each tenant, one file for each document, searched by text. The vendor cuts
// and embeds by itself, so hits are passages that stand somewhere in our canonical text. Invariants: a handle is bound to one tenant and
// principal, and both stand in every query; what several handles of a tenant do to it is done one after the other.

import { setTimeout as sleep } from 'node:timers/promises';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { systemClock } from '../../core/ids.ts';
import { defaultTenant, type Scope } from '../../core/scope.ts';
import type { StoreHealth } from '../../core/store-query.ts';
import { defined } from '../../core/values/defined.ts';
import { abortError } from '../../core/waiting/until-aborted.ts';
import type { DocumentRepository } from '../../db/repositories/documents.ts';
import { openEgress } from '../../net/egress.ts';
import type { Inventory } from '../held.ts';
import type { HostedQuery } from '../hosted-search.ts';
import type { Store } from '../store.ts';
import { attributeNames, encodeText } from './attributes.ts';
import { createVectorStoreClient, type VectorStoreClient } from './client.ts';
import { createDelivering, type Delivering, mostInBatch } from './deliver.ts';
import { createFind } from './find.ts';
import { createInventory } from './inventory.ts';
import { createTenantPlace, type HeldFile, type TenantPlace, toHeld } from './tenant-place.ts';

export interface OpenaiStoresOptions {
  readonly apiKey: string;
  /** With its path. Default: the vendor's own. */
  readonly address?: string | undefined;
  /** The vector store of the default tenant; absent: found by its name, or made with the first document. Others have one by name. */
  readonly vectorStoreId?: string | undefined;
  /** What names of the vector stores that are made begin with. Default: footnote. */
  readonly prefix?: string | undefined;
  readonly callTimeoutMs?: number;
  /** How long a delivery waits until the vendor has indexed what it brought. Default 1 minute: less than the time of a whole call. */
  readonly indexTimeoutMs?: number;
  readonly pollMs?: number;
  readonly callsAtOnce?: number;
  readonly elapsedMs?: () => number;
  readonly wait?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export interface OpenaiStores {
  readonly name: string;
  /** `documents` are the record's, of the same scope. */
  store(scope: Scope, documents: Pick<DocumentRepository, 'list'>): Store;
  /** Takes away the vector store that was made for a tenant, and its files: for scratch places alone. */
  drop(tenant: string, signal?: AbortSignal): Promise<void>;
  /** Closes all connections. */
  close(): void;
}

const vendorAddress = 'https://api.openai.com/v1';
const storeName = 'openai';
/** Health tells of so many files; of more, how many there are. */
const mostCounted = 1000;

const pause = async (ms: number, signal?: AbortSignal): Promise<void> => {
  await sleep(ms, undefined, { ...(signal && { signal }) }).catch(() => undefined);
};

interface Tenant {
  readonly place: TenantPlace;
  readonly delivering: Delivering;
  readonly health: (signal?: AbortSignal) => Promise<StoreHealth>;
  readonly inventory: Inventory;
}

/** Throws `config-invalid` for an address that is none. Calls nothing. */
export function openOpenaiStores(options: OpenaiStoresOptions): OpenaiStores {
  const { apiKey, address = vendorAddress, callTimeoutMs, vectorStoreId, prefix } = options;
  const { indexTimeoutMs = 60_000, pollMs = 250, callsAtOnce = 48 } = options;
  const { elapsedMs = systemClock.elapsedMs, wait = pause } = options;
  const egress = openEgress({ addresses: [address] });
  const client = createVectorStoreClient(defined({ apiKey, address, fetch: egress.fetch, callTimeoutMs }));
  const tenants = new Map<string, Tenant>();

  function tenantOf(tenant: string): Tenant {
    const known = tenants.get(tenant);
    if (known) return known;
    const own = tenant === defaultTenant ? vectorStoreId : undefined;
    const place = createTenantPlace({ client, tenant, vectorStoreId: own, prefix, elapsedMs });
    const timing = { callsAtOnce, indexTimeoutMs, pollMs, elapsedMs, wait };
    const opened = {
      place,
      delivering: createDelivering({ client, place, tenant, ...timing }),
      health: createHealth({ client, place, tenant }),
      inventory: createInventory(place, tenant),
    };
    tenants.set(tenant, opened);
    return opened;
  }

  return {
    name: storeName,
    store(scope, documents) {
      const { place, delivering, health, inventory } = tenantOf(scope.tenant);
      const find = createFind({ name: storeName, scope, client, place, documents });
      return {
        name: storeName,
        capabilities: { lexical: false, vector: true, hybrid: false, vectors: 'own', counts: false, explain: false },
        search: orCancelled(find.search),
        hostedSearch: orCancelled(find.hostedSearch),
        hostedHits: (pieces, query, signal) =>
          orCancelled((asked: HostedQuery, until) => find.hostedHits(pieces, asked, until))(query, signal),
        upsert: delivering.upsert,
        delete: delivering.delete,
        // Each batch is waited for until it is indexed, and one follows the other: so they are large, and none waits within its time for another.
        batches: { documents: mostInBatch, atOnce: 1 },
        inventory,
        health,
        close: async () => undefined,
      };
    },
    drop: (tenant, signal) => tenantOf(tenant).place.drop(signal),
    close: egress.close,
  };
}

const orCancelled =
  <Query, Page>(ask: (query: Query, signal?: AbortSignal) => Promise<Page>) =>
  async (query: Query, signal?: AbortSignal): Promise<Page> => {
    if (signal?.aborted) throw abortError(signal);
    try {
      return await ask(query, signal);
    } catch (thrown) {
      throw signal?.aborted ? abortError(signal) : toFootnoteError(thrown);
    }
  };

/** Where this process delivers, it knows what stands there; else files are listed, again only where something changed. */
function createHealth({
  client,
  place,
  tenant,
}: {
  readonly client: VectorStoreClient;
  readonly place: TenantPlace;
  readonly tenant: string;
}): Tenant['health'] {
  let counted: { readonly key: string; readonly documents: number; readonly chunks: number } | undefined;

  async function look(signal?: AbortSignal): Promise<StoreHealth> {
    const storeId = await place.find(signal);
    const empty = { documents: 0, chunks: 0 };
    if (storeId === undefined)
      return {
        status: 'ok',
        detail: 'OpenAI has no vector store of ours yet: the first document makes one.',
        ...empty,
      };
    const { file_counts: files, usage_bytes: bytes, status } = await client.vectorStore(storeId, signal);
    if (status === 'expired')
      return { status: 'down', detail: `The vector store ${storeId} has expired at OpenAI.`, ...empty };
    const detail = `Vector store ${storeId}, ${bytes} bytes`;
    const known = [...(place.known()?.held.values() ?? [])].flatMap((held) => [...held.values()]);
    // What this process delivered is believed where the vendor counts as many.
    if (place.known() && known.length === files.total && files.in_progress === 0)
      return { status: 'ok', detail: `${detail}.`, ...countOf(known) };
    if (files.total > mostCounted)
      return {
        status: 'ok',
        detail: `${detail}; chunks are not counted above ${mostCounted} files, unless this process delivered them.`,
        documents: files.completed,
        chunks: 0,
      };
    const key = JSON.stringify([storeId, files, bytes]);
    if (counted?.key !== key || files.in_progress > 0) {
      const held = (await client.attachedFiles(storeId, signal)).map(toHeld);
      counted = {
        key,
        ...countOf(held.filter(({ attributes }) => attributes[attributeNames.tenant] === encodeText(tenant))),
      };
    }
    const { documents, chunks } = counted;
    return { status: 'ok', detail: `${detail}.`, documents, chunks };
  }

  return async (signal) => {
    if (signal?.aborted) throw abortError(signal);
    try {
      return await look(signal);
    } catch (thrown) {
      if (signal?.aborted) throw abortError(signal);
      const error = place.gone(thrown);
      const { message } = error instanceof FootnoteError ? error : toFootnoteError(error);
      return { status: 'down', detail: message, documents: 0, chunks: 0 };
    }
  };
}

/** Documents that can be found, and our chunks of them. */
function countOf(files: readonly HeldFile[]): { readonly documents: number; readonly chunks: number } {
  const chunks = new Map<string, number>();
  for (const { status, attributes } of files) {
    const documentId = attributes[attributeNames.documentId];
    if (status === 'completed' && typeof documentId === 'string')
      chunks.set(documentId, Number(attributes[attributeNames.chunks] ?? 0));
  }
  return { documents: chunks.size, chunks: [...chunks.values()].reduce((sum, one) => sum + one, 0) };
}
