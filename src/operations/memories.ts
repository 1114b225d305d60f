// Long-term memories: a caller lists, edits, exports and erases what is remembered of them, and nobody else's.

import { z } from 'zod';
import { memoryLimits, memorySchema, memoryStatsSchema, memoryTypes, recalledMemoriesSchema } from '../core/memory.ts';
import { damagedSchema, flagSchema, nameSchema, pageQuerySchema } from './contract/contract.ts';
import { operationsFor } from './operation.ts';

const user = nameSchema.describe(
  "Whose memories, where one key serves several people; absent: the key's owner. Memories of one key are never seen by another",
);
const type = z.enum(memoryTypes);
const text = z.string().trim().min(1).max(memoryLimits.textCharacters);
const tags = z.array(nameSchema).max(memoryLimits.tags);

const memoryUserQuerySchema = z.strictObject({ user: user.exactOptional() });
const memoryListQuerySchema = pageQuerySchema.extend({
  user: user.exactOptional(),
  type: type.exactOptional(),
  tag: nameSchema.exactOptional(),
  history: flagSchema.exactOptional().describe('Whether memories whose place another one took are listed, too'),
});

const memoryRequestSchema = z
  .strictObject({
    text,
    type: type.exactOptional(),
    tags: tags.exactOptional(),
    sessionId: nameSchema.exactOptional(),
    user: user.exactOptional(),
  })
  .meta({ id: 'MemoryRequest' });

const memoryChangeSchema = z
  .strictObject({ text: text.exactOptional(), type: type.exactOptional(), tags: tags.exactOptional() })
  .meta({ id: 'MemoryChange' });

const recallRequestSchema = z
  .strictObject({
    query: z.string().trim().min(1).max(10_000),
    k: z.int().min(1).max(memoryLimits.recallK).exactOptional(),
    type: type.exactOptional(),
    sessionId: nameSchema.exactOptional(),
    tags: tags.exactOptional(),
    minSimilarity: z.number().min(0).max(1).exactOptional(),
    maxAgeDays: z.number().min(0).max(36_500).exactOptional(),
    user: user.exactOptional(),
  })
  .meta({ id: 'RecallRequest' });

const pruneRequestSchema = z
  .strictObject({
    maxAgeDays: z.number().min(0).max(36_500).exactOptional(),
    minUsageCount: z.int().min(0).exactOptional(),
    dryRun: z.boolean().exactOptional(),
    user: user.exactOptional(),
  })
  .meta({ id: 'PruneRequest' });

const writtenMemorySchema = memorySchema
  .extend({
    change: z.enum(['created', 'merged']).describe('merged: the same was remembered already'),
    superseded: z.array(z.string()).describe('Ids of memories whose place it took'),
  })
  .meta({ id: 'WrittenMemory' });
const memoryListSchema = z
  .object({ data: z.array(memorySchema), damaged: damagedSchema, nextCursor: z.string().optional() })
  .meta({ id: 'MemoryList' });
const prunedSchema = z
  .object({
    dryRun: z.boolean(),
    pruned: z.int(),
    memories: z.array(z.string()).describe('Their ids, oldest first, at most 1,000'),
  })
  .meta({ id: 'PrunedMemories' });
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
    query: memoryUserQuerySchema,
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
    query: memoryUserQuerySchema,
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
  get: reader.call('GET /v1/memories/:id', 'A memory', { query: memoryUserQuerySchema, reply: memorySchema }),
  edit: reader.call('PATCH /v1/memories/:id', 'Edit a memory', {
    query: memoryUserQuerySchema,
    body: memoryChangeSchema,
    reply: memorySchema,
  }),
  delete: reader.call('DELETE /v1/memories/:id', 'Forget a memory: answers and traces that speak of it lose it', {
    query: memoryUserQuerySchema,
    forgets: true,
  }),
};
