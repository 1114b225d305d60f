// Long-term memory: what one user said about themselves or wished, kept beyond its session. Invariant: a memory is in the words of its
// user, names the turns it was said in, and is never taken from a document.
import { z } from 'zod';
import type { DeepReadonly } from './metadata.ts';

export const memoryTypes = ['episodic', 'semantic', 'procedural', 'preference'] as const;
/** What happened; what is so; how something is done; what is liked or wished. */
export type MemoryType = (typeof memoryTypes)[number];

export const memorySchema = z
  .object({
    id: z.string(),
    type: z.enum(memoryTypes),
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
export type Memory = DeepReadonly<z.output<typeof memorySchema>>;
/** Where a memory was said. Without a session it was said in a single question, without an answer it was written down by its user. */
export type MemoryOrigin = Memory['origins'][number];

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
export type RecalledMemory = DeepReadonly<z.output<typeof recalledMemoriesSchema>>['data'][number];

const count = z.int().min(0);
export const memoryStatsSchema = z
  .object({
    total: count.describe('Memories that hold'),
    byType: z.object({ episodic: count, semantic: count, procedural: count, preference: count }),
    superseded: count,
  })
  .meta({ id: 'MemoryStats' });
export type MemoryStats = DeepReadonly<z.output<typeof memoryStatsSchema>>;

export const memoryDefaults = {
  recallK: 5,
  minSimilarity: 0.6,
  pruneAgeDays: 90,
  pruneUsageCount: 2,
  tagBoost: 0.05,
} as const;

export const memoryLimits = { textCharacters: 2_000, tags: 20, recallK: 100 } as const;

/** What a citation is headed with: nobody takes it for a document. */
export const memoryTitle = ({ type, createdAt }: Pick<Memory, 'type' | 'createdAt'>): string =>
  `Memory (${type}): what the user said on ${createdAt.slice(0, 10)}`;
