// Opens the long-term memory of one scope.
import type { SpanReader } from '../../answer/claims/draft.ts';
import type { Config } from '../../config.ts';
import type { Clock, Ids } from '../../core/ids.ts';
import { memoryTitle } from '../../core/memory.ts';
import type { TenantRecord } from '../../db/tenant-record.ts';
import type { Meaning } from '../../memory/facts/fitted/meaning.ts';
import { createRequestMemory, type RequestMemory } from '../../memory/facts/for-requests.ts';
import { createLongTermMemory, type LongTermMemory } from '../../memory/facts/long-term.ts';
import { countedMemories } from './counted-memories.ts';

interface MemoryParts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly meaning: Meaning;
  readonly config: Pick<Config, 'memory'>;
  /** Counts what becomes of memories. */
  readonly told: Parameters<typeof countedMemories>[1];
}

export function openLongTermMemory(
  record: TenantRecord,
  { clock, ids, meaning, config, told }: MemoryParts,
): LongTermMemory {
  const { pruneAgeDays } = config.memory;
  const memories = createLongTermMemory({ memoriesOf: record.memoriesOf, clock, ids, meaning, pruneAgeDays });
  return countedMemories(memories, told, clock);
}

/** Where a memory is opened. */
export const memoryUrlAt =
  (addressOf: () => string) =>
  (id: string): string =>
    `${addressOf()}/v1/memories/${encodeURIComponent(id)}`;

/** What questions recall and write; undefined where that is off. */
export function openRequestMemory(
  { memory, meaning }: { readonly memory: LongTermMemory; readonly meaning: Meaning },
  { isOn, recallK, minSimilarity }: Config['memory'],
  addressOf: () => string,
): { readonly memoryOf?: (user: string | undefined) => RequestMemory } {
  if (!isOn) return {};
  return { memoryOf: createRequestMemory({ memory, meaning, recallK, minSimilarity, urlOf: memoryUrlAt(addressOf) }) };
}

/** Reads what answers cite of memories too, as they are now. */
export function withMemories(readSpan: SpanReader, record: Pick<TenantRecord, 'memoryById'>): SpanReader {
  return async (reference, signal) => {
    const { documentId, chunkId, start, end } = reference;
    const memory = documentId === chunkId ? await record.memoryById(documentId) : undefined;
    if (!memory) return readSpan(reference, signal);
    const { id, text, updatedAt } = memory;
    if (start < 0 || end > text.length || start >= end) return undefined;
    const quote = text.slice(start, end);
    const place = { documentId: id, chunkId: id, start, end, quote };
    return {
      ...place,
      title: memoryTitle(memory),
      uri: `memory:${id}`,
      source: 'memory',
      origin: { kind: 'memory', id, url: '', timestamp: updatedAt },
    };
  };
}
