// The same `Footnote` as in this process, over HTTP: while a server owns the data folder every command goes through its
// API, and behaves as it would on the folder itself. Here stand the calls that do more than their one request.

import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import type { Source } from '../../core/document.ts';
import type { GivenFile } from '../../core/documents/add-document.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import type { SavedTrace } from '../../core/trace-file.ts';
import { defined } from '../../core/values/defined.ts';
import type { ArchiveChatAnswer, ArchiveChatEvent } from '../../footnote/facade/conversations.ts';
import type { SessionTraces } from '../../footnote/facade/traces.ts';
import type { AddDocument, AddedDocument, CallOptions, Footnote, SyncOptions } from '../../footnote/facade.ts';
import { bytesIn } from '../../footnote/record/text-range.ts';
import { calls } from '../../operations/table.ts';
import { createClient, follow, type PlainCalls } from './client.ts';
import { type RemoteHttp, toError } from './remote-http.ts';

type Result<Group extends keyof Footnote, Name extends keyof Footnote[Group]> = Footnote[Group][Name] extends (
  ...args: never[]
) => Promise<infer Given>
  ? Given
  : never;
type Ingestion = Result<'ingestions', 'get'>;
type Preview = Result<'sources', 'preview'>;
type Written = Result<'memories', 'add'>;

export function createRemote(http: RemoteHttp): Footnote {
  const client = createClient(http);
  const ingestions = remoteIngestions(http, client);
  return {
    ...client,
    documents: remoteDocuments(http, client),
    ingestions,
    sources: remoteSources(http, { client, ingestions }),
    stores: {
      ...client.stores,
      add: (store, document, call) => add(http, { operation: calls.stores.add, params: [store] }, document, call),
      sync: (store, signal) => http.json(calls.stores.sync, { params: [store], signal }),
      reconcile: (store, { signal, ...body } = {}) =>
        http.json(calls.stores.reconcile, { params: [store], body, signal }),
    },
    sessions: {
      ...client.sessions,
      turns: async (id, limit) => (await client.sessions.page(id, defined({ limit }))).data,
    },
    feedback: {
      ...client.feedback,
      take: async () => {
        const advice = 'Stop the server, then import: feedback and its answers are taken over without one.';
        throw new FootnoteError('already-running', advice);
      },
    },
    answers: {
      ...client.answers,
      using: ({ documentId, chunkId: chunk }, page) =>
        http.json(calls.answers.using, { params: [documentId], query: { ...page, chunk } }),
      report: async (id) => (await http.response(calls.answers.report, { params: [id], accept: 'text/html' })).text(),
      verifyReport: (page) => http.json(calls.answers.verifyReport, { body: { page } }),
    },
    search: (body, call) => http.json(calls.search, { body, signal: call?.signal }),
    memories: {
      ...client.memories,
      async add(body) {
        const reply = await http.json<Written['memory'] & Omit<Written, 'memory'>>(calls.memories.add, { body });
        const { change, superseded, ...memory } = reply;
        return { memory, change, superseded };
      },
    },
    conversations: remoteConversations(http, client),
    traces: remoteTraces(http, client),
  };
}

// ---- documents --------------------------------------------------------------------------------------------------------

/** What a form does not hold: its files have bytes and names of their own, and how they are read stands in the address. */
const besideForm: ReadonlySet<string> = new Set(['bytes', 'name', 'text', 'retry', 'reread']);

function toForm(document: AddDocument, files: readonly Pick<GivenFile, 'bytes' | 'name'>[]): FormData {
  const form = new FormData();
  const { metadata, access, stores, passwords, ...fields } = document;
  for (const [field, value] of Object.entries(fields))
    if (value !== undefined && !besideForm.has(field)) form.set(field, String(value));
  for (const [field, value] of Object.entries({ metadata, access, stores, passwords }))
    if (value !== undefined) form.set(field, JSON.stringify(value));
  for (const { bytes, name } of files) form.append('file', new Blob([bytes as Uint8Array<ArrayBuffer>]), name);
  return form;
}

type Reading = { readonly [name in 'retry' | 'reread' | 'confirm']?: boolean | undefined };
const toQuery = ({ retry, reread, confirm }: Reading) => ({
  retry: retry === true ? true : undefined,
  reread,
  confirm: confirm === true ? true : undefined,
});

type Adding = { readonly operation: Parameters<RemoteHttp['json']>[0]; readonly params?: readonly string[] };

async function add(
  http: RemoteHttp,
  { operation, params = [] }: Adding,
  document: AddDocument,
  call: CallOptions = {},
): Promise<readonly AddedDocument[]> {
  const { bytes, name, retry, reread, ...fields } = document;
  const body = bytes
    ? { form: toForm(document, [{ bytes, name: name ?? 'upload' }]) }
    : { body: fields.uri === undefined && name !== undefined ? { ...fields, uri: name } : fields };
  const reply = await http.json<{ documents: AddedDocument[] }>(operation, {
    ...body,
    params,
    query: { wait: true, ...toQuery({ retry, reread }) },
    signal: call.signal,
  });
  return reply.documents;
}

const remoteDocuments = (http: RemoteHttp, client: PlainCalls): Footnote['documents'] => ({
  ...client.documents,
  add: (document, call) => add(http, { operation: calls.documents.add }, document, call),
  preview: ({ bytes, name, ...document }, call) =>
    http.json(calls.documents.preview, {
      ...(bytes ? { form: toForm(document, [{ bytes, name: name ?? 'upload' }]) } : { body: document }),
      signal: call?.signal,
    }),
  list: ({ filter, ...page }) =>
    http.json(calls.documents.list, { query: { ...page, ...(filter && { filter: JSON.stringify(filter) }) } }),
  async file(id, range) {
    const reply = await http.response(calls.documents.file, { params: [id], accept: '*/*' });
    const name = /filename\*=UTF-8''([^;]+)/.exec(reply.headers.get('content-disposition') ?? '')?.[1];
    return {
      ...bytesIn(new Uint8Array(await reply.arrayBuffer()), range),
      mime: reply.headers.get('content-type') ?? 'application/octet-stream',
      name: name === undefined ? id : decodeURIComponent(name),
      edition: (reply.headers.get('etag') ?? '').replaceAll('"', ''),
    };
  },
});

