// The same `Footnote` as in this process, over HTTP: while a server owns the data folder every command goes through its
// API, and behaves as it would on the folder itself.
import type { Answer } from '../../core/answer.ts';
import type { Source } from '../../core/document.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import type { FootnoteEvent } from '../../core/events.ts';
import type { Recommendation } from '../../footnote/facade/feedback.ts';
import type { AddDocument, AddedDocument, CallOptions, Footnote, SyncOptions } from '../../footnote/facade.ts';
import { createRemoteConversations } from './conversations.ts';
import { createRemoteMemories } from './memories.ts';
import { part, type RemoteHttp, toError } from './remote-http.ts';
import { createRemoteTraces } from './traces.ts';

type Method<Group extends keyof Footnote, Name extends keyof Footnote[Group]> = Footnote[Group][Name] extends (
  ...args: never[]
) => Promise<infer Result>
  ? Result
  : never;
type Ingestion = Method<'ingestions', 'get'>;
type Preview = Method<'sources', 'preview'>;
type List<Group extends keyof Footnote, Name extends keyof Footnote[Group]> = { data: Method<Group, Name> };

function toForm(document: AddDocument, bytes: Uint8Array): FormData {
  const form = new FormData();
  const {
    bytes: _,
    name,
    metadata,
    access,
    stores,
    passwords,
    text: __,
    retry: ___,
    reread: ____,
    ...fields
  } = document;
  for (const [field, value] of Object.entries(fields)) if (value !== undefined) form.set(field, String(value));
  for (const [field, value] of Object.entries({ metadata, access, stores, passwords }))
    if (value !== undefined) form.set(field, JSON.stringify(value));
  form.set('file', new Blob([bytes as Uint8Array<ArrayBuffer>]), name ?? 'upload');
  return form;
}

type Reading = { readonly [name in 'retry' | 'reread' | 'confirm']?: boolean | undefined };
const toQuery = ({ retry, reread, confirm }: Reading): Record<string, string> => ({
  ...(retry && { retry: 'true' }),
  ...(reread !== undefined && { reread: String(reread) }),
  ...(confirm && { confirm: 'true' }),
});

/** What a declaration may say; the server tells more of a source. */
const toDeclaration = ({ name, type, authority, ttlSeconds, connector, schedule, watch }: Source): Source => ({
  name,
  type,
  ...(authority !== undefined && { authority }),
  ...(ttlSeconds !== undefined && { ttlSeconds }),
  ...(connector && { connector }),
  ...(schedule && { schedule }),
  ...(watch && { watch }),
});

