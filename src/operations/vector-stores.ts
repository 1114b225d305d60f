// Files and vector stores in the shapes of OpenAI's API: sources and documents as its clients see them. Read as leniently as its other requests are
// (openai.ts); what cannot be honoured is refused by name in src/http/openai/stores/.
import { z } from 'zod';
import { attributeFilterSchema, openaiErrors } from './openai.ts';
import { operationsFor } from './operation.ts';

const attributesSchema = z
  .record(z.string().min(1).max(64), z.union([z.string().max(512), z.number(), z.boolean()]))
  .refine((given) => Object.keys(given).length <= 16, 'holds more than 16 pairs');
const metadataSchema = z
  .record(z.string().min(1).max(64), z.string().max(512))
  .refine((given) => Object.keys(given).length <= 16, 'holds more than 16 pairs');

const staticChunkingSchema = z
  .object({
    type: z.literal('static'),
    static: z.object({
      max_chunk_size_tokens: z.int().min(100).max(4096),
      chunk_overlap_tokens: z.int().min(0).max(2048),
    }),
  })
  .refine(
    ({ static: { max_chunk_size_tokens: most, chunk_overlap_tokens: overlap } }) => overlap * 2 <= most,
    'chunk_overlap_tokens is more than half of max_chunk_size_tokens',
  );
const chunkingSchema = z.discriminatedUnion('type', [z.object({ type: z.literal('auto') }), staticChunkingSchema]);
export type ChunkingStrategy = z.output<typeof chunkingSchema>;

const fileIdSchema = z.string().min(1).max(256);
const toAttachSchema = z.object({
  file_id: fileIdSchema,
  attributes: attributesSchema.optional(),
  chunking_strategy: chunkingSchema.optional(),
});
export type AttachRequest = z.output<typeof toAttachSchema>;
const many = z.array(fileIdSchema).min(1).max(2000).optional();

/** Refused wherever it is said: nothing here goes by itself. */
const expiring = { expires_after: z.looseObject({}).optional() };
export const storeRequestSchema = z
  .object({
    name: z.string().max(256).optional(),
    metadata: metadataSchema.optional(),
    file_ids: z.array(fileIdSchema).max(500).optional(),
    chunking_strategy: chunkingSchema.optional(),
    ...expiring,
  })
  .meta({ id: 'OpenAIVectorStoreRequest' });

const listFields = {
  limit: z.coerce.number().int().min(1).max(100).default(20),
  order: z.enum(['asc', 'desc']).default('desc'),
  after: z.string().max(1024).optional(),
  before: z.string().max(1024).optional(),
};
const listQuerySchema = z.object(listFields);
export type ListQuery = z.output<typeof listQuerySchema>;
const fileStates = ['in_progress', 'completed', 'failed', 'cancelled'] as const;
const storeFilesQuerySchema = z.object({ ...listFields, filter: z.enum(fileStates).optional() });

const searchSchema = z
  .object({
    query: z.union([z.string().min(1).max(20_000), z.array(z.string().min(1).max(20_000)).min(1).max(10)]),
    max_num_results: z.int().min(1).max(50).default(10),
    filters: attributeFilterSchema.optional(),
    ranking_options: z
      .object({ ranker: z.string().optional(), score_threshold: z.number().min(0).max(1).optional() })
      .optional(),
    rewrite_query: z.boolean().optional(),
  })
  .meta({ id: 'OpenAIVectorStoreSearch' });
export type StoreSearch = z.output<typeof searchSchema>;

const fileSchema = z
  .object({
    id: z.string(),
    object: z.literal('file'),
    bytes: z.int(),
    created_at: z.int(),
    filename: z.string(),
    purpose: z.enum(['assistants', 'user_data']),
    status: z.enum(['uploaded', 'processed']),
  })
  .meta({ id: 'OpenAIFile' });
const countFields = Object.fromEntries([...fileStates, 'total'].map((state) => [state, z.int()])) as Record<
  (typeof fileStates)[number] | 'total',
  z.ZodInt
>;
const storeSchema = z
  .object({
    id: z.string(),
    object: z.literal('vector_store'),
    created_at: z.int(),
    name: z.string(),
    usage_bytes: z.int(),
    file_counts: z.object(countFields),
    status: z.enum(['in_progress', 'completed']),
    last_active_at: z.int().nullable(),
    metadata: metadataSchema,
  })
  .meta({ id: 'OpenAIVectorStore' });
const storeFileSchema = z
  .object({
    id: z.string(),
    object: z.literal('vector_store.file'),
    usage_bytes: z.int(),
    created_at: z.int(),
    vector_store_id: z.string(),
    status: z.enum(fileStates),
    last_error: z
      .object({ code: z.enum(['server_error', 'unsupported_file', 'invalid_file']), message: z.string() })
      .nullable(),
    attributes: attributesSchema,
    chunking_strategy: z.union([z.object({ type: z.literal('other') }), staticChunkingSchema]),
  })
  .meta({ id: 'OpenAIVectorStoreFile' });
const batchSchema = z
  .object({
    id: z.string(),
    object: z.literal('vector_store.files_batch'),
    created_at: z.int(),
    vector_store_id: z.string(),
    status: z.enum(fileStates),
    file_counts: z.object(countFields),
  })
  .meta({ id: 'OpenAIFileBatch' });
const textsSchema = z.array(z.object({ type: z.literal('text'), text: z.string() }));
const pageFields = { has_more: z.boolean(), next_page: z.null() };
const contentSchema = z
  .object({ object: z.literal('vector_store.file_content.page'), data: textsSchema, ...pageFields })
  .meta({ id: 'OpenAIFileContent' });
