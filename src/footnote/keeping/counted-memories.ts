// Long-term memory whose every change and recall is told to whoever counts: how it grows, what is pruned, and whether recalls find anything.
// Invariant: what is told is how many, never what or whose.
import type { Clock } from '../../core/ids.ts';
import type { LongTermMemory } from '../../memory/facts/long-term.ts';
import type { MemoryFigures } from '../../trace/telemetry/instruments.ts';

export function countedMemories(
  memories: LongTermMemory,
  told: ((figures: MemoryFigures) => void) | undefined,
  clock: Pick<Clock, 'elapsedMs'>,
): LongTermMemory {
  if (!told) return memories;
  const changed = (change: Extract<MemoryFigures, { count: number }>['change'], count: number): void => {
    if (count > 0) told({ change, count });
  };
  const written = (one: Awaited<ReturnType<LongTermMemory['remember']>>): void => {
    if (!one) return;
    changed(one.change, 1);
    changed('superseded', one.superseded.length);
  };
  return {
    ...memories,
    async add(memory) {
      const one = await memories.add(memory);
      written(one);
      return one;
    },
    async remember(said, origin, of) {
      const one = await memories.remember(said, origin, of);
      written(one);
      return one;
    },
    async edit(id, change, of) {
      const edited = await memories.edit(id, change, of);
      changed('edited', 1);
      return edited;
    },
    async delete(id, of) {
      await memories.delete(id, of);
      changed('deleted', 1);
    },
    async prune(request) {
      const report = await memories.prune(request);
      if (!report.dryRun) changed('pruned', report.pruned);
      return report;
    },
    async erase(of) {
      const count = await memories.erase(of);
      changed('erased', count);
      return count;
    },
    async recall(request) {
      const from = clock.elapsedMs();
      const found = await memories.recall(request);
      told({ recall: { latencyMs: clock.elapsedMs() - from, isHit: found.length > 0 } });
      return found;
    },
  };
}
