// Long-term memories: a caller lists, edits, exports and erases what is remembered of them, and nobody else's.
import {
  erasedMemoriesSchema,
  memoryChangeSchema,
  memoryListQuerySchema,
  memoryListSchema,
  memoryRequestSchema,
  memorySchema,
  memoryStatsSchema,
  memoryUserQuerySchema,
  prunedSchema,
  pruneRequestSchema,
  recalledMemoriesSchema,
  recallRequestSchema,
  writtenMemorySchema,
} from './contract/memories.ts';
import { operation, peculiar } from './operation.ts';

const reader = { role: 'reader', tag: 'memories' } as const;
const exportedTogether = 1000;

export const memories = {
  add: peculiar('POST /v1/memories', {
    ...reader,
    summary: 'Remember something; what says the same is merged, what contradicts supersedes',
    body: memoryRequestSchema,
    reply: writtenMemorySchema,
    replies: { 200: writtenMemorySchema, 201: writtenMemorySchema },
    async run({ footnote }, { body }) {
      const { memory, ...written } = await footnote.memories.add(body);
      return { ...memory, ...written };
    },
    statusOf: ({ change }) => (change === 'created' ? 201 : 200),
  }),
  list: operation('GET /v1/memories', {
    ...reader,
    summary: 'What is remembered, newest first',
    query: memoryListQuerySchema,
    reply: memoryListSchema,
  }),
  erase: operation('DELETE /v1/memories', {
    ...reader,
    summary: 'Erase everything that is remembered of a user, with its history',
    query: memoryUserQuerySchema,
    reply: erasedMemoriesSchema,
    within: 'erased',
    forgets: true,
  }),
  export: peculiar('GET /v1/memories/export', {
    ...reader,
    summary: 'Everything that is remembered, with its history, in pages of a thousand',
    query: memoryListQuerySchema.pick({ user: true, limit: true, cursor: true }),
    reply: memoryListSchema,
    run: ({ footnote }, { query }) => footnote.memories.list({ limit: exportedTogether, ...query, history: true }),
  }),
  stats: operation('GET /v1/memories/stats', {
    ...reader,
    summary: 'How much is remembered, by type',
    query: memoryUserQuerySchema,
    reply: memoryStatsSchema,
  }),
  recall: operation('POST /v1/memories/recall', {
    ...reader,
    summary: 'The memories that cover most of a query; each counts as used',
    body: recallRequestSchema,
    reply: recalledMemoriesSchema,
    within: 'data',
  }),
  prune: operation('POST /v1/memories/prune', {
    ...reader,
    summary: 'Forget memories that are old and were hardly used; a dry run only tells which',
    body: pruneRequestSchema,
    mayBeEmpty: true,
    reply: prunedSchema,
  }),
  get: operation('GET /v1/memories/:id', {
    ...reader,
    summary: 'A memory',
    query: memoryUserQuerySchema,
    reply: memorySchema,
  }),
  edit: operation('PATCH /v1/memories/:id', {
    ...reader,
    summary: 'Edit a memory',
    query: memoryUserQuerySchema,
    body: memoryChangeSchema,
    reply: memorySchema,
  }),
  delete: operation('DELETE /v1/memories/:id', {
    ...reader,
    summary: 'Forget a memory: answers and traces that speak of it lose it',
    query: memoryUserQuerySchema,
    forgets: true,
  }),
};
