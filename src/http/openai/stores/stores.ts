// Vector stores: sources as OpenAI's clients make, list and remove them. Invariant: what the caller may not read counts nowhere, and removing a store
// tells nothing of what stays in it for others.
import { randomBytes } from 'node:crypto';
import { madeBefore } from '../../../core/keyed/effects.ts';
import { defined } from '../../../core/values/defined.ts';
import type { ListKey, ListSlice } from '../../../footnote/facade/uploads.ts';
import { type StoreObject, type storeRequestSchema, vectorStores } from '../../../operations/vector-stores.ts';
import { refusal } from '../../foreign/errors.ts';
import type { Door } from '../../wire/http-types.ts';
import {
  type HandledRoutes,
  isAdmin,
  missingOf,
  pageOf,
  type Store,
  type StoreCaller,
  seconds,
  serving,
  storeOf,
  toCounts,
  toStore,
} from './store-caller.ts';
import { attachFiles } from './store-files.ts';

interface TimedStore extends Store, ListKey {
  readonly last: string;
}

/** When a source was declared is not kept: it is as old as the oldest that may be read of it. */
async function timed({ uploads }: StoreCaller, store: Store): Promise<TimedStore> {
  const { first = new Date(0).toISOString(), last } = await uploads.times(store.source);
  const at = store.collection?.createdAt ?? first;
  return { ...store, at, last: last ?? at };
}

async function toObject(caller: StoreCaller, given: Store): Promise<StoreObject> {
  const { id, source, collection, at, last } = await timed(caller, given);
  const counts = await caller.uploads.counts({ source });
  return {
    id,
    object: 'vector_store',
    created_at: seconds(at),
    name: collection?.facts.name ?? source,
    usage_bytes: counts.characters,
    file_counts: toCounts(counts),
    status: counts.pending > 0 ? 'in_progress' : 'completed',
    last_active_at: seconds(last),
    metadata: collection?.facts.metadata ?? {},
  };
}

type StoreRequest = typeof storeRequestSchema._zod.output;

function refuseExpiry({ expires_after }: StoreRequest): void {
  if (expires_after !== undefined)
    throw refusal('expires_after', 'Vector stores do not expire here. Delete them when they are no longer needed.');
}

/** Names of stores need not differ, and one that is taken may be nobody's business: each source has a name that nobody has. */
function sourceNameFor(name: string): string {
  const plain = name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[^\p{L}\p{N}]+/u, '');
  const short = [...plain].slice(0, 40).join('').slice(0, 80).toWellFormed();
  return `${short === '' ? 'store' : short}-${randomBytes(4).toString('hex')}`;
}

async function createStore(caller: StoreCaller, request: StoreRequest): Promise<StoreObject> {
  refuseExpiry(request);
  const { name = '', metadata, file_ids = [], chunking_strategy } = request;
  for (const id of file_ids) if (!(await caller.uploads.get(id))) throw missingOf('file', id, 'file_ids');
  const source = madeBefore('source') ?? sourceNameFor(name);
  await caller.footnote.sources.put({ name: source, type: 'docs' });
  await caller.uploads.describe(source, defined({ name, metadata }), true);
  if (file_ids.length > 0)
    await attachFiles(
      caller,
      source,
      file_ids.map((file_id) => ({ file_id, chunking_strategy })),
    );
  return toObject(caller, await storeOf(caller, toStore({ name: source }, []).id));
}

async function listStores(caller: StoreCaller) {
  const collections = await caller.uploads.collections();
  const sources = await caller.footnote.sources.list();
  const readable = sources.flatMap((source) => {
    const store = toStore(source, collections);
    return source.documents > 0 || store.collection?.isOwn || isAdmin(caller) ? [timed(caller, store)] : [];
  });
  return Promise.all(readable);
}

const order = (one: ListKey, other: ListKey): number =>
  one.at === other.at ? (one.id < other.id ? -1 : Number(one.id > other.id)) : one.at < other.at ? -1 : 1;

const sliceOf = (stores: readonly TimedStore[], { limit, descending, after }: ListSlice) => {
  const inOrder = descending ? stores.toSorted((one, other) => order(other, one)) : stores.toSorted(order);
  const from = after ? inOrder.findIndex(({ id }) => id === after.id) + 1 : 0;
  return inOrder.slice(from, from + limit);
};

/** What stays in it may be of others: for the caller it is gone when nothing of it can be seen. */
async function removeStore(caller: StoreCaller, id: string): Promise<void> {
  const { source, collection } = await storeOf(caller, id);
  try {
    await caller.footnote.sources.remove(source, caller.call);
  } catch (thrown) {
    const { documents } = (await caller.footnote.sources.list()).find(({ name }) => name === source) ?? {};
    if (documents === undefined || documents > 0) throw thrown;
    if (collection) await caller.uploads.disown(source);
  }
}

export function storeRoutes(door: Door): HandledRoutes {
  const on = serving(door);
  return [
    on(vectorStores.create, (caller, { body }) => createStore(caller, body)),
    on(vectorStores.list, async (caller, { query }) => {
      const stores = await listStores(caller);
      return pageOf(query, {
        async keyOf(id) {
          const store = stores.find((one) => one.id === id);
          if (!store) throw missingOf('vector store', id);
          return store;
        },
        read: async (slice) => sliceOf(stores, slice),
        show: (store) => toObject(caller, store),
      });
    }),
    on(vectorStores.get, async (caller, { params }) => toObject(caller, await storeOf(caller, params.id))),
    on(vectorStores.update, async (caller, { params, body }) => {
      refuseExpiry(body);
      const { source, collection } = await storeOf(caller, params.id);
      const { name, metadata } = body;
      await caller.uploads.describe(source, { ...collection?.facts, ...defined({ name, metadata }) });
      return toObject(caller, await storeOf(caller, params.id));
    }),
    on(vectorStores.delete, async (caller, { params: { id } }) => {
      await removeStore(caller, id);
      return { id, object: 'vector_store.deleted', deleted: true };
    }),
  ];
}
