// The calls of OpenAI's files and vector stores that this store makes, through the vendor's own client, loaded with the first call.
// Invariants: every reply is checked before it is used, every call ends (by its own time, or as soon as the signal aborts), all traffic
// leaves through the way out that it is given, and only FootnoteError is thrown. Nothing is tried twice here: whoever delivers does that.

import type { OpenAI } from 'openai';
import { z } from 'zod';
import { FootnoteError } from '../../core/errors.ts';
import { joinedAbort } from '../../core/signals/joined-abort.ts';
import { abortError, untilAborted } from '../../core/waiting/until-aborted.ts';
import type { Fetch } from '../../net/egress.ts';
import { toStoreError } from './errors.ts';

export interface VectorStoreAccess {
  readonly apiKey: string;
  /** With its path: `https://api.openai.com/v1`. */
  readonly address: string;
  readonly fetch: Fetch;
  /** Longest time of one call. Default 30 s; of an upload four times as long. */
  readonly callTimeoutMs?: number;
}

const attributesSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
export type Attributes = Readonly<z.infer<typeof attributesSchema>>;
/** Of files of others too, who may write what they want: what is no value of ours is left out. */
const toldAttributes = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform(
    (value): z.infer<typeof attributesSchema> =>
      Object.fromEntries(
        Object.entries(value ?? {}).flatMap(([key, one]) =>
          typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean' ? [[key, one]] : [],
        ),
      ),
  );

const vectorStoreSchema = z.object({
  id: z.string().min(1),
  name: z.string().nullish(),
  status: z.enum(['expired', 'in_progress', 'completed']),
  usage_bytes: z.number(),
  created_at: z.number(),
  file_counts: z.object({ total: z.number(), completed: z.number(), in_progress: z.number() }),
  metadata: z.record(z.string(), z.string()).nullish(),
});
export type VectorStore = z.infer<typeof vectorStoreSchema>;

const statusSchema = z.enum(['in_progress', 'completed', 'cancelled', 'failed']);
const attachedSchema = z.object({
  id: z.string().min(1),
  status: statusSchema,
  last_error: z.object({ code: z.string() }).nullish(),
  attributes: toldAttributes,
});
export type AttachedFile = z.infer<typeof attachedSchema>;

const uploadedSchema = z.object({ id: z.string().min(1), filename: z.string() });
export type UploadedFile = z.infer<typeof uploadedSchema>;

const batchSchema = z.object({ id: z.string().min(1) });
export type FileBatch = z.infer<typeof batchSchema>;

const foundSchema = z.object({
  has_more: z.boolean().nullish(),
  data: z.array(
    z.object({
      file_id: z.string(),
      score: z.number(),
      attributes: toldAttributes,
      content: z.array(z.object({ type: z.string(), text: z.string().nullish() })),
    }),
  ),
});
export type FoundPieces = z.infer<typeof foundSchema>;

const deletedSchema = z.object({ deleted: z.boolean() });
const listOf = <T extends z.ZodType>(item: T) => z.object({ data: z.array(item), has_more: z.boolean().nullish() });

/** A filter in the vendor's dialect. */
export type NativeFilter =
  | {
      readonly type: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte';
      readonly key: string;
      readonly value: string | number | boolean;
    }
  | { readonly type: 'in' | 'nin'; readonly key: string; readonly value: readonly (string | number)[] }
  | { readonly type: 'and' | 'or'; readonly filters: readonly NativeFilter[] };

export interface NewAttachment {
  readonly fileId: string;
  readonly attributes: Attributes;
}

export interface VectorStoreClient {
  vectorStores(signal?: AbortSignal): Promise<readonly VectorStore[]>;
  vectorStore(id: string, signal?: AbortSignal): Promise<VectorStore>;
  createVectorStore(
    facts: { readonly name: string; readonly metadata: Readonly<Record<string, string>> },
    signal?: AbortSignal,
  ): Promise<VectorStore>;
  removeVectorStore(id: string, signal?: AbortSignal): Promise<void>;
  upload(file: { readonly name: string; readonly text: string }, signal?: AbortSignal): Promise<UploadedFile>;
  uploadedFiles(signal?: AbortSignal): Promise<readonly UploadedFile[]>;
  removeUploaded(fileId: string, signal?: AbortSignal): Promise<void>;
  attach(storeId: string, file: NewAttachment, signal?: AbortSignal): Promise<AttachedFile>;
  attachAll(storeId: string, files: readonly NewAttachment[], signal?: AbortSignal): Promise<FileBatch>;
  batchFiles(storeId: string, batchId: string, signal?: AbortSignal): Promise<readonly AttachedFile[]>;
  attached(storeId: string, fileId: string, signal?: AbortSignal): Promise<AttachedFile>;
  attachedFiles(storeId: string, signal?: AbortSignal): Promise<readonly AttachedFile[]>;
  describe(storeId: string, file: NewAttachment, signal?: AbortSignal): Promise<AttachedFile>;
  detach(storeId: string, fileId: string, signal?: AbortSignal): Promise<void>;
  search(
    storeId: string,
    query: { readonly text: string; readonly filter: NativeFilter; readonly most: number },
    signal?: AbortSignal,
  ): Promise<FoundPieces>;
}

