// Files of a vector store: documents of its source, and uploads that are read into it or could not be. Their states are those of their ingestion.
import type { DocumentRecord } from '../../../core/document.ts';
import { asAbsent } from '../../../core/errors.ts';
import { defined } from '../../../core/values/defined.ts';
import type { AttachedFile, AttachedState, ListedFile } from '../../../footnote/facade/uploads.ts';
import {
  type AttachRequest,
  type BatchObject,
  type ChunkingStrategy,
  type ListQuery,
  type StoreFileObject,
  vectorStores,
} from '../../../operations/vector-stores.ts';
import { refusal } from '../../foreign/errors.ts';
import type { Door } from '../../wire/http-types.ts';
import { attributesOf } from '../file-facts.ts';
import { documentOf, fileIdOf } from './files.ts';
import {
  type HandledRoutes,
  missingOf,
  pageOf,
  type Store,
  type StoreCaller,
  seconds,
  serving,
  storeOf,
  toCounts,
} from './store-caller.ts';

type Status = StoreFileObject['status'];
const statuses: Readonly<Record<AttachedState, Status>> = {
  pending: 'in_progress',
  done: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
};
const stateOf = (status: Status | undefined): AttachedState | undefined =>
  (Object.keys(statuses) as AttachedState[]).find((state) => statuses[state] === status);

const faults: Readonly<Record<string, 'unsupported_file' | 'invalid_file'>> = {
  'unsupported-media': 'unsupported_file',
  'invalid-media': 'invalid_file',
  'invalid-request': 'invalid_file',
  'too-large': 'invalid_file',
};

interface StoreFile {
  readonly document?: DocumentRecord | undefined;
  readonly attached?: AttachedFile | undefined;
}

/** Throws `not-found`. */
async function storeFileOf(caller: StoreCaller, { source }: Store, id: string): Promise<StoreFile> {
  const [attached] = await caller.uploads.attached({ fileId: id, source });
  if (attached && attached.documentId === undefined) return { attached };
  const document = attached?.documentId
    ? await caller.footnote.documents.get(attached.documentId).catch(asAbsent)
    : await documentOf(caller, id);
  if (document?.source !== source) throw missingOf('file', id);
  return { document, attached };
}

function toObject(caller: StoreCaller, store: Store, { document, attached }: StoreFile): StoreFileObject {
  const { chunking, error, attributes = {} } = attached?.facts ?? {};
  return {
    id: document ? fileIdOf(document) : (attached?.fileId ?? ''),
    object: 'vector_store.file',
    usage_bytes: document?.textLength ?? 0,
    created_at: seconds(document?.updatedAt ?? attached?.createdAt ?? ''),
    vector_store_id: store.id,
    status: document ? 'completed' : statuses[attached?.state ?? 'done'],
    last_error:
      error && attached?.state === 'failed'
        ? { code: faults[error.code] ?? 'server_error', message: (caller.conceal ?? String)(error.message) }
        : null,
    attributes: attributesOf(document?.metadata ?? attributes),
    chunking_strategy: chunking
      ? {
          type: 'static',
          static: { max_chunk_size_tokens: chunking.maxTokens, chunk_overlap_tokens: chunking.overlapTokens },
        }
      : { type: 'other' },
  };
}

async function shown(
  caller: StoreCaller,
  store: Store,
  { id, isDocument }: ListedFile,
): Promise<StoreFile | undefined> {
  if (!isDocument) return storeFileOf(caller, store, id).catch(asAbsent);
  const document = await caller.footnote.documents.get(id).catch(asAbsent);
  if (!document) return undefined;
  const [attached] = await caller.uploads.attached({ fileId: fileIdOf(document), source: store.source });
  return { document, attached };
}

const toChunking = (strategy: ChunkingStrategy | undefined) =>
  strategy?.type === 'static'
    ? { maxTokens: strategy.static.max_chunk_size_tokens, overlapTokens: strategy.static.chunk_overlap_tokens }
    : undefined;

/** Begins to read files in; gives the id of the run. Throws `not-found` for one that the caller did not upload. */
export async function attachFiles(
  { uploads }: StoreCaller,
  source: string,
  files: readonly (Pick<AttachRequest, 'file_id' | 'attributes'> & {
    readonly chunking_strategy?: ChunkingStrategy | undefined;
  })[],
): Promise<string> {
  const each = new Map(files.map((file) => [file.file_id, file]));
  for (const id of each.keys()) if (!(await uploads.get(id))) throw missingOf('file', id, 'file_id');
  return uploads.attach(
    source,
    [...each.values()].map(({ file_id: fileId, attributes, chunking_strategy }) => ({
      fileId,
      ...defined({ attributes, chunking: toChunking(chunking_strategy) }),
    })),
  );
}

const batchPrefix = 'vsfb_';
const runOf = (id: string): string => (id.startsWith(batchPrefix) ? id.slice(batchPrefix.length) : '');

