// The routes of OpenAI's files and vector stores over a state in memory: what is read of a request and how the vendor writes its reply.
import type { FakeFileSearch } from '../../src/testing/fake-reply.ts';
import { responseOf } from '../../src/testing/openai-responses.ts';
import { type Attached, Refusal, type State, type StoredVectors } from './vector-stores.ts';

export interface SimulatedRequest {
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
  readonly body: Record<string, unknown>;
}

export interface Route {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  run(request: SimulatedRequest, state: State): unknown;
}

function pageOf<T extends { readonly id: string }>(items: readonly T[], query: URLSearchParams, most: number) {
  const sorted = query.get('order') === 'asc' ? items : items.toReversed();
  const after = query.get('after');
  const from = after === null ? 0 : sorted.findIndex(({ id }) => id === after) + 1;
  const limit = Math.min(Number(query.get('limit') ?? 20), most);
  const data = sorted.slice(from, from + limit);
  const ends = { first_id: data[0]?.id ?? '', last_id: data.at(-1)?.id ?? '' };
  return { object: 'list', data, ...ends, has_more: from + limit < sorted.length };
}

const fileObject = ({
  id,
  filename,
  text,
  createdAt,
}: {
  id: string;
  filename: string;
  text: string;
  createdAt: number;
}) => ({
  id,
  object: 'file',
  bytes: Buffer.byteLength(text),
  created_at: createdAt,
  filename,
  purpose: 'assistants',
  status: 'processed',
});

const attachedObject = (attached: Attached, storeId: string, status: string) => ({
  id: attached.fileId,
  object: 'vector_store.file',
  usage_bytes: status === 'completed' ? 1000 : 0,
  created_at: attached.createdAt,
  vector_store_id: storeId,
  status,
  last_error: status === 'failed' ? { code: attached.failure, message: 'it could not be read' } : null,
  attributes: attached.attributes,
});

const isOpen = ({ looks }: Attached): boolean => looks > 0;

function storeObject({ id, name, metadata, createdAt, attached, isExpired }: StoredVectors) {
  const all = [...attached.values()];
  const inProgress = all.filter(isOpen).length;
  const failed = all.filter((one) => !isOpen(one) && one.failure).length;
  return {
    id,
    object: 'vector_store',
    created_at: createdAt,
    name: name ?? '',
    usage_bytes: all.length * 1000,
    file_counts: {
      in_progress: inProgress,
      completed: all.length - inProgress - failed,
      failed,
      cancelled: 0,
      total: all.length,
    },
    status: isExpired ? 'expired' : inProgress > 0 ? 'in_progress' : 'completed',
    last_active_at: createdAt,
    metadata,
  };
}

const batchObject = (id: string, storeId: string, files: readonly Attached[]) => {
  const open = files.filter(isOpen).length;
  const failed = files.filter((one) => !isOpen(one) && one.failure).length;
  const counts = {
    in_progress: open,
    failed,
    completed: files.length - open - failed,
    cancelled: 0,
    total: files.length,
  };
  return {
    id,
    object: 'vector_store.files_batch',
    created_at: 1_700_000_000,
    vector_store_id: storeId,
    status: open > 0 ? 'in_progress' : 'completed',
    file_counts: counts,
  };
};

const attachedOf = (state: State, store: StoredVectors, ids?: readonly string[]) =>
  state
    .listed(store)
    .filter(({ fileId }) => ids?.includes(fileId) ?? true)
    .map((one) => attachedObject(one, store.id, state.look(one)));

