// Long-term memories in a map: the real rules over a repository that finds by shared words, so that contract tests exercise the door.
import type { Memory } from '../../src/core/memory.ts';
import { memoryTypes } from '../../src/core/memory.ts';
import type { MemoriesOf, MemoryRepository, MemoryWrite } from '../../src/db/repositories/memories.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { createLongTermMemory } from '../../src/memory/facts/long-term.ts';

export function createFakeMemories(nextId: (prefix: string) => string, at: string): Footnote['memories'] {
  const users = new Map<string, Map<string, { memory: Memory; keys: MemoryWrite }>>();
  const memoriesOf: MemoriesOf = (user): MemoryRepository => {
    const kept = users.get(user) ?? new Map<string, { memory: Memory; keys: MemoryWrite }>();
    users.set(user, kept);
    const holding = () => [...kept.values()].filter(({ memory }) => memory.validUntil === undefined);
    return {
      async write(write) {
        const same = holding().find(({ keys }) => keys.sameKey === write.sameKey);
        if (same) return { memory: same.memory, change: 'merged', superseded: [] };
        const { id, type, text, tags, origin } = write;
        const times = { createdAt: at, updatedAt: at, validFrom: at };
        const memory: Memory = { id, type, text, tags, origins: [origin], ...times, usageCount: 0 };
        kept.set(id, { memory, keys: write });
        return { memory, change: 'created', superseded: [] };
      },
      near: async () => ({ memories: [], mark: '' }),
      several: async (ids) => ids.flatMap((id) => kept.get(id)?.memory ?? []),
      newest: async () => holding().map(({ memory }) => memory),
      get: async (id) => kept.get(id)?.memory,
      list: async () => ({ data: holding().map(({ memory }) => memory) }),
      async edit(id, { at: _, keys: __, ...change }) {
        const found = kept.get(id);
        if (found) kept.set(id, { ...found, memory: { ...found.memory, ...change } });
        return kept.get(id)?.memory;
      },
      delete: async (id) => kept.delete(id),
      async deleteAll() {
        const { size } = kept;
        kept.clear();
        return size;
      },
      recall: async ({ terms, k }) =>
        holding()
          .filter(({ keys }) => terms.some((term) => keys.terms.includes(term)))
          .slice(0, k)
          .map(({ memory }) => ({ ...memory, similarity: 1 })),
      async countUse() {},
      unused: async () => [],
      countUnused: async () => 0,
      async stats() {
        const count = (type: string): number => holding().filter(({ memory }) => memory.type === type).length;
        const byType = Object.fromEntries(memoryTypes.map((type) => [type, count(type)]));
        return { total: holding().length, byType: byType as Record<Memory['type'], number>, superseded: 0 };
      },
    };
  };
  return createLongTermMemory({ memoriesOf, clock: { now: () => at }, ids: { next: nextId } });
}
