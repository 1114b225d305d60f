// Long-term memories: a caller lists, edits, exports and erases what is remembered of them, and nobody else's.

import { z } from 'zod';
import {
  memoryChangeSchema,
  memoryRequestSchema,
  memorySchema,
  memoryStatsSchema,
  memoryTypes,
  memoryUserSchema,
  prunedSchema,
  pruneRequestSchema,
  recalledMemoriesSchema,
  recallRequestSchema,
} from '../core/memory.ts';
import { nameSchema } from '../core/values/name.ts';
import { damagedSchema, flagSchema, pageQuerySchema } from './contract/contract.ts';
import { operationsFor } from './operation.ts';

const memoryListQuerySchema = pageQuerySchema.extend({
  ...memoryUserSchema.shape,
  type: z.enum(memoryTypes).exactOptional(),
  tag: nameSchema.exactOptional(),
  history: flagSchema.exactOptional().describe('Whether memories whose place another one took are listed, too'),
});

const writtenMemorySchema = memorySchema
  .extend({
    change: z.enum(['created', 'merged']).describe('merged: the same was remembered already'),
    superseded: z.array(z.string()).describe('Ids of memories whose place it took'),
  })
  .meta({ id: 'WrittenMemory' });
const memoryListSchema = z
  .object({ data: z.array(memorySchema), damaged: damagedSchema, nextCursor: z.string().optional() })
  .meta({ id: 'MemoryList' });
const erasedMemoriesSchema = z.object({ erased: z.int().min(0) }).meta({ id: 'ErasedMemories' });

const reader = operationsFor('reader', 'memories');
const exportedTogether = 1000;

export const memories = {
  add: reader.peculiar(
    'POST /v1/memories',
    'Remember something; what says the same is merged, what contradicts supersedes',
    {
      body: memoryRequestSchema,
      reply: writtenMemorySchema,
      replies: { 200: writtenMemorySchema, 201: writtenMemorySchema },
      async run({ footnote }, { body }) {
        const { memory, ...written } = await footnote.memories.add(body);
        return { ...memory, ...written };
      },
      statusOf: ({ change }) => (change === 'created' ? 201 : 200),
    },
  ),
  list: reader.call('GET /v1/memories', 'What is remembered, newest first', {
    query: memoryListQuerySchema,
    reply: memoryListSchema,
  }),
  erase: reader.call('DELETE /v1/memories', 'Erase everything that is remembered of a user, with its history', {
    query: memoryUserSchema,
    reply: erasedMemoriesSchema,
    within: 'erased',
    forgets: true,
  }),
  export: reader.peculiar(
    'GET /v1/memories/export',
    'Everything that is remembered, with its history, in pages of a thousand',
    {
      query: memoryListQuerySchema.pick({ user: true, limit: true, cursor: true }),
      reply: memoryListSchema,
      run: ({ footnote }, { query }) => footnote.memories.list({ limit: exportedTogether, ...query, history: true }),
    },
  ),
  stats: reader.call('GET /v1/memories/stats', 'How much is remembered, by type', {
    query: memoryUserSchema,
    reply: memoryStatsSchema,
  }),
  recall: reader.call('POST /v1/memories/recall', 'The memories that cover most of a query; each counts as used', {
    body: recallRequestSchema,
    reply: recalledMemoriesSchema,
    within: 'data',
  }),
  prune: reader.call(
    'POST /v1/memories/prune',
    'Forget memories that are old and were hardly used; a dry run only tells which',
    {
      body: pruneRequestSchema,
      mayBeEmpty: true,
      reply: prunedSchema,
    },
  ),
  get: reader.call('GET /v1/memories/:id', 'A memory', { query: memoryUserSchema, reply: memorySchema }),
  edit: reader.call('PATCH /v1/memories/:id', 'Edit a memory', {
    query: memoryUserSchema,
    body: memoryChangeSchema,
    reply: memorySchema,
  }),
  delete: reader.call('DELETE /v1/memories/:id', 'Forget a memory: answers and traces that speak of it lose it', {
    query: memoryUserSchema,
    forgets: true,
  }),
};