const one = '/vector_stores/{vector_store_id}';
export const routes: readonly Route[] = [
  {
    name: 'files.list',
    method: 'GET',
    path: '/files',
    run: ({ query }, { files, isKnown }) => pageOf([...files.values()].filter(isKnown).map(fileObject), query, 10_000),
  },
  {
    name: 'files.create',
    method: 'POST',
    path: '/files',
    run: ({ body }, { addFile }) => fileObject(addFile(String(body['filename']), String(body['file']))),
  },
  {
    name: 'files.delete',
    method: 'DELETE',
    path: '/files/{file_id}',
    run({ parts: [id = ''] }, { removeFile }) {
      removeFile(id);
      return { id, object: 'file', deleted: true };
    },
  },
  {
    name: 'stores.list',
    method: 'GET',
    path: '/vector_stores',
    run: ({ query }, { stores, isKnown }) => pageOf([...stores.values()].filter(isKnown).map(storeObject), query, 100),
  },
  {
    name: 'stores.create',
    method: 'POST',
    path: '/vector_stores',
    run: ({ body }, { addStore }) =>
      storeObject(addStore((body['name'] as string) ?? null, (body['metadata'] as Record<string, string>) ?? {})),
  },
  {
    name: 'stores.get',
    method: 'GET',
    path: one,
    run: ({ parts: [id = ''] }, { storeOf }) => storeObject(storeOf(id)),
  },
  {
    name: 'stores.delete',
    method: 'DELETE',
    path: one,
    run({ parts: [id = ''] }, { storeOf, stores }) {
      stores.delete(storeOf(id).id);
      return { id, object: 'vector_store.deleted', deleted: true };
    },
  },
  {
    name: 'attached.list',
    method: 'GET',
    path: `${one}/files`,
    run: ({ parts: [id = ''], query }, state) => pageOf(attachedOf(state, state.storeOf(id)), query, 100),
  },
  {
    name: 'attached.create',
    method: 'POST',
    path: `${one}/files`,
    run({ parts: [id = ''], body }, state) {
      const attached = state.attach(state.storeOf(id), String(body['file_id']), body['attributes']);
      return attachedObject(attached, id, isOpen(attached) ? 'in_progress' : state.look(attached));
    },
  },
  {
    name: 'attached.get',
    method: 'GET',
    path: `${one}/files/{file_id}`,
    run({ parts: [id = '', fileId = ''] }, state) {
      const attached = state.present(state.storeOf(id).attached.get(fileId));
      if (!state.isKnown(attached)) throw new Refusal(404, 'not yet');
      return attachedObject(attached, id, state.look(attached));
    },
  },
  {
    name: 'attached.update',
    method: 'POST',
    path: `${one}/files/{file_id}`,
    run({ parts: [id = '', fileId = ''], body }, state) {
      const { attached } = state.storeOf(id);
      const known = state.present(attached.get(fileId));
      return attachedObject(state.attach(state.storeOf(id), fileId, body['attributes']), id, state.look(known));
    },
  },
  {
    name: 'attached.delete',
    method: 'DELETE',
    path: `${one}/files/{file_id}`,
    run({ parts: [id = '', fileId = ''] }, state) {
      const store = state.storeOf(id);
      state.present(store.attached.get(fileId));
      state.detach(store, fileId);
      return { id: fileId, object: 'vector_store.file.deleted', deleted: true };
    },
  },
  {
    name: 'batches.create',
    method: 'POST',
    path: `${one}/file_batches`,
    run({ parts: [id = ''], body }, state) {
      const store = state.storeOf(id);
      const wanted = body['files'] as readonly { file_id: string; attributes: unknown }[];
      for (const { file_id: fileId, attributes } of wanted) state.checkAttachable(fileId, attributes);
      const attached = wanted.map(({ file_id: fileId, attributes }) => state.attach(store, fileId, attributes, true));
      const batchId = state.addBatch(
        id,
        wanted.map(({ file_id: fileId }) => fileId),
      );
      return batchObject(batchId, id, attached);
    },
  },
  {
    name: 'batches.files',
    method: 'GET',
    path: `${one}/file_batches/{batch_id}/files`,
    run({ parts: [id = '', batchId = ''], query }, state) {
      const { fileIds } = state.present(state.batches.get(batchId));
      return pageOf(attachedOf(state, state.storeOf(id), fileIds), query, 100);
    },
  },
  {
    name: 'search',
    method: 'POST',
    path: `${one}/search`,
    run({ parts: [id = ''], body }, state) {
      const most = Number(body['max_num_results'] ?? 10);
      if (!(most >= 1 && most <= 50)) throw new Refusal(400, 'max_num_results');
      const query = String(body['query']);
      const found = state.search(state.storeOf(id), { query, filters: body['filters'], most });
      return {
        object: 'vector_store.search_results.page',
        search_query: [query],
        data: found.map(({ file, attributes, text, score }) => ({
          file_id: file.id,
          filename: file.filename,
          score,
          attributes,
          content: [{ type: 'text', text }],
        })),
        has_more: false,
        next_page: null,
      };
    },
  },
  {
    name: 'responses.create',
    method: 'POST',
    path: '/responses',
    run: ({ body }, state) => responseOf({ text: 'done', fileSearches: fileSearchesOf(body, state) }, body),
  },
];

/** What a model does that is offered the search of files: it searches for what it was told last, or what the test says. */
function fileSearchesOf(body: Record<string, unknown>, state: State): FakeFileSearch[] {
  const [tool] = (body['tools'] ?? []) as readonly Record<string, unknown>[];
  if (tool?.['type'] !== 'file_search') return [];
  const { queries = (asked: string) => [asked], told = (found: NonNullable<FakeFileSearch['results']>) => found } =
    state.hosted;
  const [storeId = ''] = tool['vector_store_ids'] as readonly string[];
  const most = Number(tool['max_num_results'] ?? 20);
  const input = body['input'] as readonly { readonly content: string | readonly { readonly text?: string }[] }[];
  const content = input.at(-1)?.content ?? '';
  const asked = typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('');
  const searched = queries(asked).map((query) => ({ query, filters: tool['filters'], most }));
  const found = searched
    .flatMap((one) => state.search(state.storeOf(storeId), one))
    .map(({ file, attributes, text, score }) => ({
      file_id: file.id,
      filename: file.filename,
      score,
      text,
      attributes,
    }));
  const isTold = (body['include'] as readonly string[] | undefined)?.includes('file_search_call.results');
  return searched.length === 0
    ? []
    : [{ queries: searched.map(({ query }) => query), results: isTold ? told(found) : null }];
}