/** Throws `not-found`. */
async function batchOf(
  { uploads }: StoreCaller,
  { id: vector_store_id, source }: Store,
  id: string,
): Promise<BatchObject> {
  const runId = runOf(id);
  const of = { source, runId };
  const [first] = await uploads.files(of, { limit: 1, descending: false });
  if (!first) throw missingOf('batch', id);
  const counts = await uploads.counts(of);
  const isOpen = counts.pending > 0;
  const status = isOpen
    ? (await uploads.isRunning(runId))
      ? 'in_progress'
      : 'failed'
    : counts.cancelled > 0
      ? 'cancelled'
      : 'completed';
  return {
    id,
    object: 'vector_store.files_batch',
    created_at: seconds(first.at),
    vector_store_id,
    status,
    file_counts: toCounts(counts),
  };
}

type FilesQuery = ListQuery & { readonly filter?: Status | undefined };

function listFiles(caller: StoreCaller, store: Store, { filter, ...query }: FilesQuery, runId?: string) {
  return pageOf(query, {
    async keyOf(id) {
      const { document, attached } = await storeFileOf(caller, store, id);
      if (document && runId === undefined) return { at: document.updatedAt, id: document.id };
      if (!attached) throw missingOf('file', id);
      return { at: attached.createdAt, id };
    },
    read: (slice) =>
      caller.uploads.files({ source: store.source, ...defined({ runId }) }, { ...slice, state: stateOf(filter) }),
    async show(row) {
      const file = await shown(caller, store, row);
      return file && toObject(caller, store, file);
    },
  });
}

export function storeFileRoutes(door: Door): HandledRoutes {
  const on = serving(door);
  const objectOf = async (caller: StoreCaller, store: Store, id: string) =>
    toObject(caller, store, await storeFileOf(caller, store, id));
  return [
    on(vectorStores.attach, async (caller, { params, body }) => {
      const store = await storeOf(caller, params.id);
      await attachFiles(caller, store.source, [body]);
      return objectOf(caller, store, body.file_id);
    }),
    on(vectorStores.files, async (caller, { params, query }) =>
      listFiles(caller, await storeOf(caller, params.id), query),
    ),
    on(vectorStores.file, async (caller, { params }) =>
      objectOf(caller, await storeOf(caller, params.id), params.file_id),
    ),
    on(vectorStores.updateFile, async (caller, { params, body }) => {
      const store = await storeOf(caller, params.id);
      const { document, attached } = await storeFileOf(caller, store, params.file_id);
      if (!document)
        throw refusal('attributes', 'Only files that were read in have attributes to change.', 'invalid_value');
      const isAttribute = new Set(Object.keys(attributesOf(document.metadata)));
      const others = Object.entries(document.metadata).filter(([key]) => !isAttribute.has(key));
      const metadata = { ...Object.fromEntries(others), ...body.attributes };
      await caller.uploads.setMetadata(document.id, { metadata, ...defined({ chunking: attached?.facts.chunking }) });
      return objectOf(caller, store, params.file_id);
    }),
    on(vectorStores.detach, async (caller, { params: { id: storeId, file_id: id } }) => {
      const { document, attached } = await storeFileOf(caller, await storeOf(caller, storeId), id);
      if (attached) await caller.uploads.detach(attached);
      else if (document) await caller.footnote.documents.delete(document.id);
      return { id, object: 'vector_store.file.deleted', deleted: true };
    }),
    on(vectorStores.text, async (caller, { params }) => {
      const { document } = await storeFileOf(caller, await storeOf(caller, params.id), params.file_id);
      const data = document ? [{ type: 'text', text: (await caller.footnote.documents.text(document.id)).text }] : [];
      return { object: 'vector_store.file_content.page', data, has_more: false, next_page: null };
    }),
    on(vectorStores.createBatch, async (caller, { params, body: { file_ids, files, ...shared } }) => {
      const store = await storeOf(caller, params.id);
      if ((file_ids === undefined) === (files === undefined))
        throw refusal('file_ids', 'Give either file_ids or files.', 'invalid_value');
      const each = files ?? file_ids?.map((file_id) => ({ file_id, ...shared })) ?? [];
      return batchOf(caller, store, batchPrefix + (await attachFiles(caller, store.source, each)));
    }),
    on(vectorStores.batch, async (caller, { params }) =>
      batchOf(caller, await storeOf(caller, params.id), params.batch_id),
    ),
    on(vectorStores.cancelBatch, async (caller, { params: { id, batch_id } }) => {
      const store = await storeOf(caller, id);
      await batchOf(caller, store, batch_id);
      await caller.footnote.ingestions.cancel(runOf(batch_id), caller.call);
      return batchOf(caller, store, batch_id);
    }),
    on(vectorStores.batchFiles, async (caller, { params: { id, batch_id }, query }) => {
      const store = await storeOf(caller, id);
      await batchOf(caller, store, batch_id);
      return listFiles(caller, store, query, runOf(batch_id));
    }),
  ];
}
