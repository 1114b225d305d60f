// Settings of the long-term memory.
import { decimal, flag, integer, later, type Setting, text } from './setting-kinds.ts';

export const memorySettings: readonly Setting[] = [
  later('ENABLE_SEMANTIC_MEMORY', flag, { default: 'false', meaning: 'Long-term memory is recalled' }),
  later('SEMANTIC_MEMORY_RECALL_K', integer(0, 100), { default: '3', meaning: 'Memories recalled' }),
  later('SEMANTIC_MEMORY_MIN_SIMILARITY', decimal(0, 1), {
    default: '0.6',
    meaning: 'Least similarity of a recalled memory',
  }),
  later('SEMANTIC_MEMORY_PRUNE_AGE_DAYS', integer(1, 36_500), {
    default: '90',
    meaning: 'Age at which unused memories are pruned',
  }),
  later('SEMANTIC_MEMORY_DB_PATH', text, { meaning: 'Ignored: memories live in the record' }),
];
