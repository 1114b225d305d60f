// The long-term memory, as its settings say.

export interface MemoryConfig {
  /** Whether questions write and recall memories. */
  readonly isOn: boolean;
  readonly recallK: number;
  /** 0..1 */
  readonly minSimilarity: number;
  readonly pruneAgeDays: number;
}

export function readMemory(values: ReadonlyMap<string, string | number | boolean>): MemoryConfig {
  const number = (name: string): number => Number(values.get(name) ?? 0);
  return Object.freeze({
    isOn: values.get('ENABLE_SEMANTIC_MEMORY') === true,
    recallK: number('SEMANTIC_MEMORY_RECALL_K'),
    minSimilarity: number('SEMANTIC_MEMORY_MIN_SIMILARITY'),
    pruneAgeDays: number('SEMANTIC_MEMORY_PRUNE_AGE_DAYS'),
  });
}
