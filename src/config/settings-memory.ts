// Settings of the long-term memory.
import { decimal, flag, integer, later, type Setting, text } from './setting-kinds.ts';

export const memorySettings: readonly Setting[] = [
  {
    name: 'ENABLE_SEMANTIC_MEMORY',
    schema: flag,
    default: 'false',
    meaning:
      'Whether what users say about themselves is remembered beyond its session, and recalled for later questions',
  },
  {
    name: 'SEMANTIC_MEMORY_RECALL_K',
    schema: integer(0, 100),
    default: '3',
    meaning: 'Memories recalled for a question',
  },
  {
    name: 'SEMANTIC_MEMORY_MIN_SIMILARITY',
    schema: decimal(0, 1),
    default: '0.6',
    meaning: "Least similarity of a recalled memory: the share of the question's idf that it covers",
  },
  {
    name: 'SEMANTIC_MEMORY_PRUNE_AGE_DAYS',
    schema: integer(1, 36_500),
    default: '90',
    meaning: 'Age at which pruning takes memories that were hardly used, unless it is told another',
  },
  later('SEMANTIC_MEMORY_DB_PATH', text, { meaning: 'Ignored: memories live in the record' }),
];
