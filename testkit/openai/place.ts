// OpenAI's stand-in, our adapter in front of it and a record beside them, for tests: what is put is recorded and delivered.
import type { Scope } from '../../src/core/scope.ts';
import type { DocumentWrite } from '../../src/db/repositories/changes.ts';
import { openSqliteRecord, type SqliteRecordDatabase } from '../../src/db/sqlite/sqlite.ts';
import type { StoreOutcome } from '../../src/stores/delivered.ts';
import {
  type OpenaiStores,
  type OpenaiStoresOptions,
  openOpenaiStores,
} from '../../src/stores/openai/openai-stores.ts';
import type { Store } from '../../src/stores/store.ts';
import { deleteAll, putAll } from '../record-changes.ts';
import { temporaryFolder } from '../record-fixture.ts';
import { type OpenaiSimulator, openOpenaiSimulator, type SimulatorOptions, simulatorKey } from './openai-simulator.ts';

export interface OpenaiPlace {
  readonly simulator: OpenaiSimulator;
  readonly stores: OpenaiStores;
  readonly database: SqliteRecordDatabase;
  store(scope: Scope): Store;
  put(scope: Scope, writes: readonly DocumentWrite[]): Promise<readonly StoreOutcome[]>;
  remove(scope: Scope, documentIds: readonly string[]): Promise<void>;
  /** Another process over the same account and record: it knows nothing of what the first did. */
  restarted(): Pick<OpenaiPlace, 'store' | 'stores'>;
  close(): Promise<void>;
}

export interface OpenaiPlaceOptions extends SimulatorOptions {
  readonly adapter?: Partial<OpenaiStoresOptions>;
}

export async function openOpenaiPlace({ adapter, ...options }: OpenaiPlaceOptions = {}): Promise<OpenaiPlace> {
  const simulator = await openOpenaiSimulator(options);
  const { folder, remove } = temporaryFolder();
  const database = openSqliteRecord({ folder });
  const opened: OpenaiStores[] = [];
  const open = () => {
    const stores = openOpenaiStores({ apiKey: simulatorKey, address: simulator.address, pollMs: 1, ...adapter });
    opened.push(stores);
    return { stores, store: (scope: Scope) => stores.store(scope, database.forScope(scope).documents) };
  };
  const { stores, store } = open();
  return {
    simulator,
    stores,
    database,
    store,
    async put(scope, writes) {
      await database.forScope(scope).commit(putAll(writes));
      return store(scope).upsert(writes.map(({ document, chunks }) => ({ document, chunks })));
    },
    async remove(scope, documentIds) {
      await store(scope).delete(documentIds.map((documentId) => ({ documentId })));
      await database.forScope(scope).commit(deleteAll(documentIds));
    },
    restarted: open,
    async close() {
      for (const one of opened) one.close();
      await simulator.close();
      await database.close();
      remove();
    },
  };
}