// ---- sources, and the runs that read them -----------------------------------------------------------------------------

interface RunEvent {
  readonly type: string;
  readonly ingestion?: Ingestion;
  readonly preview?: Preview;
  readonly problem?: { readonly status: number };
}

/** What a declaration may say; the server tells more of a source. */
const toDeclaration = ({ name, type, authority, ttlSeconds, connector, schedule, watch }: Source): Source =>
  defined({
    name,
    type,
    authority,
    ttlSeconds,
    ...(connector && { connector }),
    ...(schedule && { schedule }),
    ...(watch && { watch }),
  });

const remoteIngestions = (http: RemoteHttp, client: PlainCalls): Footnote['ingestions'] => ({
  ...client.ingestions,
  start({ retry, reread, ...said }, files) {
    const body = files.length === 0 ? { body: said } : { form: toForm(said, files) };
    return http.json(calls.ingestions.start, { ...body, query: toQuery({ retry, reread }) });
  },
  get: (id) => http.json(calls.ingestions.get, { params: [id] }),
  async *watch(id, signal) {
    for await (const event of http.events<RunEvent>(calls.ingestions.get, { params: [id], signal })) {
      if (event.type === 'error') throw toError(event.problem, event.problem?.status ?? 500);
      if (event.ingestion) yield event.ingestion;
    }
  },
});

interface Runs {
  readonly client: PlainCalls;
  readonly ingestions: Footnote['ingestions'];
}

function remoteSources(http: RemoteHttp, { client, ingestions }: Runs): Footnote['sources'] {
  const startSync = (name: string, reading: Reading = {}): Promise<Ingestion> =>
    http.json(calls.sources.startSync, { params: [name], query: toQuery(reading) });
  return {
    ...client.sources,
    put: (source) => http.json(calls.sources.put, { body: toDeclaration(source) }),
    startSync,
    async sync(name, { signal, onProgress, ...reading } = {}) {
      signal?.throwIfAborted();
      let latest = await startSync(name, reading);
      onProgress?.(latest);
      try {
        for await (const ingestion of ingestions.watch(latest.id, signal)) {
          latest = ingestion;
          onProgress?.(ingestion);
        }
      } catch (thrown) {
        if (!signal?.aborted) throw toFootnoteError(thrown);
        await ingestions.cancel(latest.id);
      }
      const { id, source, state, startedAt, finishedAt, counts, error } = await ingestions.get(latest.id);
      return defined({ id, source, state, startedAt, counts, finishedAt, ...(error && { error }) });
    },
    preview: (source, { signal, onProgress }: SyncOptions = {}) =>
      follow(
        http.events<RunEvent>(calls.sources.preview, { body: toDeclaration(source), signal }),
        ({ ingestion, preview }) => {
          if (ingestion) onProgress?.(ingestion);
          return preview;
        },
        'a finding',
      ),
  };
}

// ---- the archive of conversations, and traces -------------------------------------------------------------------------

type ChatEvent = ArchiveChatEvent | ({ readonly type: 'done' } & ArchiveChatAnswer) | { readonly type: 'error' };

const remoteConversations = (http: RemoteHttp, client: PlainCalls): Footnote['conversations'] => ({
  ...client.conversations,
  async import({ content, details }, call) {
    const { name, format, timeZone, shared, redact } = typeof details === 'function' ? details() : details;
    const form = new FormData();
    const fields = { name: basename(name), format, time_zone: timeZone, shared, redact };
    for (const [field, value] of Object.entries(fields)) if (value !== undefined) form.set(field, String(value));
    const toPart = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => Uint8Array.from(bytes);
    const blob = 'path' in content ? await openAsBlob(content.path) : new Blob(await Array.fromAsync(content, toPart));
    form.set('file', blob, basename(name));
    return http.json(calls.conversations.import, { form, signal: call?.signal });
  },
  chat: (body, call) =>
    follow(
      http.events<ChatEvent>(calls.conversations.chat, { query: { events: 'all' }, body, signal: call?.signal }),
      (event) => {
        if (event.type === 'done') {
          const { type: _, ...answer } = event;
          return answer;
        }
        if (event.type !== 'error') call?.onEvent?.(event);
        return undefined;
      },
    ),
});

function remoteTraces(http: RemoteHttp, client: PlainCalls): Footnote['traces'] {
  const read = (id: string) => http.json<SavedTrace | SessionTraces>(calls.traces.get, { params: [id] });
  const missing = (what: string, id: string): FootnoteError =>
    new FootnoteError('not-found', `There is no ${what} "${id}".`);
  return {
    ...client.traces,
    async get(id) {
      const found = await read(id);
      if ('trace' in found) return found;
      throw missing('trace', id);
    },
    async ofSession(id) {
      const found = await read(id);
      if ('sessionId' in found) return found;
      throw missing('session', id);
    },
    list: ({ filter: { sessionId: session, ...filter } = {}, ...page }) =>
      http.json(calls.traces.list, { query: { ...page, ...filter, session } }),
    replay: (id, { signal, ...body } = {}) => http.json(calls.traces.replay, { params: [id], body, signal }),
    pin: (id, isPinned) => http.json(isPinned ? calls.traces.pin : calls.traces.unpin, { params: [id] }),
  };
}
