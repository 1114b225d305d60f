// Long-term memory: what one user said about themselves or wished, kept beyond its session. Invariant: a memory is in the words of its
// user, names the turns it was said in, and is never taken from a document.
import { z } from 'zod';
import type { DeepReadonly } from './metadata.ts';
import { nameSchema } from './values/name.ts';

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
          .describe('The chance that the memory bears on the query, 0..1, and 0.05 for each tag that matches'),
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

const user = nameSchema.describe(
  "Whose memories, where one key serves several people; absent: the key's owner. Memories of one key are never seen by another",
);
const type = z.enum(memoryTypes);
const text = z.string().trim().min(1).max(memoryLimits.textCharacters);
const tags = z.array(nameSchema).max(memoryLimits.tags);

/** Whose memories: of the owner of the key where no user is named. */
export const memoryUserSchema = z.strictObject({ user: user.exactOptional() });
export type OfUser = Readonly<z.output<typeof memoryUserSchema>>;

export const memoryRequestSchema = z
  .strictObject({
    text,
    /** Default: `semantic`. */
    type: type.exactOptional(),
    tags: tags.exactOptional(),
    /** The session that it belongs to. */
    sessionId: nameSchema.exactOptional(),
    user: user.exactOptional(),
  })
  .meta({ id: 'MemoryRequest' });
export type AddMemory = DeepReadonly<z.output<typeof memoryRequestSchema>>;

export const memoryChangeSchema = z
  .strictObject({ text: text.exactOptional(), type: type.exactOptional(), tags: tags.exactOptional() })
  .meta({ id: 'MemoryChange' });
export type MemoryChange = DeepReadonly<z.output<typeof memoryChangeSchema>>;

export const recallRequestSchema = z
  .strictObject({
    query: z.string().trim().min(1).max(10_000),
    /** Default 5. */
    k: z.int().min(1).max(memoryLimits.recallK).exactOptional(),
    type: type.exactOptional(),
    sessionId: nameSchema.exactOptional(),
    tags: tags.exactOptional(),
    /** Default 0.6. */
    minSimilarity: z.number().min(0).max(1).exactOptional(),
    maxAgeDays: z.number().min(0).max(36_500).exactOptional(),
    user: user.exactOptional(),
  })
  .meta({ id: 'RecallRequest' });
export type RecallMemories = DeepReadonly<z.output<typeof recallRequestSchema>>;

export const findEpisodesSchema = recallRequestSchema
  .pick({ query: true, k: true, minSimilarity: true, user: true })
  .meta({ id: 'FindEpisodes' });
export type FindEpisodes = DeepReadonly<z.output<typeof findEpisodesSchema>>;

export const episodeSchema = z
  .object({
    answerId: z.string(),
    question: z.string().describe('As it was asked then'),
    at: z.string().describe('When it was found good'),
    similarity: z.number().describe('0 to 1: how near that question is to this one'),
    claims: z.array(z.string()).describe('What was answered, sentence by sentence'),
    documents: z.array(z.object({ documentId: z.string(), title: z.string() })).describe('What it cites'),
  })
  .meta({ id: 'Episode' });
/** An answer that a person found good. */
export type Episode = DeepReadonly<z.output<typeof episodeSchema>>;

export const pruneRequestSchema = z
  .strictObject({
    /** Default 90. */
    maxAgeDays: z.number().min(0).max(36_500).exactOptional(),
    /** Memories that were used as often stay. Default 2. */
    minUsageCount: z.int().min(0).exactOptional(),
    dryRun: z.boolean().exactOptional(),
    user: user.exactOptional(),
  })
  .meta({ id: 'PruneRequest' });
export type PruneMemories = Readonly<z.output<typeof pruneRequestSchema>>;

export const prunedSchema = z
  .object({
    dryRun: z.boolean(),
    pruned: z.int(),
    memories: z.array(z.string()).describe('Their ids, oldest first, at most 1,000'),
  })
  .meta({ id: 'PrunedMemories' });
export type PruneReport = DeepReadonly<z.output<typeof prunedSchema>>;

/** What a citation is headed with: nobody takes it for a document. */
export const memoryTitle = ({ type, createdAt }: Pick<Memory, 'type' | 'createdAt'>): string =>
  `Memory (${type}): what the user said on ${createdAt.slice(0, 10)}`;
