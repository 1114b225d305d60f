// What the routes of long-term memories take and give.
import { z } from 'zod';
import { memoryLimits, memoryTypes } from '../../core/memory.ts';
import { damagedSchema, flagSchema, nameSchema, pageQuerySchema } from './contract.ts';

const user = nameSchema.describe(
  "Whose memories, where one key serves several people; absent: the key's owner. Memories of one key are never seen by another",
);
const type = z.enum(memoryTypes);
const text = z.string().trim().min(1).max(memoryLimits.textCharacters);
const tags = z.array(nameSchema).max(memoryLimits.tags);

export const memoryUserQuerySchema = z.strictObject({ user: user.exactOptional() });
export const memoryListQuerySchema = pageQuerySchema.extend({
  user: user.exactOptional(),
  type: type.exactOptional(),
  tag: nameSchema.exactOptional(),
  history: flagSchema.exactOptional().describe('Whether memories whose place another one took are listed, too'),
});

export const memoryRequestSchema = z
  .strictObject({
    text,
    type: type.exactOptional(),
    tags: tags.exactOptional(),
    sessionId: nameSchema.exactOptional(),
    user: user.exactOptional(),
  })
  .meta({ id: 'MemoryRequest' });

export const memoryChangeSchema = z
  .strictObject({ text: text.exactOptional(), type: type.exactOptional(), tags: tags.exactOptional() })
  .meta({ id: 'MemoryChange' });

export const recallRequestSchema = z
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

export const pruneRequestSchema = z
  .strictObject({
    maxAgeDays: z.number().min(0).max(36_500).exactOptional(),
    minUsageCount: z.int().min(0).exactOptional(),
    dryRun: z.boolean().exactOptional(),
    user: user.exactOptional(),
  })
  .meta({ id: 'PruneRequest' });

export const memorySchema = z
  .object({
    id: z.string(),
    type,
    text: z.string().describe('In the words of its user'),
    tags: z.array(z.string()),
    origins: z
      .array(
        z.object({
          sessionId: z.string().optional(),
          turnId: z.string().optional(),
          answerId: z.string().optional(),
          at: z.string(),
        }),
      )
      .describe('Where it was said, oldest first; without a session it was asked or written down by itself'),
    createdAt: z.string(),
    updatedAt: z.string(),
    validFrom: z.string(),
    validUntil: z.string().optional().describe('Until when it held; absent: it holds'),
    supersededBy: z.string().optional().describe('The memory that took its place'),
    usageCount: z.int(),
    lastAccessedAt: z.string().optional(),
  })
  .meta({ id: 'Memory' });
export const writtenMemorySchema = memorySchema
  .extend({
    change: z.enum(['created', 'merged']).describe('merged: the same was remembered already'),
    superseded: z.array(z.string()).describe('Ids of memories whose place it took'),
  })
  .meta({ id: 'WrittenMemory' });
export const memoryListSchema = z
  .object({ data: z.array(memorySchema), damaged: damagedSchema, nextCursor: z.string().optional() })
  .meta({ id: 'MemoryList' });
export const recalledMemoriesSchema = z
  .object({
    data: z.array(
      memorySchema.extend({
        similarity: z
          .number()
          .describe("Share of the query's idf that the memory covers, 0..1, and 0.05 for each tag that matches"),
      }),
    ),
  })
  .meta({ id: 'RecalledMemories' });
export const prunedSchema = z
  .object({
    dryRun: z.boolean(),
    pruned: z.int(),
    memories: z.array(z.string()).describe('Their ids, oldest first, at most 1,000'),
  })
  .meta({ id: 'PrunedMemories' });
const count = z.int().min(0);
export const memoryStatsSchema = z
  .object({
    total: count.describe('Memories that hold'),
    byType: z.object({ episodic: count, semantic: count, procedural: count, preference: count }),
    superseded: count,
  })
  .meta({ id: 'MemoryStats' });
export const erasedMemoriesSchema = z.object({ erased: count }).meta({ id: 'ErasedMemories' });
