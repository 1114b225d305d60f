// The long-term memory: its settings, and what they say.
import { decimal, flag, integer, type SettingKinds, unused, type ValuesOf } from './setting-kinds.ts';

export const memorySettings = {
  ENABLE_SEMANTIC_MEMORY: flag
    .default(false)
    .describe(
      'Whether what users say about themselves is remembered beyond its session, and recalled for later questions',
    ),
  SEMANTIC_MEMORY_RECALL_K: integer(0, 100).default(3).describe('Memories recalled for a question'),
  SEMANTIC_MEMORY_MIN_SIMILARITY: decimal(0, 1)
    .default(0.6)
    .describe("Least similarity of a recalled memory: the share of the question's idf that it covers"),
  SEMANTIC_MEMORY_PRUNE_AGE_DAYS: integer(1, 36_500)
    .default(90)
    .describe('Age at which pruning takes memories that were hardly used, unless it is told another'),
  SEMANTIC_MEMORY_DB_PATH: unused('Ignored: memories live in the record'),
} satisfies SettingKinds;

export const readMemory = (values: ValuesOf<typeof memorySettings>) => ({
  /** Whether questions write and recall memories. */
  isOn: values.ENABLE_SEMANTIC_MEMORY,
  recallK: values.SEMANTIC_MEMORY_RECALL_K,
  /** 0..1 */
  minSimilarity: values.SEMANTIC_MEMORY_MIN_SIMILARITY,
  pruneAgeDays: values.SEMANTIC_MEMORY_PRUNE_AGE_DAYS,
});