const foundSchema = z
  .object({
    object: z.literal('vector_store.search_results.page'),
    search_query: z.array(z.string()),
    data: z.array(
      z.object({
        file_id: z.string(),
        filename: z.string(),
        score: z.number(),
        attributes: attributesSchema,
        content: textsSchema,
      }),
    ),
    ...pageFields,
  })
  .meta({ id: 'OpenAISearchResults' });

export type FileObject = z.output<typeof fileSchema>;
export type StoreObject = z.output<typeof storeSchema>;
export type StoreFileObject = z.output<typeof storeFileSchema>;
export type BatchObject = z.output<typeof batchSchema>;

const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    object: z.literal('list'),
    data: z.array(item),
    first_id: z.string(),
    last_id: z.string(),
    has_more: z.boolean(),
  });
const deletedOf = <Kind extends string>(object: Kind) =>
  z.object({ id: z.string(), object: z.literal(object), deleted: z.literal(true) });

const replying = <Reply extends z.ZodType>(reply: Reply) => ({ reply, replies: { 200: reply, ...openaiErrors } });
const bytesReply = {
  description: 'The file, in its own media type',
  content: { 'application/octet-stream': { schema: z.string().meta({ format: 'binary' }) } },
};

const reader = operationsFor('reader', 'openai');
const writer = operationsFor('writer', 'openai');
const stores = '/v1/vector_stores';
const files = `${stores}/:id/files`;
const batches = `${stores}/:id/file_batches`;

export const vectorStores = {
  createFile: writer.peculiar('POST /v1/files', 'Keep a file, to be attached to a vector store', {
    lane: 'documents',
    files: 'upload',
    mayBeEmpty: true,
    body: z.looseObject({ purpose: z.string().max(64) }).meta({ id: 'OpenAIFileRequest' }),
    ...replying(fileSchema),
  }),
  listFiles: reader.peculiar('GET /v1/files', 'Files that were uploaded', {
    query: listQuerySchema.extend({
      limit: z.coerce.number().int().min(1).max(10_000).default(10_000),
      purpose: z.string().optional(),
    }),
    ...replying(listOf(fileSchema)),
  }),
  getFile: reader.peculiar(
    'GET /v1/files/:file_id',
    'A file, also one that is a document of a source',
    replying(fileSchema),
  ),
  fileContent: reader.peculiar('GET /v1/files/:file_id/content', 'Its bytes', {
    replies: { 200: bytesReply, ...openaiErrors },
  }),
  deleteFile: writer.peculiar('DELETE /v1/files/:file_id', 'Remove a file from everywhere', {
    ...replying(deletedOf('file')),
    forgets: true,
  }),
  create: writer.peculiar(`POST ${stores}`, 'Make a vector store: a source of its own', {
    body: storeRequestSchema,
    mayBeEmpty: true,
    ...replying(storeSchema),
  }),
  list: reader.peculiar(
    `GET ${stores}`,
    'Vector stores: the sources of which the key may read something, and its own',
    {
      query: listQuerySchema,
      ...replying(listOf(storeSchema)),
    },
  ),
  get: reader.peculiar(`GET ${stores}/:id`, 'A vector store', replying(storeSchema)),
  update: writer.peculiar(`POST ${stores}/:id`, 'Name a vector store or change its metadata', {
    body: storeRequestSchema,
    mayBeEmpty: true,
    ...replying(storeSchema),
  }),
  delete: writer.peculiar(`DELETE ${stores}/:id`, 'Remove a vector store with all its documents', {
    ...replying(deletedOf('vector_store.deleted')),
    forgets: true,
  }),
  attach: writer.peculiar(`POST ${files}`, 'Attach a file: it is read in', {
    body: toAttachSchema,
    ...replying(storeFileSchema),
  }),
  files: reader.peculiar(`GET ${files}`, 'Its documents, and files that are read in or could not be', {
    query: storeFilesQuerySchema,
    ...replying(listOf(storeFileSchema)),
  }),
  file: reader.peculiar(`GET ${files}/:file_id`, 'One of them', replying(storeFileSchema)),
  updateFile: writer.peculiar(`POST ${files}/:file_id`, 'Replace its attributes', {
    body: z.object({ attributes: attributesSchema.optional() }),
    ...replying(storeFileSchema),
  }),
  detach: writer.peculiar(`DELETE ${files}/:file_id`, 'Take it out of the vector store; an uploaded file stays', {
    ...replying(deletedOf('vector_store.file.deleted')),
    forgets: true,
  }),
  text: reader.peculiar(`GET ${files}/:file_id/content`, 'Its text', replying(contentSchema)),
  createBatch: writer.peculiar(`POST ${batches}`, 'Attach several files', {
    body: z.object({
      file_ids: many,
      files: z.array(toAttachSchema).min(1).max(2000).optional(),
      attributes: attributesSchema.optional(),
      chunking_strategy: chunkingSchema.optional(),
    }),
    ...replying(batchSchema),
  }),
  batch: reader.peculiar(`GET ${batches}/:batch_id`, 'What became of them', replying(batchSchema)),
  cancelBatch: writer.peculiar(`POST ${batches}/:batch_id/cancel`, 'Read no more of them', {
    mayBeEmpty: true,
    ...replying(batchSchema),
  }),
  batchFiles: reader.peculiar(`GET ${batches}/:batch_id/files`, 'Each of them', {
    query: storeFilesQuerySchema,
    ...replying(listOf(storeFileSchema)),
  }),
  search: reader.peculiar(`POST ${stores}/:id/search`, 'Search a vector store', {
    lane: 'questions',
    body: searchSchema,
    ...replying(foundSchema),
  }),
};