/** The vendor cuts attached files so, which is its own default: said, so that a change of the default changes nothing here. */
const chunking = { type: 'static', static: { max_chunk_size_tokens: 800, chunk_overlap_tokens: 400 } } as const;
const pageSize = 100;
const uploadedPageSize = 10_000;
const mostPages = 10_000;
/** What the vendor's client sends that the vendor needs; it adds headers of its own from the environment, which is not asked here. */
const sentHeaders: ReadonlySet<string> = new Set(['accept', 'content-type', 'openai-beta', 'user-agent']);

interface ListedPage<T> {
  readonly data: readonly T[];
  readonly has_more?: boolean | null | undefined;
}

type Options = { readonly signal: AbortSignal; readonly maxRetries: 0 };

export function createVectorStoreClient(access: VectorStoreAccess): VectorStoreClient {
  const { apiKey, address, callTimeoutMs = 30_000 } = access;
  const uploadTimeoutMs = callTimeoutMs * 4;

  /** Our way out takes text and bytes: forms are written out first. */
  const fetch: Fetch = async (input, init = {}) => {
    const headers = new Headers();
    for (const [name, value] of new Headers(init.headers)) if (sentHeaders.has(name)) headers.set(name, value);
    headers.set('authorization', `Bearer ${apiKey}`);
    if (!(init.body instanceof FormData)) return access.fetch(input, { ...init, headers });
    const form = new Response(init.body);
    headers.set('content-type', form.headers.get('content-type') ?? '');
    return access.fetch(input, { ...init, headers, body: new Uint8Array(await form.arrayBuffer()) });
  };

  let loading: Promise<OpenAI> | undefined;
  const load = async (): Promise<OpenAI> => {
    const { OpenAI } = await import('openai');
    return new OpenAI({
      apiKey,
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      baseURL: address,
      fetch,
      maxRetries: 0,
      logLevel: 'off',
    });
  };

  /** One call: within its time, checked, translated. */
  async function call<T extends z.ZodType>(
    what: {
      readonly to: string;
      readonly reply: T;
      readonly timeoutMs?: number;
      readonly signal: AbortSignal | undefined;
    },
    ask: (client: OpenAI, options: Options) => Promise<unknown>,
  ): Promise<z.output<T>> {
    const { to, reply, timeoutMs = callTimeoutMs, signal } = what;
    if (signal?.aborted) throw abortError(signal);
    const overdue = AbortSignal.timeout(timeoutMs);
    const ends = joinedAbort(signal ? [signal, overdue] : [overdue]);
    let told: unknown;
    try {
      loading ??= load();
      const client = await loading;
      told = await untilAborted(ask(client, { signal: ends.signal, maxRetries: 0 }), ends.signal);
    } catch (thrown) {
      throw toStoreError(thrown, { to, address, signal, isOverdue: overdue.aborted, timeoutMs });
    } finally {
      ends.release();
    }
    const parsed = reply.safeParse(told);
    if (parsed.success) return parsed.data;
    throw new FootnoteError(
      'upstream-invalid',
      `OpenAI was asked to ${to} and answered in a form that is not its own.`,
      {
        details: { address },
      },
    );
  }

  /** All pages of a list; one that does not end is refused. */
  async function all<T extends { readonly id: string }>(
    read: (after: string | undefined) => Promise<ListedPage<T>>,
  ): Promise<readonly T[]> {
    const items = new Map<string, T>();
    let after: string | undefined;
    for (let page = 0; page < mostPages; page += 1) {
      const { data, has_more: hasMore } = await read(after);
      const known = items.size;
      for (const item of data) items.set(item.id, item);
      if (!hasMore) return [...items.values()];
      if (items.size === known) break;
      after = data.at(-1)?.id;
    }
    throw new FootnoteError('upstream-invalid', 'OpenAI answered with a list that does not end.', {
      details: { address },
    });
  }

  const paged = (after: string | undefined, limit = pageSize) => ({
    limit,
    order: 'asc' as const,
    ...(after && { after }),
  });
  /** Raw bodies: the client's own page objects fetch on by themselves. */
  const bodyOf = async (asked: { asResponse(): Promise<Response> }): Promise<unknown> =>
    (await asked.asResponse()).json();

  const attachment = ({ fileId, attributes }: NewAttachment) => ({
    file_id: fileId,
    attributes: { ...attributes },
    chunking_strategy: chunking,
  });

  return {
    vectorStores: (signal) =>
      all((after) =>
        call({ to: 'list vector stores', reply: listOf(vectorStoreSchema), signal }, (client, options) =>
          bodyOf(client.vectorStores.list(paged(after), options)),
        ),
      ),
    vectorStore: (id, signal) =>
      call({ to: 'show a vector store', reply: vectorStoreSchema, signal }, (client, options) =>
        client.vectorStores.retrieve(id, options),
      ),
    createVectorStore: ({ name, metadata }, signal) =>
      call({ to: 'create a vector store', reply: vectorStoreSchema, signal }, (client, options) =>
        client.vectorStores.create({ name, metadata: { ...metadata } }, options),
      ),
    async removeVectorStore(id, signal) {
      await call({ to: 'delete a vector store', reply: deletedSchema, signal }, (client, options) =>
        client.vectorStores.delete(id, options),
      );
    },
    upload: ({ name, text }, signal) =>
      call({ to: 'take a file', reply: uploadedSchema, timeoutMs: uploadTimeoutMs, signal }, (client, options) =>
        client.files.create({ file: new File([text], name, { type: 'text/plain' }), purpose: 'assistants' }, options),
      ),
    uploadedFiles: (signal) =>
      all((after) =>
        call({ to: 'list files', reply: listOf(uploadedSchema), signal }, (client, options) =>
          bodyOf(client.files.list({ ...paged(after, uploadedPageSize), purpose: 'assistants' }, options)),
        ),
      ),
    async removeUploaded(fileId, signal) {
      await call({ to: 'delete a file', reply: deletedSchema, signal }, (client, options) =>
        client.files.delete(fileId, options),
      );
    },
    attach: (storeId, file, signal) =>
      call({ to: 'index a file', reply: attachedSchema, signal }, (client, options) =>
        client.vectorStores.files.create(storeId, attachment(file), options),
      ),
    attachAll: (storeId, files, signal) =>
      call({ to: 'index a batch of files', reply: batchSchema, signal }, (client, options) =>
        client.vectorStores.fileBatches.create(storeId, { files: files.map(attachment) }, options),
      ),
    batchFiles: (storeId, batchId, signal) =>
      all((after) =>
        call({ to: 'list a batch of files', reply: listOf(attachedSchema), signal }, (client, options) =>
          bodyOf(
            client.vectorStores.fileBatches.listFiles(batchId, { vector_store_id: storeId, ...paged(after) }, options),
          ),
        ),
      ),
    attached: (storeId, fileId, signal) =>
      call({ to: 'show an indexed file', reply: attachedSchema, signal }, (client, options) =>
        client.vectorStores.files.retrieve(fileId, { vector_store_id: storeId }, options),
      ),
    attachedFiles: (storeId, signal) =>
      all((after) =>
        call({ to: 'list indexed files', reply: listOf(attachedSchema), signal }, (client, options) =>
          bodyOf(client.vectorStores.files.list(storeId, paged(after), options)),
        ),
      ),
    describe: (storeId, { fileId, attributes }, signal) =>
      call({ to: 'change the attributes of a file', reply: attachedSchema, signal }, (client, options) =>
        client.vectorStores.files.update(fileId, { vector_store_id: storeId, attributes: { ...attributes } }, options),
      ),
    async detach(storeId, fileId, signal) {
      await call({ to: 'take a file out of the index', reply: deletedSchema, signal }, (client, options) =>
        client.vectorStores.files.delete(fileId, { vector_store_id: storeId }, options),
      );
    },
    search: (storeId, { text, filter, most }, signal) =>
      call({ to: 'search', reply: foundSchema, signal }, (client, options) =>
        bodyOf(
          client.vectorStores.search(
            storeId,
            // The types of the client do not know that filters may stand within filters; its server does.
            { query: text, max_num_results: most, filters: filter as never, rewrite_query: false },
            options,
          ),
        ),
      ),
  };
}