export function createRemote(http: RemoteHttp): Footnote {
  async function add(path: string, document: AddDocument, call: CallOptions = {}): Promise<readonly AddedDocument[]> {
    const { bytes, name, retry, reread, ...fields } = document;
    const body = bytes
      ? { form: toForm(document, bytes) }
      : { body: fields.uri === undefined && name !== undefined ? { ...fields, uri: name } : fields };
    const reply = await http.json<{ documents: AddedDocument[] }>('POST', path, {
      ...body,
      query: { wait: 'true', ...toQuery({ retry, reread }) },
      signal: call.signal,
    });
    return reply.documents;
  }

  /** Asks over a stream when somebody follows the events. */
  async function answer(path: string, body: object, call: CallOptions = {}): Promise<Answer> {
    if (!call.onEvent) return http.json<Answer>('POST', path, { body, signal: call.signal });
    for await (const value of http.events('POST', path, { body, signal: call.signal })) {
      const event = value as FootnoteEvent;
      call.onEvent(event);
      if (event.type === 'done') return event.answer;
      if (event.type === 'error') throw toError(event.problem, event.problem.status);
    }
    throw new FootnoteError('upstream-invalid', 'The server ended the stream without an answer. Try again.');
  }

  async function* watch(id: string, signal?: AbortSignal): AsyncGenerator<Ingestion> {
    for await (const value of http.events('GET', `/v1/ingestions/${part(id)}`, { signal })) {
      const event = value as { type: string; ingestion?: Ingestion; problem?: { status: number } };
      if (event.type === 'error') throw toError(event.problem, event.problem?.status ?? 500);
      if (event.ingestion) yield event.ingestion;
    }
  }

  const getIngestion = (id: string): Promise<Ingestion> => http.json('GET', `/v1/ingestions/${part(id)}`);
  const cancel = (id: string): Promise<void> => http.json('DELETE', `/v1/ingestions/${part(id)}`);
  const startSync = (name: string, reading: Reading = {}): Promise<Ingestion> =>
    http.json('POST', `/v1/sources/${part(name)}/sync`, { query: toQuery(reading) });

  async function sync(name: string, { signal, onProgress, ...reading }: SyncOptions = {}): Promise<Ingestion> {
    signal?.throwIfAborted();
    let latest = await startSync(name, reading);
    onProgress?.(latest);
    try {
      for await (const ingestion of watch(latest.id, signal)) {
        latest = ingestion;
        onProgress?.(ingestion);
      }
    } catch (thrown) {
      if (!signal?.aborted) throw toFootnoteError(thrown);
      await cancel(latest.id);
    }
    const { id, source, state, startedAt, finishedAt, counts, error } = await getIngestion(latest.id);
    return {
      id,
      source,
      state,
      startedAt,
      counts,
      ...(finishedAt !== undefined && { finishedAt }),
      ...(error && { error }),
    };
  }

  async function preview(source: Source, { signal, onProgress }: SyncOptions = {}): Promise<Preview> {
    for await (const value of http.events('POST', '/v1/sources/preview', { body: toDeclaration(source), signal })) {
      const event = value as { type: string; ingestion?: Ingestion; preview?: Preview; problem?: { status: number } };
      if (event.type === 'error') throw toError(event.problem, event.problem?.status ?? 500);
      if (event.ingestion) onProgress?.(event.ingestion);
      if (event.preview) return event.preview;
    }
    throw new FootnoteError('upstream-invalid', 'The server ended the stream without a finding. Try again.');
  }

  return {
    documents: {
      add: (document, call) => add('/v1/documents', document, call),
      preview: ({ bytes, name, ...document }, call) =>
        http.json('POST', '/v1/documents/preview', {
          ...(bytes
            ? { form: toForm({ ...document, ...(name !== undefined && { name }) }, bytes) }
            : { body: document }),
          signal: call?.signal,
        }),
      get: (id) => http.json('GET', `/v1/documents/${part(id)}`),
      list: ({ filter, ...page }) =>
        http.json('GET', '/v1/documents', { query: { ...page, ...(filter && { filter: JSON.stringify(filter) }) } }),
      delete: (id) => http.json('DELETE', `/v1/documents/${part(id)}`),
      text: (id, range = {}) => http.json('GET', `/v1/documents/${part(id)}/text`, { query: range }),
      async file(id) {
        const reply = await http.response('GET', `/v1/documents/${part(id)}/file`, { accept: '*/*' });
        const name = /filename\*=UTF-8''([^;]+)/.exec(reply.headers.get('content-disposition') ?? '')?.[1];
        return {
          bytes: new Uint8Array(await reply.arrayBuffer()),
          mime: reply.headers.get('content-type') ?? 'application/octet-stream',
          name: name === undefined ? id : decodeURIComponent(name),
        };
      },
      chunks: async (id) =>
        (await http.json<List<'documents', 'chunks'>>('GET', `/v1/documents/${part(id)}/chunks`)).data,
      structure: (id) => http.json('GET', `/v1/documents/${part(id)}/structure`),
    },
    sources: {
      put: (source) => http.json('POST', '/v1/sources', { body: toDeclaration(source) }),
      list: async () => (await http.json<List<'sources', 'list'>>('GET', '/v1/sources')).data,
      get: (name) => http.json('GET', `/v1/sources/${part(name)}`),
      remove: async (name) =>
        (await http.json<{ removedDocuments: number }>('DELETE', `/v1/sources/${part(name)}`)).removedDocuments,
      sync,
      startSync,
      preview,
    },
    ingestions: {
      get: getIngestion,
      files: (id, request) => http.json('GET', `/v1/ingestions/${part(id)}/files`, { query: { ...request } }),
      list: (request) => http.json('GET', '/v1/ingestions', { query: { ...request } }),
      parked: (request) => http.json('GET', '/v1/parked-files', { query: { ...request } }),
      watch,
      cancel,
    },
    stores: {
      list: async () => (await http.json<List<'stores', 'list'>>('GET', '/v1/stores')).data,
      deliveries: (store, request) =>
        http.json('GET', `/v1/stores/${part(store)}/deliveries`, { query: { ...request } }),
      sync: (store, signal) => http.json('POST', `/v1/stores/${part(store)}/sync`, { signal }),
      reconcile: (store, { signal, ...body } = {}) =>
        http.json('POST', `/v1/stores/${part(store)}/reconcile`, { body, ...(signal && { signal }) }),
      pause: (store) => http.json('POST', `/v1/stores/${part(store)}/pause`),
      resume: (store) => http.json('POST', `/v1/stores/${part(store)}/resume`),
      add: (store, document, call) => add(`/v1/stores/${part(store)}/documents`, document, call),
    },
    search: (request, call) => http.json('POST', '/v1/search', { body: request, signal: call?.signal }),
    ask: (request, call) => answer('/v1/ask', request, call),
    analyse: (request, call) => answer('/v1/analyses', request, call),
    sessions: {
      create: (session) => http.json('POST', '/v1/rag/sessions', { body: session }),
      get: (id) => http.json('GET', `/v1/rag/sessions/${part(id)}`),
      list: (request) => http.json('GET', '/v1/rag/sessions', { query: { ...request } }),
      delete: (id) => http.json('DELETE', `/v1/rag/sessions/${part(id)}`),
      turns: async (id, limit) =>
        (
          await http.json<List<'sessions', 'turns'>>('GET', `/v1/rag/sessions/${part(id)}/messages`, {
            query: { limit },
          })
        ).data,
      send: (id, request, call) => answer(`/v1/rag/sessions/${part(id)}/messages`, request, call),
    },
    feedback: {
      give: (answerId, body) => http.json('POST', `/v1/answers/${part(answerId)}/feedback`, { body }),
      list: (request) => http.json('GET', '/v1/feedback', { query: { ...request } }),
      cases: (request) => http.json('GET', '/v1/feedback/cases', { query: { ...request } }),
    },
    recommend: async (body) =>
      (await http.json<{ data: readonly Recommendation[] }>('POST', '/v1/recommendations', { body })).data,
    memories: createRemoteMemories(http),
    conversations: createRemoteConversations(http),
    usage: (request = {}) => http.json('GET', '/v1/usage', { query: { ...request } }),
    traces: createRemoteTraces(http),
    evals: { report: () => http.json('GET', '/admin/evals') },
    answers: {
      get: (id) => http.json('GET', `/v1/answers/${part(id)}`),
      verify: (saved) => http.json('POST', '/v1/answers/verify', { body: saved }),
      using: ({ documentId, chunkId }, page) =>
        http.json('GET', `/v1/documents/${part(documentId)}/answers`, {
          query: { ...page, ...(chunkId !== undefined && { chunk: chunkId }) },
        }),
      report: async (id) =>
        (await http.response('GET', `/v1/answers/${part(id)}/report`, { accept: 'text/html' })).text(),
      verifyReport: (page) => http.json('POST', '/v1/answers/report/verify', { body: { page } }),
    },
  };
}
