// The stores beside the record that the configuration names, each loaded only where it is configured. Invariants: a key that serves models
// too sends no document anywhere by itself; and no document about Footnote that comes with it is sent to anybody.
import type { Config } from '../config.ts';
import { FootnoteError } from '../core/errors.ts';
import type { Scope } from '../core/scope.ts';
import type { DocumentRepository } from '../db/repositories/documents.ts';
import { openaiAddressOf } from '../models/language/openai-address.ts';
import type { VectorsSetting } from '../stores/check-query.ts';
import type { Store } from '../stores/store.ts';
import type { ConfiguredStore } from './configured-stores.ts';
import { bundledSource } from './record/bundled.ts';

export interface HostedStore extends ConfiguredStore {
  /** Takes away all that stands there for a tenant, the index itself too: for scratch places alone. */
  drop(tenant: string, signal?: AbortSignal): Promise<void>;
  /** Closes all connections. */
  close(): void;
}

type StoreConfig = Pick<Config, 'stores' | 'language' | 'secret'>;
/** Of the record, for the scope that asks; called no sooner than a handle is used. */
type DocumentsOf = (scope: Scope) => Pick<DocumentRepository, 'list'>;

/** Throws `config-invalid` where a store is named and its key is not there. Calls nothing. */
export async function openStores(
  config: StoreConfig,
  documentsOf: DocumentsOf,
  vectors?: VectorsSetting,
): Promise<readonly HostedStore[]> {
  const opened = [
    await openOpenai(config, documentsOf),
    await openAzure(config, vectors),
    await openPostgres(config, vectors),
    await openFirestore(config, vectors),
  ];
  return opened.filter((one) => one !== undefined);
}

async function openOpenai(
  { stores, language, secret }: StoreConfig,
  documentsOf: DocumentsOf,
): Promise<HostedStore | undefined> {
  const { vectorStoreId, prefix } = stores.openai;
  if (vectorStoreId === undefined && stores.vector !== 'openai') return undefined;
  const apiKey = secret('OPENAI_API_KEY');
  if (apiKey === undefined)
    throw new FootnoteError(
      'config-invalid',
      `${vectorStoreId === undefined ? 'VECTOR_STORE is openai' : 'OPENAI_VECTOR_STORE_ID is set'}, and OPENAI_API_KEY is not. Set it too, or take the other away.`,
    );
  const { openaiBaseUrl } = language;
  const address = openaiBaseUrl === undefined ? undefined : (openaiAddressOf(openaiBaseUrl) ?? openaiBaseUrl);
  const { openOpenaiStores } = await import('../stores/openai/openai-stores.ts');
  const { name, store, drop, close } = openOpenaiStores({ apiKey, address, vectorStoreId, prefix });
  return {
    name,
    asked: { kind: 'vector', modes: ['vector', 'hybrid'] },
    open: (scope) => withoutBundled(store(scope, documentsOf(scope))),
    drop,
    close,
  };
}

/** Without vectors of a fixed model it is searched by words, beside the store inside the record, which is told. */
async function openAzure(
  { stores, secret }: StoreConfig,
  vectors: VectorsSetting | undefined,
): Promise<HostedStore | undefined> {
  if (!stores.azure) return undefined;
  const apiKey = secret('AZURE_SEARCH_API_KEY');
  const { openAzureStores } = await import('../stores/azure/azure-store.ts');
  const { store, drop, close } = openAzureStores({
    ...stores.azure,
    ...(apiKey !== undefined && { apiKey }),
    ...(vectors && { vectors }),
  });
  return {
    name: 'azure',
    asked: { kind: 'hybrid', modes: ['vector', 'hybrid'] },
    open: (scope) => withoutBundled(store(scope)),
    drop,
    close,
  };
}

/** Without vectors of a fixed model it is searched by words, beside the store inside the record, which is told. */
async function openPostgres(
  { stores, secret }: StoreConfig,
  vectors: VectorsSetting | undefined,
): Promise<HostedStore | undefined> {
  const { schema } = stores.postgres;
  const address = secret('DATABASE_URL');
  if (address === undefined && schema === undefined && stores.vector !== 'postgres') return undefined;
  if (address === undefined)
    throw new FootnoteError(
      'config-invalid',
      `${schema === undefined ? 'VECTOR_STORE is postgres' : 'DATABASE_SCHEMA is set'}, and DATABASE_URL is not. Set it too, or take the other away.`,
    );
  const { openPostgresStores } = await import('../stores/postgres/postgres-store.ts');
  const { store, drop, close } = openPostgresStores({
    address,
    ...(schema !== undefined && { schema }),
    ...(vectors && { vectors }),
  });
  return {
    name: 'postgres',
    asked: { kind: 'hybrid', modes: ['vector', 'hybrid'] },
    open: (scope) => withoutBundled(store(scope)),
    drop,
    close,
  };
}

/** Without vectors of a fixed model it is a copy that nothing can be found in, which is told. */
async function openFirestore(
  { stores }: StoreConfig,
  vectors: VectorsSetting | undefined,
): Promise<HostedStore | undefined> {
  if (!stores.firestore) return undefined;
  const { openFirestoreStores } = await import('../stores/firestore/firestore-store.ts');
  const { store, drop, close } = openFirestoreStores({ ...stores.firestore, ...(vectors && { vectors }) });
  return {
    name: 'firestore',
    asked: { kind: 'vector', modes: ['vector', 'hybrid'] },
    open: (scope) => withoutBundled(store(scope)),
    drop,
    close,
  };
}

/** What comes with Footnote counts as taken, and stays here. */
const withoutBundled = (store: Store): Store => ({
  ...store,
  async upsert(batch, signal) {
    const own = batch.filter(({ document }) => document.source !== bundledSource);
    const outcomes = new Map((await store.upsert(own, signal)).map((one) => [one.documentId, one]));
    return batch.map(({ document: { id } }) => outcomes.get(id) ?? { documentId: id });
  },
  ...(store.inventory && {
    inventory: {
      held: store.inventory.held,
      hashOf: async (one) => (one.document.source === bundledSource ? undefined : store.inventory?.hashOf(one)),
    },
  }),
});
